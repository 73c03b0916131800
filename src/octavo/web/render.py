"""Templates: Jinja, with every value escaped, and the few functions that they may call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from octavo.records.paper import Paper
from octavo.web.asked import CHOICES, Asked
from octavo.web.charts import percent, spark
from octavo.web.kept import PIECES
from octavo.web.language import CODES, NAMES
from octavo.web.links import links_of
from octavo.web.markup import SNIPPET, html, marked, named, snippet, ticked
from octavo.web.phrases import evidence, phrase, reasons
from octavo.web.safety import safe_address
from octavo.web.terms import with_terms
from octavo.web.whole import presented, whole

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"
SHOWN_AUTHORS = 3
"""Authors that a list shows; the others unfold in place."""
MOST_UNFOLDED = 60
"""Authors that unfold in a list; all of them are on the paper's own page."""


@cache
def environment() -> Environment:
    """The templates, read when they are first needed."""
    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.do"],
    )
    made.globals.update(
        html=html,
        marked=marked,
        named=named,
        snippet=snippet,
        signed=signed,
        spark=spark,
        percent=percent,
        with_terms=with_terms,
        ticked=ticked,
        snippet_letters=SNIPPET,
        links_of=links_of,
        pieces=PIECES,
        address_of_tag=address_of_tag,
        place_of=place_of,
        presented=presented,
        whole=whole,
        safe_address=safe_address,
        static=static_address,
        shown_authors=SHOWN_AUTHORS,
        most_unfolded=MOST_UNFOLDED,
        codes=CODES,
        names_of_languages=NAMES,
        all_choices=CHOICES,
    )
    return made


def render(template: str, asked: Asked, values: Mapping[str, Any], templates: Environment | None = None) -> str:
    """A page as HTML, in the language that is asked for; from other `templates` where they are given."""
    language = asked.language
    return (
        (templates or environment())
        .get_template(template)
        .render(
            asked=asked,
            choices=asked.choices,
            lang=language,
            _=language.say,
            count=language.count,
            phrase=lambda text: phrase(language, text),
            evidence=lambda text: evidence(language, text),
            reasons=lambda why: reasons(language, why),
            **values,
        )
    )


def to_json(data: Mapping[str, Any]) -> bytes:
    """A page as JSON; what UTF-8 can't hold or what turns a line around is escaped."""
    text = json.dumps(data, ensure_ascii=False, default=str)
    for code in (*range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)):
        if chr(code) in text:
            text = text.replace(chr(code), f"\\u{code:04x}")
    return text.encode("utf-8", "backslashreplace") + b"\n"


def signed(rate: float) -> str:
    """A rate with its sign: `+25%`; no more than is ever told (`octavo.rank.trends.MOST_FACTOR`).

    >>> signed(0.254), signed(-0.5), signed(1e9)
    ('+25%', '-50%', '+9,900%')
    """
    return f"{100 * min(rate, 99.0):+,.0f}%"


def place_of(paper: Paper) -> str:
    """Where a paper appeared, as short as it can be said: `ICML 2025`, `arXiv 2031`, `2031`."""
    place = paper.venue or ("arXiv" if any(name.scheme == "arxiv" for name in paper.identifiers) else "")
    if place and paper.year and str(paper.year) not in place:
        return f"{place} {paper.year}"
    return place or str(paper.year or "")


def address_of_tag(tag: str) -> str:
    """The list of a tag's papers."""
    return f"/library?{urlencode({'tag': tag})}"


@cache
def _digest(name: str) -> str:
    return blake2b((STATIC / name).read_bytes(), digest_size=6).hexdigest()


def static_address(name: str) -> str:
    """The address of a file of the pages; it changes with the content, so that a browser may keep what it has."""
    return f"/static/{name}?{_digest(name)}"
