"""The ACL Anthology, beyond its pairs: `octavo.sources.acl` and `octavo.sources.acl_volumes`."""

from __future__ import annotations

import io
import resource
import tarfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import FormatError, TruncatedFileError
from octavo.records.names import Author
from octavo.records.paper import Record, Venue
from octavo.sources.acl import ACLSource
from octavo.sources.base import Fault, Page

VENUES = "tile:\n  acronym: TiLe\n  oldstyle_letter: P\nslabs:\n  acronym: SLABS\nws:\n  acronym: WS\n  oldstyle_letter: W\nodd: 3\n"
META = "<meta><booktitle>Proceedings of the First Meeting on Tiles</booktitle><publisher>Tile Press</publisher><month>July</month><year>2031</year></meta>"  # fmt: skip


def collection(name: str, *volumes: str) -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<collection id="{name}">\n' + "\n".join(volumes) + "\n</collection>"
    )


def volume(name: str, *papers: str, meta: str = META) -> str:
    return f'<volume id="{name}">\n{meta}\n' + "\n".join(papers) + "\n</volume>"


def paper(inside: str = "", number: str = "1", title: str = "<title>Tiles</title>") -> str:
    return f'<paper id="{number}">{title}{inside}</paper>'


def found(content: str | bytes) -> list[Record | Fault]:
    data = content.encode() if isinstance(content, str) else content
    return list(ACLSource().parse(Page(data, "2031.tile.xml", line=1)))


def record(inside: str = "", *, name: str = "2031.tile", of: str = "main", **changes: str) -> Record:
    (one,) = found(collection(name, volume(of, paper(inside, **changes))))
    assert isinstance(one, Record), one
    return one


def read(target: Path) -> list[Record | Fault]:
    return [one for page in ACLSource().fetch(target) for one in ACLSource().parse(page)]


def test_title_is_mixed_content() -> None:
    """C10."""
    inside = "<title><fixed-case>BERT</fixed-case> for <tex-math>\\alpha</tex-math>-trees, said “yes”</title>"
    title = record(title=inside).title
    assert title.plain == "BERT for α-trees, said “yes”"
    assert title.marked == "BERT for $\\alpha$-trees, said “yes”"
    assert title.bibtex() == "{BERT} for $\\alpha$-trees, said ``yes''"


def test_fixed_case_inside_a_word_leaves_it_whole() -> None:
    """C10."""
    inside = "<title><fixed-case>T</fixed-case>i<fixed-case>L</fixed-case>e: a &lt;b&gt; tag &amp; more</title>"
    assert record(title=inside).title.plain == "TiLe: a <b> tag & more"


@pytest.mark.parametrize(
    ("name", "of", "number", "key"),
    [
        ("3031.tile", "main", "7", None),
        ("2031.tile", "main", "7", "2031.tile-main.7"),
        ("P18", "1", "7", "P18-1007"),
        ("W18", "2", "7", "W18-0207"),
        ("W18", "63", "12", "W18-6312"),
        ("C69", "1", "3", "C69-0103"),
        ("D19", "4", "7", "D19-4007"),
        ("D19", "50", "7", "D19-5007"),
        ("D19", "5", "7", "D19-0507"),
        ("tile", "1", "7", None),
        ("P18", "1", "x", None),
    ],
)
def test_id_is_made_of_collection_volume_and_paper(name: str, of: str, number: str, key: str | None) -> None:
    (one,) = found(collection(name, volume(of, paper(number=number))))
    if key is None:
        assert isinstance(one, Fault)
        assert one.reason == "no id"
    else:
        assert isinstance(one, Record)
        assert (one.key, str(one.identifiers[0])) == (key, f"acl:{key}")


@pytest.mark.parametrize(
    ("name", "of", "url", "key", "pdf"),
    [
        ("2031.tile", "main", "2031.tile-main.9", "2031.tile-main.9", "https://aclanthology.org/2031.tile-main.9.pdf"),
        ("P18", "1", "P18-1009", "P18-1009", "https://aclanthology.org/P18-1009.pdf"),
        # What is stated may be of another volume, and an address elsewhere is no id.
        (
            "2031.tile",
            "panel1",
            "2031.tile-panels.1",
            "2031.tile-panel1.1",
            "https://aclanthology.org/2031.tile-panels.1.pdf",
        ),
        ("L18", "1", "http://tiles.example.org/paper.pdf", "L18-1001", "http://tiles.example.org/paper.pdf"),
        ("L18", "1", "http://tiles.example.org/paper", "L18-1001", None),
        ("L18", "1", "", "L18-1001", None),
        ("odd", "1", "P18-1009", "P18-1009", "https://aclanthology.org/P18-1009.pdf"),
    ],
)
def test_id_is_as_the_paper_states_it(name: str, of: str, url: str, key: str, pdf: str | None) -> None:
    one = record(f"<url hash='0'>{url}</url>", name=name, of=of)
    assert one.key == key
    assert dict(one.links).get("pdf") == pdf
    assert dict(one.links)["page"] == f"https://aclanthology.org/{key}/"


@pytest.mark.parametrize(
    ("name", "year", "expected"),
    [
        ("P18", "", 2018),
        ("J79", "", 1979),
        ("W00", "", 2000),
        ("2031.tile", "", 2031),
        ("P18", "<year>2019</year>", 2019),
        ("P18", "<year>soon</year>", 2018),
    ],
)
def test_year_falls_back_to_the_collection(name: str, year: str, expected: int) -> None:
    (one,) = found(collection(name, volume("1", paper(), meta=f"<meta>{year}</meta>")))
    assert isinstance(one, Record)
    assert one.venue is not None
    assert one.venue.year == expected
    assert one.published_on == str(expected)


@pytest.mark.parametrize(
    ("month", "expected"),
    [
        ("July", "2031-07"),
        ("July 5-10", "2031-07"),
        ("31 October - November 4", "2031-10"),
        ("Sept.", "2031-09"),
        ("6", "2031-06"),
        ("13", "2031"),
        ("spring", "2031"),
        ("", "2031"),
    ],
)
def test_month_is_free_text(month: str, expected: str) -> None:
    """D10."""
    meta = f"<meta><month>{month}</month><year>2031</year></meta>"
    (one,) = found(collection("2031.tile", volume("1", paper(), meta=meta)))
    assert isinstance(one, Record)
    assert one.published_on == expected


@pytest.mark.parametrize(
    ("name", "of", "short", "track"),
    [
        ("P18", "1", "ACL", ""),
        ("W18", "2", "", "workshop"),
        ("D19", "50", "", "workshop"),
        ("D19", "1", "EMNLP", ""),
        ("2022.acl", "long", "ACL", "long"),
        ("2022.conll", "1", "CoNLL", ""),
        ("2020.emnlp", "main", "EMNLP", ""),
        ("2021.findings", "emnlp", "EMNLP", "findings"),
        ("F12", "1", "", ""),
    ],
)
def test_short_name_of_the_venue_without_the_file_of_venues(name: str, of: str, short: str, track: str) -> None:
    venue = record(name=name, of=of, number="1").venue
    assert venue is not None
    assert (venue.short, venue.track) == (short, track)


def test_venue_is_that_of_the_volume() -> None:
    one = record("<pages>34–45</pages>", name="2031.tile")
    assert one.venue == Venue(
        name="Proceedings of the First Meeting on Tiles", short="TILE", year=2031, pages="34-45", publisher="Tile Press"
    )


def test_volume_takes_nothing_from_the_one_before_it() -> None:
    one, two = found(collection("2031.tile", volume("1", paper()), volume("2", paper(), meta="")))
    assert isinstance(one, Record)
    assert isinstance(two, Record)
    assert one.key == "2031.tile-1.1"
    assert two.key == "2031.tile-2.1"
    assert two.venue is not None
    assert two.venue.name == ""


def test_papers_of_a_broken_volume_are_not_the_last_ones() -> None:
    first, broken = volume("1", paper()), volume("2", paper()).replace('"2"', '"2" id="3"')
    kinds = found(collection("2031.tile", first, broken))
    assert isinstance(kinds[0], Record)
    assert [one.reason for one in kinds if isinstance(one, Fault)] == ["not well-formed XML", "no id"]


def test_authors_are_authors() -> None:
    inside = (
        "<author><first>Ann</first><last>Bee</last><affiliation>Tile Lab</affiliation><affiliation>a@b.example</affiliation>"
        "<email>ann@b.example</email></author>"
        "<author id='cy-dee-tiles' orcid='0000-0009-9990-008X'><first>Cy</first><last>Dee</last>"
        "<variant script='hani'><first>西</first><last>迪</last></variant></author>"
        "<author><first/><last>Mono</last></author><author><last>Ee Eff Group</last></author><author/>"
        "<editor><first>Ed</first><last>Itor</last></editor>"
    )
    assert record(inside).authors == (
        Author("Ann Bee", "Ann", "Bee", affiliations=("Tile Lab",)),
        Author("Cy Dee", "Cy", "Dee", orcid="0000-0009-9990-008X", ids=("acl:cy-dee-tiles",)),
        Author("Mono", "", "Mono"),
        Author("Ee Eff Group", "", "Ee Eff Group"),
    )


@pytest.mark.parametrize(
    ("abstract", "plain"),
    [
        ("<abstract/>", None),
        ("<abstract>  </abstract>", None),
        ("<abstract>N/A</abstract>", None),  # C14
        ("<abstract>February 13-25, 1991</abstract>", None),
        ("<abstract><fixed-case>B</fixed-case>inary file summaries/9.html matches</abstract>", "Binary file summaries/9.html matches"),
        ("<abstract>Binary file summaries/9.html matches</abstract>", None),
        ("<abstract>本文探讨瓷砖铺设</abstract>", "本文探讨瓷砖铺设"),
        ("<abstract>Tile\x92s \u0093layout\u0094 is soft\xadened</abstract>", "Tile’s “layout” is softened"),
        ("<abstract>A floor of <tex-math>n^2</tex-math> tiles, <i>very</i> fast</abstract>", "A floor of n² tiles, very fast"),
    ],
)  # fmt: skip
def test_abstract_is_repaired_or_none(abstract: str, plain: str | None) -> None:
    """C11, C14."""
    made = record(abstract).abstract
    assert (made.plain if made else None) == plain


def test_erratum_is_no_retraction() -> None:
    """D06."""
    one = record("<erratum id='1' hash='0' date='2031-07-07'>2031.tile-main.1e1</erratum><revision id='2' href='x' date='2031-08-01'>More.</revision>")  # fmt: skip
    assert one.status == "accepted"
    assert one.comment == "Erratum: https://aclanthology.org/2031.tile-main.1e1.pdf"
    assert one.updated_on == "2031-08-01"
    assert one.versions == ()


def test_retracted_paper_says_so() -> None:
    """D06."""
    one = record("<note>Two floors</note><retracted date='2031-08-09'>The tiles broke.</retracted>")
    assert (one.status, one.comment) == ("retracted", "Two floors; Retracted on 2031-08-09: The tiles broke.")


def test_removed_paper_is_a_fault_and_matter_around_the_papers_is_none() -> None:
    content = collection(
        "2031.tile",
        volume(
            "main",
            "<frontmatter><url>2031.tile-main.0</url></frontmatter>",
            paper("<removed date='2031-01-01'>Copied.</removed>", number="3"),
            '<paper id="4" type="backmatter"><title>Author Index</title></paper>',
        ),
        '<event id="tile-2031"><meta><title>Tiles 2031</title></meta><colocated/></event>',
    )
    (fault,) = found(content)
    assert fault == Fault("2031.tile.xml, line 6", "removed from the Anthology", "2031.tile-main.3")


def test_links_are_of_the_site_or_as_they_are() -> None:
    inside = (
        "<url>2031.tile-main.1</url><pwccode url='' additional='true'/><pwccode url='https://code.example.org/tiles'/>"
        "<video href='2031.tile-main.1.mp4' permission='false'/><video href='2031.tile-main.1.mp4'/>"
        "<attachment type='presentation'>2031.tile-main.1.slides.pdf</attachment>"
        "<attachment type='Software'>2031.tile-main.1.zip</attachment><attachment>2031.tile-main.1.txt</attachment>"
        "<attachment type='poster'>../../x</attachment>"
    )
    assert record(inside).links == (
        ("page", "https://aclanthology.org/2031.tile-main.1/"),
        ("pdf", "https://aclanthology.org/2031.tile-main.1.pdf"),
        ("code", "https://code.example.org/tiles"),
        ("video", "https://aclanthology.org/2031.tile-main.1.mp4"),
        ("supplement", "https://aclanthology.org/attachments/2031.tile-main.1.txt"),
    )


def test_other_fields_are_read() -> None:
    one = record("<doi>10.5555/TILE.1</doi><language>fra</language><award>Best Paper</award><award>Best Tile</award><journal>Tile Letters</journal><issue>2</issue>")  # fmt: skip
    assert [str(name) for name in one.identifiers] == ["acl:2031.tile-main.1", "doi:10.5555/tile.1"]
    assert (one.language, one.award) == ("fra", "best paper; Best Tile")
    assert one.venue is not None
    assert (one.venue.name, one.venue.short, one.venue.number) == ("Tile Letters", "", "2")


def test_broken_paper_costs_itself() -> None:
    bad = '<paper id="2"><title>Tiles <b>here</title></paper>'
    content = collection("2031.tile", volume("main", paper(), bad, paper(number="3"), paper(title="", number="4")))
    kinds = found(content)
    assert [one.key for one in kinds if isinstance(one, Record)] == ["2031.tile-main.1", "2031.tile-main.3"]
    assert [one for one in kinds if isinstance(one, Fault)] == [
        Fault("2031.tile.xml, line 6", "not well-formed XML", "2031.tile-main.2"),
        Fault("2031.tile.xml, line 8", "no title", "2031.tile-main.4"),
    ]


def test_many_authors_are_all_read() -> None:
    """C16."""
    assert len(record("<author><first>Ann</first><last>Bee</last></author>" * 3000).authors) == 3000


# Files


def archive(path: Path, members: dict[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content.encode())
            tar.addfile(info, io.BytesIO(content.encode()))
    return path


MEMBERS = {
    "a/LICENSE": "free",
    "a/data/xml/schema.rnc": "start = x",
    "a/data/xml/2031.tile.xml": collection("2031.tile", volume("main", paper())),
    "a/data/xml/P18.xml": collection("P18", volume("1", paper())),
    "a/data/xml/2031.old.xml": collection("2031.old", volume("1", paper(), meta="<meta><venue>slabs</venue></meta>")),
    "a/data/yaml/venues.yaml": VENUES,
}


def shorts(target: Path) -> dict[str, str]:
    return {one.key: one.venue.short for one in read(target) if isinstance(one, Record) and one.venue}


def test_venues_are_named_by_the_file_behind_them(tmp_path: Path) -> None:
    named = {"2031.tile-main.1": "TiLe", "P18-1001": "TiLe", "2031.old-1.1": "SLABS"}
    assert shorts(archive(tmp_path / "a.tar.gz", MEMBERS)) == named
    for name, content in MEMBERS.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    assert shorts(tmp_path / "a") == named
    assert shorts(tmp_path / "a/data/xml/P18.xml") == {"P18-1001": "TiLe"}


@pytest.mark.parametrize("venues", ["", "][", "- 1", "tile: [", "tile:\n  acronym: [1]\n", "? [a]\n: b\n"])
def test_broken_file_of_venues_costs_short_names_only(tmp_path: Path, venues: str) -> None:
    target = archive(tmp_path / "a.tar.gz", {**MEMBERS, "a/data/yaml/venues.yaml": venues})
    assert shorts(target) == {"2031.tile-main.1": "TILE", "P18-1001": "ACL", "2031.old-1.1": "OLD"}


def test_large_collection_is_read_in_parts(tmp_path: Path) -> None:
    long = "<abstract>" + "Laying tiles takes long. " * 100 + "</abstract>"
    papers = [paper(long, number=str(number)) for number in range(1, 900)]
    path = tmp_path / "2031.tile.xml"
    path.write_text(collection("2031.tile", volume("main", *papers), volume("demo", paper())), encoding="utf-8")
    assert len(list(ACLSource().fetch(path))) > 1
    records = [one for one in read(path) if isinstance(one, Record)]
    assert [one.key for one in records[:-1]] == [f"2031.tile-main.{number}" for number in range(1, 900)]
    assert records[-1].key == "2031.tile-demo.1"
    assert {one.venue.year for one in records if one.venue} == {2031}


def test_cut_file_gives_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "2031.tile.xml"
    path.write_text(collection("2031.tile", volume("main", paper(), paper(number="2")))[:-60], encoding="utf-8")
    pages: list[Page] = []
    with pytest.raises(TruncatedFileError):
        pages.extend(ACLSource().fetch(path))  # what came before the fault is kept
    records = [one for page in pages for one in ACLSource().parse(page)]
    assert [one.key for one in records if isinstance(one, Record)] == ["2031.tile-main.1"]


def test_other_xml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_text("<dblp><article/></dblp>", encoding="utf-8")
    with pytest.raises(FormatError, match="is not a file of the ACL Anthology: its root is <dblp>"):
        read(path)


WHOLE = collection(
    "2031.tile",
    volume("main", paper("<author><first>Ann</first><last>Bee</last></author><abstract>We lay <i>tiles</i> &amp; more.</abstract><url>2031.tile-main.1</url>")),
    volume("demo", paper("<retracted/><pages>1-2</pages><video href='a.mp4'/>", number="2")),
).encode()  # fmt: skip


@given(st.data())
def test_mutated_file_gives_records_and_faults_only(data: st.DataObject) -> None:
    content = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 12))] = data.draw(
            st.sampled_from(
                [b"<", b">", b'"', b"&", b"</paper>", b"<paper>", b"\xff", b"", b"<!--", b"<meta>", b"x" * 9]
            )
        )
    for one in found(bytes(content)):
        assert isinstance(one, Record | Fault)
        assert one.key if isinstance(one, Record) else one.reason


@given(st.binary(max_size=200))
def test_any_bytes_are_parsed_without_a_fault_of_ours(data: bytes) -> None:
    for content in (data, b"<collection id='P18'><volume id='1'><paper id='1'>" + data + b"</paper>"):
        assert all(isinstance(one, Record | Fault) for one in found(content))


@pytest.mark.real
def test_every_paper_of_the_anthology_is_read(shared: Path) -> None:
    path = shared / "data/acl/acl-anthology-2022-05.tar.gz"
    records, faults = {}, []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for page in ACLSource().fetch(path):
        for one in ACLSource().parse(page):
            if isinstance(one, Fault):
                faults.append(one)
            else:
                records[one.key] = (one.status, one.abstract is not None, one.venue.year if one.venue else None)
    # 73,970 papers, of which 13 are back matter and one was removed.
    assert [(fault.reason, fault.entry) for fault in faults] == [("removed from the Anthology", "2020.amta-research.1")]
    assert len(records) == 73_970 - 13 - 1
    assert Counter(status for status, _, _ in records.values()) == {"accepted": 73_949, "retracted": 7}
    assert sum(has for _, has, _ in records.values()) > 32_150
    assert all(year for _, _, year in records.values())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < max(600_000, before + 50_000)
