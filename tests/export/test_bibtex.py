"""BibTeX: types, fields, escaping, keys. The parser here is strict, so that a loose brace fails a test."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.export import export_papers
from octavo.export.bibtex import escape, is_balanced, protect_case
from octavo.ingest.merge import merge
from octavo.records.names import Author
from octavo.records.paper import Paper, PaperId, Record, Venue
from octavo.records.text import Text
from tests.world import RECORDS, record

Entry = tuple[str, str, dict[str, str]]
"""Type, key and fields."""


def entries_of(*groups: list[Record] | Record) -> list[Entry]:
    records = [[group] if isinstance(group, Record) else group for group in groups]
    return parse("".join(export_papers("bibtex", [(merge(group), group) for group in records])))


def parse(text: str) -> list[Entry]:
    """Read a BibTeX file by its grammar: every brace counts, nothing else may stand between entries."""
    entries = []
    at = 0
    while found := re.compile(r"\s*@([a-z]+)\{([^\s{},\"#%'()=~\\]+),\s*").match(text, at):
        at = found.end()
        fields: dict[str, str] = {}
        while name := re.compile(r"([A-Za-z]+) = \{").match(text, at):
            end = _closing(text, name.end())
            assert name[1] not in fields
            fields[name[1]] = text[name.end() : end]
            comma = re.compile(r",\s*").match(text, end + 1)
            assert comma, text[end : end + 20]
            at = comma.end()
        assert text[at] == "}", text[at : at + 20]
        at += 1
        entries.append((found[1], found[2], fields))
    assert not text[at:].strip(), text[at : at + 80]
    return entries


def _closing(text: str, at: int) -> int:
    depth = 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at - 1


def venue(**parts: object) -> Record:
    return replace(RECORDS[3], venue=Venue(year=2031, **parts))  # type: ignore[arg-type]


CONFERENCE = "Proceedings of the 9th Tile Conference"
NO_JOURNAL = "Proceedings of the Journal Track on Tiles"
MEETING = "Association for Computational Linguistics Meeting"


@pytest.mark.parametrize(
    ("where", "kind", "field", "value"),
    [
        (Venue(CONFERENCE, "TILE", 2031), "inproceedings", "booktitle", CONFERENCE),
        (Venue(short="TILE", year=2031), "inproceedings", "booktitle", "TILE"),
        (Venue("Journal of Tiles", year=2031), "article", "journal", "Journal of Tiles"),
        (Venue(NO_JOURNAL, year=2031), "inproceedings", "booktitle", NO_JOURNAL),
        (Venue(short="TMLR", year=2031), "article", "journal", "Transactions on Machine Learning Research"),
        (Venue(short="jmlr", year=2031), "article", "journal", "Journal of Machine Learning Research"),
        (Venue("Computational Linguistics", year=2031), "article", "journal", "Computational Linguistics"),
        (Venue(MEETING, year=2031), "inproceedings", "booktitle", MEETING),
    ],
)
def test_the_type_follows_the_venue_when_there_is_one(where: Venue, kind: str, field: str, value: str) -> None:
    ((found, _, fields),) = entries_of(replace(RECORDS[3], venue=where))
    assert (found, fields[field]) == (kind, value)
    assert fields["year"] == "2031"


def test_volume_and_pages_are_given_when_the_venue_has_them() -> None:
    ((_, _, fields),) = entries_of(
        venue(name="Tiles & Floors", volume="9", number="2", pages="11-19", publisher="Quarry")
    )
    assert fields["booktitle"] == r"Tiles \& Floors"
    assert (fields["volume"], fields["number"], fields["pages"]) == ("9", "2", "11--19")
    assert fields["publisher"] == "Quarry"


def test_a_preprint_is_misc_with_its_eprint_when_it_appeared_nowhere() -> None:
    ((kind, _, fields),) = entries_of(
        record(
            "arxiv-snapshot",
            "x",
            "Walks",
            "Ulf Uhu",
            ids="2101.00010",
            submitted="2031-01-02",
            categories="cs.LG",
        )
    )
    assert kind == "misc"
    assert (fields["eprint"], fields["archivePrefix"], fields["primaryClass"]) == (
        "2101.00010",
        "arXiv",
        "cs.LG",
    )
    assert fields["url"] == "https://arxiv.org/abs/2101.00010"
    assert fields["year"] == "2031"


def test_an_old_eprint_keeps_its_slash_when_it_is_exported() -> None:
    ((_, key, fields),) = entries_of(record("arxiv-snapshot", "m", "Walks", "Ulf Uhu", ids="math.GT/0309136"))
    assert fields["eprint"] == "math/0309136"
    assert "/" not in key


@pytest.mark.parametrize(
    ("status", "kind", "note"),
    [
        ("withdrawn", "misc", "Withdrawn"),
        ("retracted", "inproceedings", "Retracted"),
        ("rejected", "misc", "Submitted to TILE 2031"),
        ("submitted", "misc", "Submitted to TILE 2031"),
        ("accepted", "inproceedings", None),
        ("", "inproceedings", None),
    ],
)
def test_a_paper_is_not_said_to_be_published_when_its_status_says_otherwise(
    status: str, kind: str, note: str | None
) -> None:
    ((found, _, fields),) = entries_of(
        record("paperlists", "x", "Tiles", "Ann Bee", venue="TILE", year=2031, status=status)
    )
    assert (found, fields.get("note")) == (kind, note)
    assert ("booktitle" in fields) == (kind == "inproceedings")


# Text.


def test_the_title_keeps_its_formula_and_braces_when_its_source_wrote_them() -> None:
    title = Text.of("{BERT} for $\\alpha$-trees, said “yes” & 100%", "mixed")
    ((_, _, fields),) = entries_of(replace(RECORDS[3], title=title))
    assert fields["title"] == r"{BERT} for $\alpha$-trees, said ``yes'' \& 100\%"


def test_the_abstract_stays_out_when_there_is_one() -> None:
    paper = RECORDS[0]
    assert paper.abstract
    assert "greedy" not in "".join(export_papers("bibtex", [(merge([paper]), [paper])]))


@pytest.mark.parametrize(
    ("title", "protected"),
    [
        ("Training CollabLLM with GPT-4o", "Training {CollabLLM} with {GPT-4o}"),
        ("Text-to-Image by Hand", "Text-to-Image by Hand"),
        ("U-Net, K-means and a Plan", "{U-Net}, {K-means} and a Plan"),
        ("{BERT} and $D^T$ with \\textsc{MaxSafe}", "{BERT} and $D^T$ with \\textsc{MaxSafe}"),
        ("ALL IN CAPITALS", "ALL IN CAPITALS"),
        ("A Résumé of Bee's Œuvre", "A Résumé of Bee's Œuvre"),
        ("", ""),
    ],
)
def test_capitals_are_protected_when_a_style_would_lower_them(title: str, protected: str) -> None:
    assert protect_case(title) == protected


@given(st.text(st.characters(codec="utf-8")))
def test_an_escaped_text_is_balanced_whatever_it_holds(text: str) -> None:
    assert is_balanced(escape(text))
    assert not re.search(r"(?<!\\)[&%$#_]", escape(text))


@given(st.text(alphabet="aB{}\\$-' ", max_size=30))
def test_protected_capitals_leave_a_title_balanced_when_it_was(title: str) -> None:
    if is_balanced(title):
        assert is_balanced(protect_case(title))


@given(
    st.lists(
        st.tuples(
            st.text(max_size=30),
            st.text(max_size=20),
            st.text(max_size=20),
            st.sampled_from(["plain", "tex", "mixed"]),
        ),
        max_size=4,
    )
)
def test_the_file_can_be_read_whatever_the_texts_hold(rows: list[tuple[str, str, str, str]]) -> None:
    groups = []
    for n, (title, name, place, markup) in enumerate(rows):
        person = Author(name or "x", name, place or "x")
        claim = Record("pmlr", f"v1/x{n}", Text(title, markup), (person,), venue=Venue(place, year=2031, pages=name))
        groups.append([claim])
    entries = entries_of(*groups)
    assert len({key for _, key, _ in entries}) == len(rows)


# Names.


@pytest.mark.parametrize(
    ("names", "written"),
    [
        ("Ann Bee; Cy Dee", "Bee, Ann and Dee, Cy"),
        ("de la Cruz, Jr., Ana", "de la Cruz, Jr., Ana"),
        ("Ludwig van der Meer III", "van der Meer, III, Ludwig"),
        ("Łukasz Nguyễn", "Nguyễn, Łukasz"),
        ("Nguye\u0302\u0303n, An", "Nguyễn, An"),
        ("小田 花子", "小田, 花子"),
        ("Plato", "{Plato}"),
        ("The Blue Team", "{The Blue Team}"),
        ("{Stones and Sons}", "{Stones and Sons}"),
    ],
)
def test_an_author_is_written_in_parts_when_they_are_known(names: str, written: str) -> None:
    ((_, _, fields),) = entries_of(record("pmlr", "v1/x31a", "Tiles", names))
    assert fields["author"] == written


def test_others_are_named_when_the_source_cut_the_list() -> None:
    claim = replace(record("pmlr", "v1/x31a", "Tiles", "Ann Bee"), authors_incomplete=True)
    ((_, _, fields),) = entries_of(claim)
    assert fields["author"] == "Bee, Ann and others"


def test_a_name_is_kept_whole_when_bibtex_would_part_it() -> None:
    claim = replace(RECORDS[3], authors=(Author("Ann Bee and Co, Ltd", "Ann", "Bee and Co, Ltd"),))
    ((_, _, fields),) = entries_of(claim)
    assert fields["author"] == "{Bee and Co, Ltd}, Ann"


def test_there_is_no_author_field_when_nobody_is_named() -> None:
    ((_, _, fields),) = entries_of(replace(RECORDS[3], authors=(), authors_incomplete=True))
    assert "author" not in fields


# Links and identifiers.


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://", "//x.org"]
)
def test_an_address_is_left_out_when_it_is_not_of_the_web(address: str) -> None:
    claim = replace(RECORDS[3], identifiers=(), links=(("page", address),))
    ((_, _, fields),) = entries_of(claim)
    assert "url" not in fields


def test_an_address_is_encoded_when_it_would_end_the_field() -> None:
    claim = replace(RECORDS[3], links=(("page", "https://example.org/a}b c?x=1&y=_2#z"),))
    ((_, _, fields),) = entries_of(claim)
    assert fields["url"] == "https://example.org/a%7Db%20c?x=1&y=_2#z"


def test_a_doi_stays_as_it_is_when_it_holds_signs() -> None:
    doi = "10.5555/(SICI)1234-5678(203101)9:1+<1::AID-X2>3.0.CO;2-#"
    ((_, _, fields),) = entries_of(record("pmlr", "v1/x31a", "Tiles", "Ann Bee", ids=doi))
    assert fields["doi"] == doi.lower()


# Keys.


def paper(name: str, title: str, *authors: str, year: int | None = 2031) -> tuple[Paper, list[Record]]:
    return Paper(PaperId(name), title, authors, year=year), []


def keys_of(*papers: tuple[Paper, list[Record]]) -> list[str]:
    return [key for _, key, _ in parse("".join(export_papers("bibtex", papers)))]


@pytest.mark.parametrize(
    ("title", "authors", "key"),
    [
        ("Attention to Tiles", ["Ann Bee"], "bee2031attention"),
        ("On the $k$-Means of α-Trees", ["Ana de la Cruz"], "cruz2031kmeans"),
        ("What 3 U-Nets See", ["Łukasz Nguyễn"], "nguyen2031unets"),
        ("量子計算入門", ["小田 花子"], "p1"),
        ("量子計算 Primer", [], "2031primer"),
        ("???", ["Pat O'Dée"], "odee2031"),
    ],
)
def test_the_key_names_author_year_and_word(title: str, authors: list[str], key: str) -> None:
    assert keys_of(paper("p1", title, *authors)) == [key]


def test_keys_get_letters_when_papers_would_share_one() -> None:
    first, second = paper("p2", "Tiles One", "Ann Bee"), paper("p1", "Tiles Two", "Ann Bee")
    assert keys_of(first, second) == ["bee2031tilesb", "bee2031tilesa"]
    assert keys_of(second, first) == ["bee2031tilesa", "bee2031tilesb"]
    assert keys_of(first) == ["bee2031tiles"]


def test_each_key_keeps_its_own_letters_when_several_are_shared() -> None:
    papers = [paper(f"p{n}", f"{word} {n}", "Ann Bee") for n, word in enumerate(["Tiles", "Floors", "Tiles", "Floors"])]
    assert keys_of(*papers) == ["bee2031tilesa", "bee2031floorsa", "bee2031tilesb", "bee2031floorsb"]


def test_a_letter_is_passed_over_when_another_key_has_it() -> None:
    papers = [paper("p1", "Tile", "Ann Bee"), paper("p2", "Tile", "Ann Bee"), paper("p3", "Tilea", "Ann Bee")]
    assert keys_of(*papers) == ["bee2031tileb", "bee2031tilec", "bee2031tilea"]


def test_keys_are_distinct_when_more_papers_share_one_than_there_are_letters() -> None:
    keys = keys_of(*(paper(f"p{n:03}", "Preface", "Ann Bee") for n in range(60)))
    assert len(set(keys)) == 60
    assert keys[0] == "bee2031prefacea"
    assert keys[26] == "bee2031prefaceaa"
    assert keys[59] == "bee2031prefacebh"


def test_quotation_marks_in_a_name_stay_letters() -> None:
    odd = record("a", "1", "Said “so”", "Ann O“Neil")
    (entry,) = export_papers("bibtex", [(merge([odd]), [odd])])
    assert "O“Neil, Ann" in entry
    assert "``so''" in entry
