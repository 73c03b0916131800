"""DBLP, beyond its pairs: `octavo.sources.dblp`."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import FormatError, TruncatedFileError
from octavo.records.names import Author
from octavo.records.paper import Record, Venue
from octavo.sources.base import MAX_TEXT, Fault, Page
from octavo.sources.dblp import DBLPSource

HEAD = b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n'


def found(content: str | bytes) -> list[Record | Fault]:
    data = content.encode() if isinstance(content, str) else content
    return list(DBLPSource().parse(Page(data, "dblp.xml", line=1)))


def record(
    inside: str = "", *, kind: str = "inproceedings", key: str = "conf/tile/Bee31", attributes: str = ""
) -> Record:
    title = "" if "<title" in inside else "<title>Tiles.</title>"
    (one,) = found(f'<{kind} key="{key}" {attributes}>{title}{inside}</{kind}>')
    assert isinstance(one, Record), one
    return one


def read(target: Path) -> list[Record | Fault]:
    return [one for page in DBLPSource().fetch(target) for one in DBLPSource().parse(page)]


def hit(**info: Any) -> dict[str, Any]:
    return {
        "@id": "1",
        "info": {"key": "conf/tile/Bee31", "title": "Tiles.", "type": "Conference and Workshop Papers", **info},
    }


def answer(*hits: Any) -> bytes:
    return json.dumps(
        {"result": {"status": {"@code": "200"}, "hits": {"@total": str(len(hits)), "hit": list(hits)}}}
    ).encode()


def of_hit(**info: Any) -> Any:
    (one,) = found(answer(hit(**info)))
    return one


def test_persons_of_one_name_are_told_apart_by_ids() -> None:
    """D09."""
    people = record(
        "<author>Wei Example 0001</author><author>Wei Example 0002</author><author>Ann Bee</author>"
    ).authors
    assert people == (
        Author("Wei Example", "Wei", "Example", ids=("dblp:Wei Example 0001",)),
        Author("Wei Example", "Wei", "Example", ids=("dblp:Wei Example 0002",)),
        Author("Ann Bee", "Ann", "Bee"),
    )


def test_orcid_is_kept_where_its_digits_are_right() -> None:
    people = record(
        '<author orcid="0000-0009-9990-008X">Ann Bee</author><author orcid="1">Cy Dee 0003</author>'
    ).authors
    assert people == (
        Author("Ann Bee", "Ann", "Bee", orcid="0000-0009-9990-008X"),
        Author("Cy Dee", "Cy", "Dee", ids=("dblp:Cy Dee 0003",)),
    )


def test_entities_of_the_known_document_type_are_read(tmp_path: Path) -> None:
    """F07: neither the document type is opened nor the file refused for it."""
    path = tmp_path / "dblp.xml"
    inside = b'<article key="journals/tile/1"><author>J&uuml;rg Marr&ograve;</author><title>Zo\xeb &times; 2.</title></article></dblp>'
    path.write_bytes(HEAD + inside)
    (one,) = read(path)
    assert isinstance(one, Record)
    assert (one.authors[0].name, one.title.plain) == ("Jürg Marrò", "Zoë × 2")


def test_bomb_is_refused(tmp_path: Path) -> None:
    """F07."""
    path = tmp_path / "dblp.xml"
    path.write_bytes(b'<!DOCTYPE dblp [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;">]><dblp><article key="a/b"><title>&b;</title></article></dblp>')  # fmt: skip
    with pytest.raises(FormatError, match="declares entities of its own"):
        read(path)


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Fast Tiles.", "Fast Tiles"),
        ("Fast Tiles?", "Fast Tiles?"),
        ("On and on...", "On and on..."),
        ("H<sub>2</sub>O &amp; <i>Tiles</i>.", "H2O & Tiles"),
        ("a &lt; b.", "a < b"),
        ("R&amp;D.\n", "R&D"),
    ],
)
def test_dot_at_the_end_of_a_title_is_dblps(written: str, plain: str) -> None:
    assert record(f"<title>{written}</title>").title.plain == plain


@pytest.mark.parametrize(
    ("key", "ee", "identifiers"),
    [
        ("conf/tile/Bee31", "https://doi.org/10.5555/ABC", "dblp:conf/tile/Bee31 doi:10.5555/abc"),
        ("journals/corr/abs-2101-00010", "", "dblp:journals/corr/abs-2101-00010 arxiv:2101.00010"),
        ("journals/corr/abs-cs-0301010", "", "dblp:journals/corr/abs-cs-0301010 arxiv:cs/0301010"),
        ("journals/corr/Bee15", "http://arxiv.org/abs/1501.00010", "dblp:journals/corr/Bee15 arxiv:1501.00010"),
        (
            "journals/corr/abs-2101-00010",
            "https://doi.org/10.48550/arXiv.2101.00010",
            "dblp:journals/corr/abs-2101-00010 arxiv:2101.00010",
        ),
        ("conf/tile/Bee31", "https://openreview.net/forum?id=AbC12xYz90", "dblp:conf/tile/Bee31 openreview:AbC12xYz90"),
        ("conf/acl/Bee31", "https://aclanthology.org/P18-1001/", "dblp:conf/acl/Bee31 acl:P18-1001"),
        ("conf/icml/Bee31", "http://proceedings.mlr.press/v901/bee31a.html", "dblp:conf/icml/Bee31 pmlr:v901/bee31a"),
        ("conf/tile/Bee31", "https://tiles.example.org/9", "dblp:conf/tile/Bee31"),
        ("conf/tile/Bee31", "javascript:alert(1)", "dblp:conf/tile/Bee31"),
    ],
)
def test_identifiers_are_of_the_key_and_of_addresses(key: str, ee: str, identifiers: str) -> None:
    assert " ".join(map(str, record(f"<ee>{ee}</ee>", key=key).identifiers)) == identifiers


def test_preprint_of_old_takes_its_id_from_the_volume() -> None:
    one = record("<volume>abs/1501.00010</volume><journal>CoRR</journal>", kind="article", key="journals/corr/Bee15")
    assert [str(name) for name in one.identifiers] == ["dblp:journals/corr/Bee15", "arxiv:1501.00010"]


@pytest.mark.parametrize(("year", "date"), [("2021", "2021-01"), ("2022", "2022"), ("", None)])
def test_preprint_has_a_month_and_no_venue(year: str, date: str | None) -> None:
    inside = f"<journal>CoRR</journal><volume>abs/2101.00010</volume><year>{year}</year>"
    one = record(inside, kind="article", key="journals/corr/abs-2101-00010", attributes='publtype="informal"')
    assert (one.venue, one.status, one.submitted_on) == (None, "submitted", date)


def test_withdrawn_preprint_says_so() -> None:
    one = record(kind="article", key="journals/corr/abs-2101-00010", attributes='publtype="informal withdrawn"')
    assert one.status == "withdrawn"


@pytest.mark.parametrize(
    ("booktitle", "short", "track"),
    [
        ("TILE", "TILE", ""),
        ("TILE (2)", "TILE", ""),
        ("NIPS", "NeurIPS", ""),
        ("ICLR (Poster)", "ICLR", "poster"),
        ("ACL/IJCNLP (Findings)", "ACL", "findings"),
        ("Slabs@ICML", "Slabs@ICML", ""),
        ("The Very Long Name of a Conference on Tiles and Slabs", "", ""),
        ("", "", ""),
    ],
)
def test_name_of_a_conference_is_a_short_one(booktitle: str, short: str, track: str) -> None:
    venue = record(f"<booktitle>{booktitle}</booktitle>").venue
    assert venue == Venue(name=booktitle, short=short, track=track)


@pytest.mark.parametrize(
    ("kind", "inside", "venue", "status"),
    [
        ("article", "<journal>J. Mach. Learn. Res.</journal><volume>9</volume><number>2</number>",
         Venue("J. Mach. Learn. Res.", "JMLR", 2031, "9", "2", "1-12"), "accepted"),
        ("incollection", "<booktitle>Tiles, a Reference</booktitle><publisher>Tile Press</publisher>",
         Venue("Tiles, a Reference", "", 2031, pages="1-12", publisher="Tile Press"), ""),
        ("phdthesis", "<school>Tile School</school>", Venue("Tile School", "", 2031, pages="1-12", track="PhD thesis"), ""),
        ("book", "<author>Ann Bee</author><series>Tiles</series>", Venue("Tiles", "", 2031, pages="1-12"), ""),
    ],
)  # fmt: skip
def test_kinds_of_records_have_their_venues(kind: str, inside: str, venue: Venue, status: str) -> None:
    one = record(f"<year>2031</year><pages>1-12</pages>{inside}", kind=kind, key="journals/jmlr/Bee31")
    assert (one.venue, one.status) == (venue, status)


def test_what_is_no_paper_is_passed_over() -> None:
    others = (
        '<proceedings key="conf/tile/2031"><editor>Ed Itor</editor><title>TILE.</title></proceedings>'
        '<www key="homepages/1"><author>Ann Bee</author><title>Home Page</title></www>'
        '<person key="p"><author>Ann Bee</author></person><data key="data/1"><title>Set.</title></data>'
        '<book key="books/1"><editor>Ed Itor</editor><title>All Tiles.</title></book>'
        '<article key="dblpnote/error"><title>(error)</title></article>'
    )
    assert found(others) == []


def test_editors_are_no_authors_and_the_date_is_that_of_the_record() -> None:
    one = record("<editor>Ed Itor</editor><ee>https://tiles.example.org/9.pdf</ee>", attributes='mdate="2031-05-02"')
    assert one.authors == ()
    assert one.seen_on == "2031-05-02"
    assert one.links == (("pdf", "https://tiles.example.org/9.pdf"), ("page", "https://dblp.org/rec/conf/tile/Bee31"))


def test_bad_record_costs_itself() -> None:
    content = (
        '<article key="journals/t/1"><title>One.</title></article>\n'
        '<article key="journals/t/2"><title>Two</article>\n'
        '<article key="journals/t/3"><title>&zap;</title></article>\n'
        '<article key="journals/t/4"><title> </title></article>\n'
        "<article><title>Five.</title></article>\n"
        '<article key="journals/t/6"><title>Six.</title>\n'
        '<article key="journals/t/7"><title>Seven.</title></article>\n'
        f'<article key="journals/t/8"><title>{"x" * (MAX_TEXT + 1)}</title></article>'
    )
    kinds = found(content)
    assert [one.key for one in kinds if isinstance(one, Record)] == ["journals/t/1", "journals/t/7"]
    assert [one for one in kinds if isinstance(one, Fault)] == [
        Fault("dblp.xml, line 2", "not well-formed XML", "journals/t/2"),
        Fault("dblp.xml, line 3", "an entity that is not defined", "journals/t/3"),
        Fault("dblp.xml, line 4", "no title", "journals/t/4"),
        Fault("dblp.xml, line 5", "no key", ""),
        Fault("dblp.xml, line 6", "not well-formed XML", "journals/t/6"),
        Fault("dblp.xml, line 8", "title is longer than 200,000 characters", "journals/t/8"),
    ]


# The search API


@pytest.mark.parametrize(
    ("authors", "people"),
    [
        ({"author": {"@pid": "12/34", "text": "Ann Bee"}}, [("Ann Bee", ("dblp:pid/12/34",))]),
        (
            {"author": [{"@pid": "12/34-1", "text": "Wei Example 0001"}, {"text": "J&uuml;rg Marr&ograve;"}]},
            [("Wei Example", ("dblp:Wei Example 0001", "dblp:pid/12/34-1")), ("Jürg Marrò", ())],
        ),
        ({"author": ["Ann Bee"]}, [("Ann Bee", ())]),
        ({"author": "Ann Bee"}, [("Ann Bee", ())]),
        ({}, []),
        (None, []),
    ],
)
def test_authors_of_a_hit_are_one_or_a_list(authors: Any, people: list[tuple[str, tuple[str, ...]]]) -> None:
    """D09."""
    assert [(person.name, person.ids) for person in of_hit(authors=authors).authors] == people


def test_hit_is_read_as_its_record_in_xml_is() -> None:
    """C08."""
    one = of_hit(
        title="R&amp;D of Tiles &lt; Slabs &apos;31&apos;.", venue="ACL (1)", year="2031", pages="1-12", volume=3,
        doi="10.5555/TILE.1", ee=["https://doi.org/10.5555/tile.1", "https://tiles.example.org/1.pdf"],
    )  # fmt: skip
    assert one.title.plain == "R&D of Tiles < Slabs '31'"
    assert one.venue == Venue("ACL (1)", "ACL", 2031, "3", pages="1-12")
    assert [str(name) for name in one.identifiers] == ["dblp:conf/tile/Bee31", "doi:10.5555/tile.1"]
    assert dict(one.links) == {"page": "https://doi.org/10.5555/tile.1", "pdf": "https://tiles.example.org/1.pdf"}
    assert one.status == "accepted"


def test_preprint_among_the_hits_is_arxivs() -> None:
    one = of_hit(
        key="journals/corr/abs-2101-00010", venue=["CoRR", "x"], year="2021", type="Informal and Other Publications"
    )
    assert [str(name) for name in one.identifiers] == ["dblp:journals/corr/abs-2101-00010", "arxiv:2101.00010"]
    assert (one.venue, one.submitted_on, one.status) == (None, "2021-01", "submitted")


@pytest.mark.parametrize(
    ("info", "reason"),
    [
        ({"title": None}, "no title"),
        ({"title": 7}, "title is not text"),
        ({"key": ""}, "no key"),
        ({"key": "x"}, "no key"),
        ({"authors": {"author": [7]}}, "authors holds what is not a name"),
        ({"authors": 7}, "authors holds what is not a name"),
    ],
)
def test_bad_hit_is_a_fault(info: dict[str, Any], reason: str) -> None:
    fault = of_hit(**info)
    assert isinstance(fault, Fault)
    assert fault.reason == reason
    assert fault.place == "dblp.xml, hit 1"


def test_hits_that_are_no_papers_are_passed_over() -> None:
    assert found(answer(hit(type="Editorship"), hit(type="Data and Artifacts"))) == []
    assert [one.reason for one in found(answer(7, {"info": []})) if isinstance(one, Fault)] == ["not a JSON object"] * 2


@pytest.mark.parametrize(
    "content", [b'{"result": 1}', b'{"result": {"hits": {"hit": 7}}}', b"{", b"{" * 100_000, b'{"a": []}']
)
def test_json_of_another_kind_is_refused(content: bytes) -> None:
    with pytest.raises(FormatError):
        found(content)


def test_answer_without_hits_has_none() -> None:
    assert found(b'{"result": {"hits": {"@total": "0"}}}') == []
    one = found(json.dumps({"result": {"hits": {"hit": hit()}}}).encode())
    assert [type(each) for each in one] == [Record]


# Files


def test_source_tells_its_two_forms_apart(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"\xef\xbb\xbf" + answer(hit()))
    (tmp_path / "b.xml.gz").write_bytes(
        gzip.compress(HEAD + b'<article key="journals/t/1"><title>One.</title></article></dblp>', mtime=0)
    )
    (tmp_path / "c.xml").write_bytes(b'<dblpperson name="Ann Bee"><person key="p"/><r><article key="journals/t/2"><title>Two.</title></article></r></dblpperson>')  # fmt: skip
    (tmp_path / "dblp.dtd").write_text("<!ELEMENT dblp ANY>", encoding="utf-8")
    assert [one.key for one in read(tmp_path) if isinstance(one, Record)] == [
        "conf/tile/Bee31",
        "journals/t/1",
        "journals/t/2",
    ]


def test_cut_dump_gives_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "dblp.xml"
    path.write_bytes(HEAD + b'<article key="journals/t/1"><title>One.</title></article><article key="journals/t/2"><ti')
    pages: list[Page] = []
    with pytest.raises(TruncatedFileError, match=r"dblp\.xml ends too early"):
        pages.extend(DBLPSource().fetch(path))  # what came before the fault is kept
    records = [one for page in pages for one in DBLPSource().parse(page)]
    assert [one.key for one in records if isinstance(one, Record)] == ["journals/t/1"]


@pytest.mark.parametrize(
    "content", [b"<collection id='P18'></collection>", b"<html></html>", b"@article{a, title={T}}"]
)
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="is not DBLP's XML"):
        read(path)


WHOLE = (
    b'<article key="journals/corr/abs-2101-00010" mdate="2031-05-02" publtype="informal"><author>Wei Example 0001</author>'
    b"<title>Tiles &amp; H<sub>2</sub>O.</title><year>2021</year><volume>abs/2101.00010</volume><ee>https://arxiv.org/abs/2101.00010</ee></article>"
    b'<inproceedings key="conf/tile/1"><author>J&uuml;rg Bee</author><title>Slabs.</title><booktitle>TILE (2)</booktitle></inproceedings>'
)
PARTS = [
    b"<",
    b">",
    b'"',
    b"&",
    b"</article>",
    b"<article>",
    b"\xff",
    b"",
    b"<!--",
    b"{",
    b"]",
    b"null",
    b"\\u",
    b"x" * 9,
]


@given(st.data(), st.sampled_from([WHOLE, answer(hit(authors={"author": {"text": "Ann Bee"}}, year="2031"), hit())]))
def test_mutated_file_gives_records_and_faults_only(data: st.DataObject, whole: bytes) -> None:
    content = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 12))] = data.draw(st.sampled_from(PARTS))
        content = content or bytearray(b"x")
    try:
        kinds = found(bytes(content))
    except FormatError:
        assert bytes(content[:64]).lstrip()[:1] == b"{"
        return
    for one in kinds:
        assert one.key if isinstance(one, Record) else one.reason


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=6)  # fmt: skip


@given(
    st.dictionaries(st.sampled_from(["key", "title", "authors", "venue", "year", "ee", "doi", "type", "pages"]), JSON)
)
def test_any_values_in_a_hit_make_a_record_or_a_fault(info: dict[str, Any]) -> None:
    for one in found(answer({"info": info}, hit(**{name: value for name, value in info.items() if name != "type"}))):
        assert isinstance(one, Record | Fault)


@given(st.binary(max_size=200))
def test_any_bytes_are_parsed_without_a_fault_of_ours(data: bytes) -> None:
    for content in (data, b'<article key="a/b"><title>' + data + b"</title></article>"):
        with suppress(FormatError):  # JSON of another kind
            assert all(isinstance(one, Record | Fault) for one in found(content))


@pytest.mark.real
def test_cut_of_the_real_dump_is_read(shared: Path) -> None:
    records = read(shared / "data/samples/dblp/dblp.xml")
    assert len(records) == 131
    assert all(isinstance(one, Record) and not one.title.plain.endswith(".") for one in records)
    names = [person.name for one in records if isinstance(one, Record) for person in one.authors]
    assert "Manish Singh" in names
    assert "Jürgen Beyerer" in names
    for name in ("dblp.dtd", "dblp_1.bib"):
        with pytest.raises(FormatError):
            read(shared / "data/samples/dblp" / name)
