"""Every source of Octavo's own under damage: whatever the bytes, reading ends with records, faults or a SourceError.

The good input is that of the contract's cases (`raw/<source>`), so a new source is damaged from the day it is there.
What comes out is held to what the rest of Octavo relies on (`check`): a record can be stored, shown and exported.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octavo.errors import SourceError
from octavo.export import FORMATS, export_papers
from octavo.ingest.merge import merge
from octavo.ingest.prepare import prepare
from octavo.records.codec import decode_record, encode_record
from octavo.records.ids import RECORD_SCHEME, parse_identifier
from octavo.records.paper import LINK_KINDS, STATUSES, Record, Waiting
from octavo.sources.base import Deleted, Fault, Page
from octavo.sources.registry import _OWN, find_source_for, get_source
from tests.sources.test_contract import cases_of

SOURCES = tuple(_OWN)
UNSHOWN = frozenset(map(chr, (*range(9), 11, 12, *range(14, 32), 0x7F, *range(0x202A, 0x202F), 0xFFFE, 0xFFFF)))
"""What no text may hold once it is a record's: C11 and C13 of the list of pitfalls."""

TOKENS = st.sampled_from(
    [b"null", b"true", b"-0", b"1e999", b"NaN", b"10.5555", b"[]", b"{}", b'"', b'""', b'"\\ud835"', b'"\\u0000"', b"\\", b",",
     b":", b"[", b"]", b"{", b"}", b"<", b">", b"&", b"&amp;lt;", b"&#0;", b"&bomb;", b"<!--", b"<![CDATA[", b"</", b"/>", b"<i>",
     b"\x00", b"\x0b", b"\xff", b"\xef\xbb\xbf", "\u202e".encode(), b"\r", b"\n", b"\r\n", b"\n\n", b"---\n", b"$", b"\\frac{", b"%",
     b"~", b"@misc{", b"TY  - JOUR", b"ER  - ", b"../../x", b"javascript:alert(1)", b"9" * 5000, b"x" * 3000, "\u00e9".encode("latin-1")]
)  # fmt: skip
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
    | st.sampled_from(["\ud835", "\x00", "\u202e", "", " ", "N/A", "javascript:alert(1)", "../../x", "2101.00010v2", 2101.00010, 10**30])
)  # fmt: skip
VALUES = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(st.text(max_size=6), SCALARS, max_size=3)

thorough = settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))


@cache
def good_files(source: str) -> tuple[Path, ...]:
    """The files of a source's cases."""
    return tuple(
        path
        for case in cases_of(source)
        for path in ([case] if case.is_file() else sorted(case.rglob("*")))
        if path.is_file()
    )


@cache
def good_pages(source: str) -> tuple[Page, ...]:
    """The pages that the cases give."""
    pages: list[Page] = []
    for case in cases_of(source):
        try:
            pages.extend(get_source(source).fetch(case))
        except SourceError:
            continue  # a case that ends in an error on purpose
    return tuple(pages)


def check(found: Record | Waiting | Deleted | Fault) -> None:
    """What everything behind a source relies on."""
    if isinstance(found, Deleted):
        assert found.source
        assert found.key
        return
    if isinstance(found, Fault):
        assert found.place
        assert found.reason
        found.entry.encode()
        return
    if isinstance(found, Waiting):
        assert found.key
        assert found.abstract.plain
        return
    assert found.source
    assert found.key
    assert found.title.plain, found
    shown = found.title.plain + found.key + "".join(author.name for author in found.authors)
    shown.encode()
    assert not UNSHOWN & set(shown)
    assert found.status in STATUSES
    assert {kind for kind, _ in found.links} <= set(LINK_KINDS)
    assert all(address.startswith(("http://", "https://")) for _, address in found.links)
    for identifier in found.identifiers:
        assert identifier.scheme == RECORD_SCHEME or parse_identifier(str(identifier)) == (identifier, None)
    encode_record(found).encode()
    assert decode_record(encode_record(found)) == found or "\ufffd" in encode_record(found)
    prepare(found)
    for form in FORMATS:
        "".join(export_papers(form, [(merge([found]), [found])])).encode()


def read(source: str, page: Page) -> list[Record | Waiting | Fault]:
    """What a page gives, checked; nothing where it is refused as a whole."""
    found: list[Record | Waiting | Fault] = []
    try:
        found.extend(get_source(source).parse(page))
    except SourceError as refusal:
        assert str(refusal)  # noqa: PT017 - being read is right as well
    for one in found:
        check(one)
    return found


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """`content` with a few pieces replaced, taken out, doubled, or cut off behind."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(content)))
        end = min(len(content), at + draw(st.integers(0, 40)))
        kind = draw(st.sampled_from(["put", "put", "take", "double", "cut"]))
        put = {
            "put": draw(TOKENS | st.binary(max_size=6)),
            "take": b"",
            "double": content[at:end] * 2,
            "cut": b"",
        }[kind]
        content = content[:at] + put + (b"" if kind == "cut" else content[end:])
    return content


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        yield (*path, name)
        yield from paths_of(inner, (*path, name))


def documents(content: bytes) -> list[Any]:
    """The JSON values in a file: one, or one a line; none where it is no JSON."""
    with suppress(ValueError):
        return [json.loads(content)]
    found: list[Any] = []
    for line in content.splitlines():
        with suppress(ValueError):  # a line that is broken on purpose
            found.append(json.loads(line))
    return found if any(isinstance(value, dict) for value in found) else []


JSON_SOURCES = [source for source in SOURCES if any(documents(path.read_bytes()) for path in good_files(source))]


def test_every_source_has_something_to_damage() -> None:
    assert all(good_pages(source) for source in SOURCES)
    assert len(JSON_SOURCES) == 10


@pytest.mark.parametrize("source", SOURCES)
def test_good_input_is_sound(source: str) -> None:
    assert any(isinstance(one, Record | Waiting) for page in good_pages(source) for one in read(source, page))


@pytest.mark.parametrize("source", SOURCES)
@thorough
@given(content=st.binary(max_size=300) | st.lists(TOKENS, max_size=20).map(b"".join), data=st.data())
def test_any_bytes_are_read_or_refused(source: str, content: bytes, data: st.DataObject) -> None:
    page = data.draw(st.sampled_from(good_pages(source)))
    at = data.draw(st.integers(0, len(page.content)))
    for whole in (content, page.content[:at] + content, content + page.content[at:]):
        read(source, Page(whole, "any", line=page.line, context=page.context))
        read(source, Page(whole, "any"))


@pytest.mark.parametrize("source", SOURCES)
@thorough
@given(data=st.data())
def test_damage_to_good_pages_costs_entries_at_most(source: str, data: st.DataObject) -> None:
    page = data.draw(st.sampled_from(good_pages(source)))
    content = data.draw(damaged(page.content))
    read(source, Page(content, page.place, line=page.line, context=page.context))


@pytest.mark.parametrize("source", JSON_SOURCES)
@thorough
@given(data=st.data())
def test_any_value_in_any_place_costs_its_entry_at_most(
    source: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from([path for path in good_files(source) if documents(path.read_bytes())]))
    values = documents(path.read_bytes())
    chosen = data.draw(st.integers(0, len(values) - 1))
    ways = list(paths_of(values[chosen]))
    for way in data.draw(st.lists(st.sampled_from(ways), min_size=1, max_size=3)) if ways else ():
        inside = values[chosen]
        for name in way[:-1]:
            inside = inside[name] if isinstance(inside, list | dict) and _has(inside, name) else None
        if inside is not None and _has(inside, way[-1]):
            inside[way[-1]] = data.draw(VALUES)
    target = tmp_path_factory.getbasetemp() / f"value{path.suffix}"
    target.write_text("\n".join(json.dumps(value) for value in values), encoding="utf-8")
    fetch(source, target)


def _has(value: Any, name: Any) -> bool:
    if isinstance(value, dict):
        return name in value
    return isinstance(value, list) and isinstance(name, int) and name < len(value)


def fetch(source: str, target: Path) -> int:
    """Read a file to its end or to its refusal; the number of records."""
    records = 0
    done = 0
    try:
        for page in get_source(source).fetch(target):
            assert page.done >= done
            done = page.done
            records += sum(isinstance(one, Record) for one in read(source, page))
    except SourceError as refusal:
        assert str(refusal)  # noqa: PT017 - being read is right as well
    return records


@pytest.mark.parametrize("source", SOURCES)
@thorough
@given(data=st.data())
def test_damaged_files_are_read_or_refused(
    source: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(good_files(source)))
    content = path.read_bytes()
    target = tmp_path_factory.getbasetemp() / f"damaged{path.suffix}"
    target.write_bytes(data.draw(damaged(content) | st.binary(max_size=300) | st.lists(TOKENS).map(b"".join)))
    fetch(source, target)
    try:
        find_source_for(target)
    except SourceError as refusal:
        assert "damaged" in str(refusal)  # noqa: PT017 - being told is right as well


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "open brackets": lambda n: b"[" * n,
    "open objects": lambda n: b'{"a":' * (n // 5),
    "empty objects": lambda n: b"[" + b"{}," * (n // 3) + b"{}]",
    "quotes": lambda n: b'{"title": "' + b'\\"' * (n // 2),
    "one line": lambda n: b'{"id": "' + b"x" * n + b'"}',
    "open tags": lambda n: b"<a>" * (n // 3),
    "less than": lambda n: b"<" * n,
    "ampersands": lambda n: b"<dblp>" + b"&" * n,
    "comments": lambda n: b"<!--" * (n // 4),
    "attributes": lambda n: b"<collection " + b'a="" ' * (n // 5),
    "entries": lambda n: b"@a{" * (n // 3),
    "braces": lambda n: b"@misc{k, title={" + b"{" * n,
    "macros": lambda n: b"@misc{k, title={" + b"\\frac{" * (n // 6) + b"}" * (n // 6) + b"}}",
    "references": lambda n: b"TY  - \n" * (n // 7),
    "one reference": lambda n: b"TY  - JOUR\n" + b"AU  - Bee, Ann\n" * (n // 15),
    "line feeds": lambda n: b"\n" * n,
    "carriage returns": lambda n: b"TY  - JOUR" + b"\r" * n,
    "dashes": lambda n: b"---\n" * (n // 4),
    "anchors": lambda n: b"---\na: &a [x]\n" + b"".join(b"b%d: &b%d [*a,*a]\n" % (m, m) for m in range(n // 20)),
    "blanks": lambda n: b" " * n + b"x",
    "zeros": lambda n: b"\0" * n,
}
"""Content that a reader with a quadratic pattern, a recursion or a copy for each entry would not get through."""


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_content_is_got_through_within_bounds(source: str, kind: str, tmp_path: Path) -> None:
    content = HOSTILE[kind](120_000)
    target = tmp_path / f"hostile{good_files(source)[0].suffix}"
    target.write_bytes(content)
    tracemalloc.start()
    try:
        fetch(source, target)
        read(source, Page(content, "hostile"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60_000_000
