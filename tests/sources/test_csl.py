"""CSL-JSON files: items, names, dates, and fuzz."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import EmptyFileError, EncodingError, FormatError, SourceError, TruncatedFileError
from octavo.records.paper import Record
from octavo.sources.base import Fault, Page
from octavo.sources.csl import CslSource

SOURCE = CslSource()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def read(folder: Path, text: str | bytes) -> tuple[list[Record], list[Fault]]:
    path = folder / "refs.json"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    found = [one for page in SOURCE.fetch(path) for one in SOURCE.parse(page)]
    return [one for one in found if isinstance(one, Record)], [one for one in found if isinstance(one, Fault)]


def of(folder: Path, **fields: Any) -> Record:
    """The record of an item with these fields; `_` in a name stands for `-`."""
    item = {"id": "k", "type": "article-journal", "title": "Tiles"} | fields
    (record,), faults = read(folder, json.dumps([{name.replace("_", "-"): value for name, value in item.items()}]))
    assert not faults
    return record


def test_an_item_is_read_with_its_parts(folder: Path) -> None:
    record = of(
        folder,
        author=[{"family": "Bee", "given": "Ann"}],
        issued={"date-parts": [["2031", "7", 5]]},
        container_title="Journal of Tiles",
        container_title_short="J. Tiles",
        volume=9,
        issue="3",
        page="11–19",
        publisher="Quarry",
        DOI="10.5555/ABC",
        URL="https://example.org/a",
        abstract="<jats:p>R&amp;D</jats:p>",
        keyword="tiles, floors",
        language="en-GB",
        note="Retracted",
    )
    assert record.venue
    assert (record.venue.name, record.venue.short, record.venue.year) == ("Journal of Tiles", "J. Tiles", 2031)
    assert (record.venue.volume, record.venue.number, record.venue.pages) == ("9", "3", "11-19")
    assert record.published_on == "2031-07-05"
    assert [str(name) for name in record.identifiers] == ["doi:10.5555/abc"]
    assert record.abstract
    assert record.abstract.plain == "R&D"
    assert (record.keywords, record.language, record.status) == (("tiles", "floors"), "en", "retracted")


@pytest.mark.parametrize(
    ("issued", "date"),
    [
        ({"date-parts": [[None]]}, None),
        ({"date-parts": [[2031]]}, "2031"),
        ({"date-parts": [[2031, 5]]}, "2031-05"),
        ({"date-parts": [[2031, 5, None]]}, "2031-05"),
        ({"date-parts": [[2031, None, None]]}, "2031"),
        ({"date-parts": [["2031", "5", "9"]]}, "2031-05-09"),
        ({"date-parts": [[2031, 5], [2031, 6]]}, "2031-05"),
        ({"date-parts": [[]]}, None),
        ({"date-parts": []}, None),
        ({"date-parts": None}, None),
        ({"date-parts": [[True, 5]]}, None),
        ({"date-parts": [[99999999999999]]}, None),
        ({"raw": "2031-05-09"}, "2031-05-09"),
        ({"raw": "May 2031"}, "2031-05"),
        ({"literal": "in press"}, None),
        ("2031", "2031"),
        (None, None),
        ([2031], None),
    ],
)
def test_a_date_has_the_precision_that_is_given(folder: Path, issued: object, date: str | None) -> None:  # D10
    record = of(folder, issued=issued, container_title="Tiles")
    assert record.published_on == date
    assert record.venue
    assert record.venue.year == (int(date[:4]) if date else None)


@pytest.mark.parametrize(
    ("person", "name", "family"),
    [
        ({"family": "Cruz", "given": "Ana", "non-dropping-particle": "de la", "suffix": "Jr."}, "Ana de la Cruz Jr.", "de la Cruz"),
        ({"family": "Meer", "given": "Ludwig", "dropping-particle": "van der", "suffix": "III"}, "Ludwig van der Meer III", "van der Meer"),
        ({"family": "Ramo y Costa", "given": "Pere"}, "Pere Ramo y Costa", "Ramo y Costa"),
        ({"literal": "The Blue Team, Ltd"}, "The Blue Team, Ltd", "The Blue Team, Ltd"),
        ({"family": "Plato"}, "Plato", "Plato"),
    ],
)  # fmt: skip
def test_a_name_is_taken_in_its_parts(folder: Path, person: dict[str, str], name: str, family: str) -> None:  # C18
    (made,) = of(folder, author=[person]).authors
    assert (made.name, made.family) == (name, family)


@pytest.mark.parametrize(
    ("extra", "custom"),
    [({"literal": "et al."}, {}), ({"family": "others"}, {}), ({"family": "Dee"}, {"authors_incomplete": True})],
)
def test_nobody_is_called_others_when_a_list_was_cut(
    folder: Path, extra: dict[str, str], custom: dict[str, bool]
) -> None:  # C19
    record = of(folder, author=[{"family": "Bee", "given": "Ann"}, extra], custom=custom)
    assert record.authors[0].name == "Ann Bee"
    assert record.authors_incomplete
    assert not {"others", "et al."} & {person.name for person in record.authors}


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("WX<sub>2</sub> <i>films</i>", "WX2 films"),
        ('The <span class="nocase">BERT</span> model', "The BERT model"),
        ("x<y and a>b, R&D", "x<y and a>b, R&D"),
        ("On <b", "On <b"),
        ("$5 {x} \\n", "$5 {x} \\n"),
    ],
)
def test_marks_are_read_only_when_they_are_plainly_marks(folder: Path, title: str, plain: str) -> None:  # C07
    assert of(folder, title=title).title.plain == plain


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"DOI": "10.48550/arXiv.2101.00010"}, "arxiv:2101.00010"),
        ({"URL": "https://openreview.net/forum?id=AbC12xYz90"}, "openreview:AbC12xYz90"),
        ({"number": "arXiv:2101.00010", "publisher": "arXiv", "type": "article"}, "arxiv:2101.00010"),
        ({"note": "arXiv:2101.00010 [cs]"}, "arxiv:2101.00010"),
        ({"custom": {"identifiers": ["acl:P18-1001", "rubbish", 7]}}, "acl:P18-1001"),
        ({"id": "2101.00010"}, ""),
        ({"URL": "javascript:alert(1)"}, ""),
        ({"container-title": ["arXiv"]}, ""),
    ],
)
def test_identifiers_are_found_where_programs_put_them(folder: Path, fields: dict[str, Any], expected: str) -> None:
    record = of(folder, **fields)
    assert " ".join(map(str, record.identifiers)) == expected
    assert record.venue is None


def test_a_single_item_is_read_when_the_file_is_no_array(folder: Path) -> None:
    (record,), _ = read(folder, '\ufeff{"id": "k", "type": "book",\n "title": ["One", "Uno"]}')
    assert record.title.raw == "One"


def test_a_broken_item_costs_itself_alone(folder: Path) -> None:
    text = """[{"id": "a", "title": "One"},
 {"id": "b", "title": "Two" "x": 1},
 {"id": "c", "title": 3}, {"id": "d"}, 7, {"id": "e", "title": "x", "author": "Bee"}, {"id": "f", "title": "Six"}]"""
    records, faults = read(folder, text)
    assert [record.title.raw for record in records] == ["One", "Six"]
    assert [(fault.place, fault.reason, fault.entry) for fault in faults] == [
        ("refs.json, item 2", "broken JSON", ""),
        ("refs.json, item 3", "title is not text", "c"),
        ("refs.json, item 4", "no title", "d"),
        ("refs.json, item 5", "not a JSON object", ""),
        ("refs.json, item 6", "author is not a list", "e"),
    ]


def test_items_with_one_key_are_papers_of_their_own(folder: Path) -> None:  # B09
    records, _ = read(folder, '[{"id": "lee31a", "title": "One"}, {"id": "lee31a", "title": "Two"}]')
    assert len({record.key for record in records}) == 2


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", EmptyFileError),
        (b"TY  - JOUR\n", FormatError),
        (b'{"id": "k", "title": "On', TruncatedFileError),
        ('[{"id": "k"}]'.encode("utf-16"), EncodingError),
    ],
)
def test_a_file_is_refused_when_it_is_no_csl(folder: Path, content: bytes, error: type[SourceError]) -> None:
    with pytest.raises(error):
        read(folder, content)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["date-parts", "family", "given", "literal", "raw", "identifiers", "suffix", "name"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["id", "type", "title", "author", "issued", "container-title", "DOI", "URL", "page", "volume", "note", "custom",
     "abstract", "keyword", "language", "number", "event", "publisher", "container-title-short"]
)  # fmt: skip


@given(st.lists(st.dictionaries(FIELDS, VALUES, max_size=8) | VALUES, max_size=4))
def test_parse_never_raises_whatever_the_values(items: list[Any]) -> None:
    found = list(SOURCE.parse(Page(json.dumps(items).encode(), "refs.json")))
    assert len(found) == len(items)
    keys = [one.key for one in found if isinstance(one, Record)]
    assert len(keys) == len(set(keys))


@given(st.binary(max_size=200))
def test_parse_tells_what_is_wrong_whatever_the_bytes(content: bytes) -> None:
    try:
        found = list(SOURCE.parse(Page(b"[" + content, "refs.json")))
    except FormatError:
        return
    assert all(isinstance(one, Record | Fault) for one in found)
