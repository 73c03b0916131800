"""BibTeX files: the pitfalls of the format (their numbers in brackets), damage of every kind, and the way back."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octavo.errors import EmptyFileError, EncodingError, FormatError, SourceError, TruncatedFileError
from octavo.records.paper import Record
from octavo.sources.base import Fault, Page
from octavo.sources.bibtex import BibtexSource
from octavo.sources.bibtex_entries import macros_of, raw_entries
from tests.export.round_trip import papers, said_of, there_and_back

SOURCE = BibtexSource()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def read_file(path: Path) -> list[Record | Fault]:
    return [one for page in SOURCE.fetch(path) for one in SOURCE.parse(page)]


def read(folder: Path, text: str | bytes) -> tuple[list[Record], list[Fault]]:
    path = folder / "refs.bib"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    found = read_file(path)
    return [one for one in found if isinstance(one, Record)], [one for one in found if isinstance(one, Fault)]


def one(folder: Path, text: str | bytes) -> Record:
    (record,), faults = read(folder, text)
    assert not faults
    return record


def titles(records: list[Record]) -> list[str]:
    return [record.title.plain for record in records]


# Entries.


def test_every_type_is_imported_when_it_is_not_a_known_one(folder: Path) -> None:  # J01
    text = "@dataset{k, title={One}} @online{j, title={Two}} @article{author={Bee, Ann}, title={Three}} @article{, title={Four}}"
    records, faults = read(folder, text)
    assert titles(records) == ["One", "Two", "Three", "Four"]
    assert records[2].authors[0].name == "Ann Bee"
    assert not faults


def test_the_broken_entry_alone_is_lost_when_a_brace_is_missing(folder: Path) -> None:  # J02
    text = "@article{a1, title={Unclosed, year={2031}\n@article{b2, title={Second}} @misc{c3, title={Third}}"
    records, faults = read(folder, text)
    assert titles(records) == ["Second", "Third"]
    assert faults == [Fault("refs.bib, line 1", "a brace or a quote is not closed", "a1")]


def test_both_entries_are_papers_when_their_citation_key_is_the_same(folder: Path) -> None:  # B09
    entry = "@inproceedings{lee31a, title={%s}, author={Lee, Al}}\n"
    records, _ = read(folder, entry % "One" + entry % "Two")
    assert titles(records) == ["One", "Two"]
    again, _ = read(folder, entry.replace("lee31a", "other") % "One")
    assert again[0].key == records[0].key != records[1].key


def test_keys_stay_when_the_file_is_read_again_and_in_another_order(folder: Path) -> None:
    made = [f"@misc{{k, title={{Tile {n}}}, doi={{10.5555/volume}}}}\n" for n in range(5)]
    first = {record.title.plain: record.key for record in read(folder, "".join(made))[0]}
    second = {record.title.plain: record.key for record in read(folder, "".join(reversed(made)))[0]}
    assert first == second
    assert len(set(first.values())) == 5


def test_a_repeated_entry_is_a_record_of_the_same_paper_when_nothing_else_tells(folder: Path) -> None:
    entry = "@misc{k, title={Tiles}, author={Bee, Ann}, year=2031%s}\n"
    first, second, third = read(folder, entry % "" + entry % ", note={x}" + entry % "")[0]
    assert len({first.key, second.key, third.key}) == 3
    assert not first.identifiers
    assert [str(name) for name in second.identifiers] == [f"record:bibtex:{first.key}"]
    assert third.identifiers == second.identifiers


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        ("eprint={2101.00010}, doi={10.5555/x}", "arxiv:2101.00010"),
        ("url={https://openreview.net/forum?id=AbC12xYz90}", "openreview:AbC12xYz90"),
    ],
)
def test_the_key_is_the_strongest_identifier_when_that_names_one_paper(folder: Path, entry: str, key: str) -> None:
    assert one(folder, f"@misc{{k, title={{Tiles}}, {entry}}}").key == key


def test_macros_are_replaced_when_they_are_defined_anywhere(folder: Path) -> None:
    text = """@string{tc = "Tile Conf."}
@string(pr = {Proc.})
@inproceedings{k, title={One}, booktitle = pr # { of the } # TC, year = 2031, month = jul # "~5"}
@misc{l, title = tc # nosuch}"""
    first, second = read(folder, text)[0]
    assert first.venue
    assert first.venue.name == "Proc. of the Tile Conf."
    assert first.published_on == "2031-07-05"
    assert second.title.plain == "Tile Conf.nosuch"


def test_comments_are_passed_over_when_they_hold_braces_or_entries(folder: Path) -> None:
    text = """Free text with a@b.org in it, and 50% of it = nothing.
@comment{jabref-meta: x, @article{y, title={No}}}
@preamble{"\\newcommand{\\x}{y}"}
@comment no brace
% @misc{z, title={Commented out}}
@misc{k, title={One}}
"""
    assert one(folder, text).title.plain == "One"


@pytest.mark.parametrize(
    "text",
    [
        "@misc{k, title={One} year=2031}",
        "@misc{k,, title={One},, year=2031,}",
        "@misc(k, title={One}, year=2031)",
        "@MISC {k , TITLE = {One} , Year = {2031} }",
        "@misc\n{\n k\n ,\n title\n=\n{One}, year={2031}}",
        "@misc{a b, title={One}, year={2031}}",
        '@misc{k, title="One", year="2031"}',
        "@misc{k, title=One, year=2031}",
        "@misc{k, title={One} # , year={2031}},",
        "@misc{k, title={One}, title={Uno}, year=2031}",
        "@misc{k, title={}, title={One}, year={c. 2031a}}",
        "@misc{k, title={One}, year={2031}}}",
        "@misc{k,\n % an old title = {x},\n title={One}, year={2031}}",
        "\ufeff@misc{k, title={One}, year={2031}}",
        "@misc{k,\r\n title={One},\r\n year={2031}}\r\n",
        "@misc{k,\r title={One},\r year={2031}}\r",
        "   @misc{k, title={One}, date={2031-07/2031-08}}",
    ],
)
def test_an_entry_is_read_as_it_is_meant_when_it_is_odd(folder: Path, text: str) -> None:
    record = one(folder, text)
    assert record.title.plain == "One"
    assert record.published_on
    assert record.published_on.year == 2031


def test_a_sign_at_is_text_when_it_stands_in_a_value(folder: Path) -> None:
    text = "@misc{a, title={One @ home {at} x@y.org}, abstract={\n  @misc{q, title={x}}\n}}\n@misc{b, title={Two}}"
    assert titles(read(folder, text)[0]) == ["One @ home {at} x@y.org".replace("{", "").replace("}", ""), "Two"]


# What an entry inherits.


def test_a_volume_gives_its_papers_what_they_lack_when_they_name_it(folder: Path) -> None:
    text = """@inproceedings{a, title={One}, crossref={vol}, pages={1--9}}
@inproceedings{b, title={Two}, booktitle={Elsewhere}, crossref={VOL}}
@proceedings{vol, title={Proceedings of Tiles}, year={2031}, publisher={Quarry}, doi={10.5555/vol}}"""
    (first, second), faults = read(folder, text)
    assert first.venue
    assert second.venue
    assert (first.venue.name, first.venue.year, first.venue.publisher, first.venue.pages) == (
        "Proceedings of Tiles", 2031, "Quarry", "1-9",
    )  # fmt: skip
    assert (second.venue.name, second.venue.year) == ("Elsewhere", 2031)
    assert not first.identifiers
    assert faults == [Fault("refs.bib, line 3", "a volume of proceedings, no paper", "vol")]


def test_papers_are_of_the_only_volume_when_they_name_neither_venue_nor_year(folder: Path) -> None:
    text = """@Proceedings{T, booktitle={Proceedings of Tiles}, shortname={TILE}, volume={900}, year={2031}, published={2032-01-02}}
@InProceedings{a, title={One}, section={Original Papers}, openreview={AbC12xYz90}}
@InProceedings{b, title={Two}, year={1999}}
@article{c, title={Three}}"""
    (first, second, third), _ = read(folder, text)
    assert first.venue
    assert (first.venue.name, first.venue.short, first.venue.year, first.venue.volume, first.venue.track) == (
        "Proceedings of Tiles", "TILE", 2031, "900", "Original Papers",
    )  # fmt: skip
    assert first.published_on == "2032-01-02"
    assert first.key == "openreview:AbC12xYz90"
    assert second.venue is third.venue is None


def test_parents_may_name_each_other_when_nobody_meant_it(folder: Path) -> None:
    text = (
        "@book{a, title={One}, crossref={b}}\n@book{b, title={Two}, crossref={a}, year=2031}\n@xdata{x, publisher={Q}}"
    )
    assert titles(read(folder, text)[0]) == ["One", "Two"]


# Fields.


def test_biblatex_fields_are_read_when_they_stand_for_the_old_ones(folder: Path) -> None:
    record = one(
        folder,
        r"""@article{k, title={Fast Tiles}, subtitle={A Study}, author={Bee, Ann}, journaltitle={J. of Tiles},
        date={2031-07-05}, volume=3, issue=4, pages={11\textendash 19}, eprint={2101.00010v2}, eprinttype={arXiv},
        eprintclass={cs.LG}, location={Nowhere}, keywords={tiles; floors}, langid={en}}""",
    )
    assert record.title.plain == "Fast Tiles: A Study"
    assert record.venue
    assert (record.venue.name, record.venue.year, record.venue.volume, record.venue.number, record.venue.pages) == (
        "J. of Tiles", 2031, "3", "4", "11-19",
    )  # fmt: skip
    assert (record.published_on, record.categories, record.keywords) == ("2031-07-05", ("cs.LG",), ("tiles", "floors"))
    assert [str(name) for name in record.identifiers] == ["arxiv:2101.00010"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("doi={https://doi.org/10.5555/A\\_b}", "doi:10.5555/a_b"),
        ("doi={10.48550/arXiv.2101.00010}", "arxiv:2101.00010"),
        ("eprint={math.GT/0309136}, archivePrefix={arXiv}", "arxiv:math/0309136"),
        ("journal={arXiv preprint arXiv:2101.00010}", "arxiv:2101.00010"),
        ("journal={CoRR}, volume={abs/2101.00010}", "arxiv:2101.00010"),
        ("howpublished={\\url{https://arxiv.org/abs/2101.00010v3}}", "arxiv:2101.00010"),
        ("note={arXiv:2101.00010 [cs]}", "arxiv:2101.00010"),
        ("note={Extends arXiv:2101.00010 and arXiv:2101.00011}", ""),
        ("note={See arXiv:2101.00010}, doi={10.5555/x}", "doi:10.5555/x"),
        ("url={https://example.org/p~1}", "url:https://example.org/p~1"),
        ("url={https://example.org/p}, doi={10.5555/x}", "doi:10.5555/x"),
        ("url={https://example.org/}", ""),
        ("url={javascript:alert(1)}", ""),
        ("eprint={1234567}, eprinttype={jstor}", ""),
        ("biburl={https://dblp.org/rec/conf/tile/Bee31.bib}", "dblp:conf/tile/Bee31"),
        ("identifiers={acl:P18-1001 openreview:AbC12xYz90 rubbish}", "acl:P18-1001 openreview:AbC12xYz90"),
    ],
)
def test_identifiers_are_found_where_people_put_them(folder: Path, fields: str, expected: str) -> None:
    record = one(folder, f"@misc{{k, title={{Tiles}}, {fields}}}")
    assert " ".join(map(str, record.identifiers)) == expected
    assert all(address.startswith("http") for _, address in record.links)
    assert record.venue is None


@pytest.mark.parametrize(
    ("note", "status", "comment"),
    [("Withdrawn", "withdrawn", ""), ("Retracted.", "retracted", ""), ("Not withdrawn yet", "", "Not withdrawn yet")],
)
def test_a_status_is_read_from_a_note_when_it_says_nothing_else(
    folder: Path, note: str, status: str, comment: str
) -> None:
    record = one(folder, f"@misc{{k, title={{Tiles}}, note={{{note}}}}}")
    assert (record.status, record.comment) == (status, comment)


# Text and names.


def test_accents_are_letters_when_tex_spells_them(folder: Path) -> None:  # C01, C02
    names = r"{\'E}lodie {\v S}imi{\'c} and J\"urg {\L}ozi\'nski and Kal{\=\i}te and M\H ore and Dvo{\v r}\'{a}k"
    record = one(folder, rf"@misc{{k, title={{One}}, author={{{names} and Nguy{{\~{{\^e}}}}n}}}}")
    assert [person.name for person in record.authors] == [
        "Élodie Šimić", "Jürg Łoziński", "Kalīte", "Mőre", "Dvořák", "Nguyễn",
    ]  # fmt: skip


def test_braces_vanish_when_they_only_keep_capitals(folder: Path) -> None:  # C03
    record = one(folder, r"@misc{k, title = {The {{Q{u}X}} model and the ${\rm QCH}$ for sets \{a,b\}}}")
    assert record.title.marked == r"The QuX model and the ${\rm QCH}$ for sets {a,b}"
    assert "{{Q{u}X}}" in record.title.raw


@pytest.mark.parametrize(
    ("title", "words"),
    [
        (r"See \href{https://example.org/a}{the page} for code", "See the page for code"),
        (r"\textsc{Bert}-like \mytool{} gives", "Bert-like mytool gives"),
    ],
)
def test_no_word_is_lost_when_a_macro_is_odd(folder: Path, title: str, words: str) -> None:  # C04, C06
    assert one(folder, f"@misc{{k, title = {{{title}}}}}").title.plain == words


@pytest.mark.parametrize(
    ("names", "families"),
    [
        ("de la Cruz, Jr., Ana", ["de la Cruz"]),
        ("{Della Rossa}, Dan", ["Della Rossa"]),
        ("Della Rossa, Dan", ["Della Rossa"]),
        ("Ludwig van der Meer III", ["van der Meer"]),
        ("Ramo y Costa, Pere", ["Ramo y Costa"]),
        ("De Orin Sands", ["Sands"]),
        ("{Stones and Sons, Ltd} and Bee, Ann", ["Stones and Sons, Ltd", "Bee"]),
        ("Bee, Ann AND Dee, Cy", ["Bee", "Dee"]),
        ("Bee, Ann\n  and\tDee, Cy", ["Bee", "Dee"]),
        ("Rolf Anders and Sandy Land", ["Anders", "Land"]),
    ],
)
def test_names_are_parted_as_bibtex_does(folder: Path, names: str, families: list[str]) -> None:  # C18
    assert [
        person.family for person in one(folder, f"@misc{{k, title={{One}}, author={{{names}}}}}").authors
    ] == families


def test_nobody_is_called_others_when_a_list_was_cut(folder: Path) -> None:  # C19
    record = one(folder, "@misc{k, title={One}, author={Bee, Ann and others}}")
    assert [person.name for person in record.authors] == ["Ann Bee"]
    assert record.authors_incomplete


# Encodings, damaged and foreign files.


def test_the_entry_alone_is_lost_when_it_is_not_utf8(folder: Path) -> None:
    records, faults = read(folder, b"@misc{a, title={One}}\n@misc{b, title={Caf\xe9}}\n@misc{c, title={\xc3\x89}}")
    assert titles(records) == ["One", "É"]
    assert faults == [Fault("refs.bib, line 2", "not UTF-8", "b")]


@pytest.mark.parametrize("line", ["% Encoding: ISO8859_1", "% Encoding: Cp1252", "@Comment{encoding: latin1}"])
def test_latin_1_is_read_when_the_file_says_that_it_is(folder: Path, line: str) -> None:
    assert one(folder, f"{line}\n@misc{{b, title={{Café}}}}".encode("latin-1")).title.plain == "Café"


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", EmptyFileError, "empty"),
        (b" \n\n", EmptyFileError, "empty"),
        (b"TY  - JOUR\nTI  - x\nER  - \n", FormatError, "no BibTeX entry"),
        ("@misc{k, title={One}}".encode("utf-16"), EncodingError, "UTF-16"),
    ],
)
def test_a_file_is_refused_when_it_is_no_bibtex(
    folder: Path, content: bytes, error: type[SourceError], message: str
) -> None:
    with pytest.raises(error, match=message):
        read(folder, content)


def test_what_came_before_is_read_when_a_packed_file_is_cut(folder: Path) -> None:
    text = "".join(f"@misc{{k{n}, title={{Tile {n * 7919 % 1000} and {n}}}}}\n" for n in range(4000))
    path = folder / "refs.bib.gz"
    path.write_bytes(gzip.compress(text.encode())[:-2000])
    reading = SOURCE.fetch(path)
    found = list(SOURCE.parse(next(reading)))
    with pytest.raises(TruncatedFileError):
        next(reading)
    assert [one.title.plain for one in found[:-1] if isinstance(one, Record)][-1].startswith("Tile")
    assert sum(isinstance(one, Record) for one in found) == len(found) - 1 > 1000  # the last entry was cut


BROKEN = [
    "@misc{KEY, title={Unclosed, year={2031}}",
    "@misc{KEY, title={One}, year={2031}",
    '@misc{KEY, title="Unclosed, year=2031}',
    '@misc{KEY, title={One}, note="{"}',
    '@misc{KEY, title="One}", year=2031}',
    "@misc{KEY, title={One}}, year={2031}}",
    "@misc{KEY, title={One}}}, year={2031}}",
    "@misc{KEY, title={One} Two}, year={2031}}",
    "@misc{KEY, title {One}, year={2031}}",
    "@misc{KEY, = {One}, year={2031}}",
    "@misc{KEY, title=, year={2031}}",
    "@misc{KEY, title={}, year={2031}}",
    "@misc{KEY, title={  }, author={Bee, Ann}}",
    "@misc{KEY, title={{}}}",
    "@misc{KEY}",
    "@misc{KEY,}",
    "@misc{KEY, year={2031}}",
    "@misc{KEY, booktitle={Two}, year={2031}}",
    "@misc{KEY, title={One}, 2031}",
    "@misc{KEY, {title}={One}}",
    "@misc{KEY title={One}, year={2031}}",
    "@misc{KEY; title={One}; year={2031}}",
    "@misc{KEY, title:={One}}",
    "@misc{KEY, title={One}, year={2031)",
    "@misc(KEY, title={One}, year={2031}}",
    "misc{KEY, title={One}, year={2031}}",
    "@misc KEY, title={One}, year={2031}}",
    "@{KEY, title={One}, year={2031}}",
    "@mi sc{KEY, title={One}, year={2031}}",
    "@misc{{KEY, title={One}, year={2031}}",
    "@misc[KEY, title={One}, year={2031}]",
    "title={One}, year={2031}",
    "@misc{KEY, title={One}, year={2031}, abstract={a {b {c {d}}}",
    "@misc{KEY, title={O\udcffne}, year={2031}}",
    "@misc{KEY, title={One}, author={B\udcc3\udce9 \udcff}}",
    "@misc{KEY, title={" + "long " * 50_000 + "}}",
    "@misc{KEY, title={One}, abstract={" + "{" * 2_000 + "}}",
    "@misc{KEY, title={One}, abstract={" + "x" * 200_001 + "}}",
    "@string{KEY = {One",
    "@preamble{ {KEY ",
    '@misc{KEY, title={One}, note = "a" "b"}',
    "@misc{KEY, title={One}, author={Bee}, {}}",
    "@misc{KEY, title={One}, author=\\Bee{}, year={2031}}",
]
"""Damage of many kinds, each to cost its own entry."""


def damaged_file() -> tuple[str, list[int]]:
    """Five thousand sound entries with the broken ones among them, and the lines where those begin."""
    lines: list[str] = []
    broken: list[int] = []
    for n in range(5_000):
        if n % 110 == 55 and n // 110 < len(BROKEN):
            broken.append(len(lines) + 1)
            lines.append(BROKEN[n // 110].replace("KEY", f"broken{n}"))
        lines += [
            f"@inproceedings{{bee{n},",
            f"  title = {{Tile {n} of a {{B}}ig {{\\'E}}difice with $x_{n}$}},",
            f"  author = {{Bee, Ann and Dee, Cy the {n}th and {{The Blue Team}}}},",
            "  booktitle = {Proceedings of Tiles},",
            f"  year = {{{1950 + n % 90}}}, pages = {{{n}--{n + 9}}}, doi = {{10.5555/tile.{n}}},",
            "  abstract = {" + "A {nested} text about tiles, floors and $O(n)$ other things. " * 12 + "},",
            "}",
            "",
        ]
    return "\n".join(lines), broken


def test_all_but_the_broken_entries_are_read_and_those_named_by_line(folder: Path) -> None:
    assert len(BROKEN) >= 40
    text, broken = damaged_file()
    records, faults = read(folder, text.encode("utf-8", "surrogateescape"))
    assert [record.venue.pages.partition("-")[0] for record in records if record.venue] == [
        str(n) for n in range(5_000)
    ]
    assert records[7].title.plain == "Tile 7 of a Big Édifice with x₇"
    assert [int(fault.place.rpartition(" ")[2]) for fault in faults] == broken
    assert len({record.key for record in records}) == 5_000


@pytest.mark.parametrize("damage", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_entry_costs_itself_alone(folder: Path, damage: str) -> None:
    good = "@misc{a, title={First}}\n\n%s\n\n@misc{z, title={Last}}\n"
    records, faults = read(folder, (good % damage).encode("utf-8", "surrogateescape"))
    assert titles(records) == ["First", "Last"]
    assert [fault.place for fault in faults] == ["refs.bib, line 3"]
    assert all(fault.reason for fault in faults)


# Laws.


@given(papers())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_paper_says_the_same_when_it_was_exported_and_read(groups: list[list[Record]]) -> None:
    back = there_and_back("bibtex", SOURCE, groups)
    assert [said_of(records) for records in back] == [said_of(records) for records in groups]


PIECES = st.sampled_from(
    ["@misc{", "@string{", "@comment{", "@", "{", "}", '"', ",", "=", "#", "\n", "\n@article{k,", " title", " = ", "{One}",
     "\\", "%", "(", ")", "crossref={k}", "é", "\x00", "2031", "author={A and B}", "\\'", "$", "\r\n", "@proceedings{k,"]
)  # fmt: skip


def parsed(content: bytes) -> list[Record | Fault]:
    return list(SOURCE.parse(Page(content, "refs.bib")))  # type: ignore[arg-type]


@given(st.binary(max_size=300))
def test_parse_never_raises_whatever_the_bytes(content: bytes) -> None:
    assert all(isinstance(one, Record | Fault) for one in parsed(content))


@given(st.lists(PIECES, max_size=60).map("".join))
@settings(deadline=None)
def test_parse_never_raises_whatever_the_pieces(text: str) -> None:
    found = parsed(text.encode())
    keys = [one.key for one in found if isinstance(one, Record)]
    assert len(keys) == len(set(keys))
    assert parsed(text.encode()) == found


@given(st.data())
@settings(deadline=None)
def test_one_mutation_costs_at_most_the_entries_that_it_touches(data: st.DataObject) -> None:
    sound = "".join(f"@misc{{k{n}, title={{Tile {n}}},\n author={{Bee, Ann}}, year={{2031}}}}\n\n" for n in range(6))
    at = data.draw(st.integers(0, len(sound) - 1))
    piece = data.draw(st.sampled_from(["", "{", "}", '"', ",", "=", "@", "\x00", "é"]))
    found = parsed((sound[:at] + piece + sound[at + 1 :]).encode())
    assert sum(isinstance(one, Record) for one in found) >= 4


def hostile(size: int) -> Iterator[str]:
    for piece in (
        "@a{",
        "@string{a={",
        "@misc{k, a={",
        "{",
        '@misc{k, t="',
        "@misc{",
        "a-",
        "@ ",
        "@a{ ",
        "\n@a{b,c={",
        "%@a{",
    ):
        yield piece * (size // len(piece))
    yield "@a{" + " " * size
    yield "@a{b," + "x" * size
    yield "@a{b, c = d " + "e " * (size // 2)
    yield "@a{b, c = {" + "{}" * (size // 2)
    yield "x" * size + "@a{b, title={One}}" * 1000
    yield "@a{b, title={One}}" * (size // 18)


@pytest.mark.parametrize("text", [pytest.param(text, id=str(n)) for n, text in enumerate(hostile(400_000))])
def test_reading_ends_when_a_text_is_made_to_be_slow(text: str) -> None:
    # Quadratic time would take hours here, and the run would be stopped; linear takes part of a second.
    macros = macros_of(text)
    assert sum(1 for _ in raw_entries(text, macros)) >= 0


# Real files.


@pytest.mark.real
def test_every_paper_of_the_real_files_is_read(shared: Path) -> None:
    found = read_file(shared / "data" / "bibtex" / "pmlr-bib.tar.gz")
    records = [one for one in found if isinstance(one, Record)]
    assert len(records) == len({record.key for record in records}) == 1_746
    assert {one.reason for one in found if isinstance(one, Fault)} == {"a volume of proceedings, no paper"}
    assert sum(isinstance(one, Fault) for one in found) == 7
    assert all(record.venue and record.venue.short and record.venue.year and record.published_on for record in records)
    assert all(record.authors for record in records)


@pytest.mark.real
def test_the_real_dblp_entry_is_read(shared: Path) -> None:
    (record,) = read_file(shared / "data" / "samples" / "dblp" / "dblp_1.bib")
    assert isinstance(record, Record)
    assert [name.scheme for name in record.identifiers] == ["doi", "dblp"]
