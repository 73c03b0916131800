"""The catalogues of translations: `python -m tests.web.translations` brings them up to date with the messages.

Messages are what the templates and modules of `octavo.web` say; `octavo.web.phrases` has what is said below them, and
`octavo.query.fields` the sentences about its fields. Babel is needed for this alone: the pages read the compiled catalogue with gettext.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import octavo.web
from octavo.query.fields import FIELDS
from octavo.web.language import _DAYS, _MONTHS, DOMAIN, LOCALE
from octavo.web.phrases import PIECES, SENTENCES

WEB = Path(octavo.web.__file__).parent
PO = LOCALE / "zh_CN" / "LC_MESSAGES" / f"{DOMAIN}.po"
KEYWORDS = {"_": None, "say": None, "count": (1, 2)}

HEADER = """# The pages in Chinese (zh-CN). Brought up to date by `python -m tests.web.translations`.
msgid ""
msgstr ""
"Language: zh_CN\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""

Message = str | tuple[str, ...]


def messages() -> Iterator[tuple[Message, str]]:
    """Every message with the file that has it."""
    for path in sorted(WEB.rglob("*")):
        method = {".py": "python", ".html": "jinja2.ext:babel_extract"}.get(path.suffix)
        if method is None:
            continue
        options = {"trimmed": "true", "silent": "false"}
        with path.open("rb") as file:
            for _, message, _, _ in extract(method, cast("IO[bytes]", file), KEYWORDS, (), options):
                yield cast("Message", message), path.relative_to(WEB).as_posix()
    yield from ((field.doc, "query/fields.py") for field in FIELDS)
    yield from ((name, "language.py") for name in (*_MONTHS, *_DAYS))
    yield from ((sentence, "phrases.py") for sentence in (*SENTENCES, *PIECES))


def template() -> Catalog:
    """All messages, without translations."""
    catalog = Catalog(domain=DOMAIN, project="Octavo", charset="utf-8")
    for message, place in messages():
        catalog.add(message, locations=[(place, 0)])
    return catalog


def load() -> Catalog:
    """The Chinese catalogue."""
    with PO.open("rb") as file:
        return read_po(file, locale="zh_CN", domain=DOMAIN)


def written(catalog: Catalog) -> bytes:
    """A catalogue as its file; without Babel's header, which has the moment of writing in it."""
    out = io.BytesIO(HEADER.encode())
    out.seek(0, io.SEEK_END)
    write_po(out, catalog, width=120, omit_header=True, sort_output=True, no_location=True, ignore_obsolete=True)
    return out.getvalue()


def compiled(catalog: Catalog) -> bytes:
    """A catalogue in the form that gettext reads."""
    out = io.BytesIO()
    catalog.creation_date = catalog.revision_date = datetime(2026, 11, 30, tzinfo=UTC)
    write_mo(out, catalog)
    return out.getvalue()


def main() -> None:
    """Add new messages without translation, take away those that are gone, and compile."""
    catalog = load() if PO.exists() else Catalog(locale="zh_CN", domain=DOMAIN, project="Octavo")
    catalog.update(template(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    PO.parent.mkdir(parents=True, exist_ok=True)
    PO.write_bytes(written(catalog))
    PO.with_suffix(".mo").write_bytes(compiled(catalog))


if __name__ == "__main__":
    main()
