"""What is an answer of arXiv's and what is none: `octavo.sources.arxiv` and `arxiv_answer`. Numbers such as A13 are
those of the list of pitfalls."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import EmptyFileError, FormatError, LimitError, MissingFileError, TruncatedFileError
from octavo.records.paper import Record
from octavo.sources.arxiv import MAX_PAGE, ArxivSource
from octavo.sources.arxiv_answer import Kind, is_arxiv_answer, moment, open_answer, response_date
from octavo.sources.arxiv_api import entries_of, total_of
from octavo.sources.arxiv_feed import announcements, feed_status
from octavo.sources.arxiv_oai import deleted, newest_datestamp, oai_error, resumption
from octavo.sources.base import Deleted, Fault, Page
from tests.sources import test_arxiv_api as api
from tests.sources import test_arxiv_feed as feed
from tests.sources import test_arxiv_oai as oai

GOOD = {
    "oai": oai.listed(oai.record(oai.BODY), oai.GONE, token="<resumptionToken>t</resumptionToken>").content,
    "atom": feed.atom(feed.atom_entry()).content,
    "rss": feed.rss(feed.rss_item()).content,
    "api": api.answer(api.ENTRY.format(version=2)).content,
}
HELPERS: tuple[Callable[[Page], Any], ...] = (
    resumption, oai_error, deleted, newest_datestamp, response_date,
    announcements, feed_status, total_of, entries_of,
)  # fmt: skip


def parsed(content: bytes) -> list[Any]:
    return list(ArxivSource().parse(Page(content, "answer.xml")))


def read(path: Path) -> list[Any]:
    source = ArxivSource()
    return [found for page in source.fetch(path) for found in source.parse(page)]


def refusal(content: bytes) -> str:
    with pytest.raises(FormatError) as caught:
        parsed(content)
    return str(caught.value)


@pytest.mark.parametrize("name", GOOD)
def test_kind_is_told_by_the_root(name: str) -> None:
    kind, _ = open_answer(Page(GOOD[name], "x.xml"))
    assert kind is {"oai": Kind.OAI, "api": Kind.API}.get(name, Kind.FEED)
    assert parsed(GOOD[name])


def test_helper_refuses_a_page_of_another_kind() -> None:
    with pytest.raises(FormatError, match=r"answer\.xml is an answer of the query API, not OAI-PMH"):
        resumption(Page(GOOD["api"], "answer.xml"))
    with pytest.raises(FormatError, match=r"answer\.xml is OAI-PMH, not an announcement feed"):
        announcements(Page(GOOD["oai"], "answer.xml"))


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("share", [0.1, 0.6, 0.99])
def test_page_is_discarded_whole_when_it_was_cut(name: str, share: float) -> None:
    """A13."""
    content = GOOD[name]
    assert "answer.xml was cut off or is no XML" in refusal(content[: int(len(content) * share)])
    assert parsed(content)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"<html><body>Down for maintenance</body></html>", "is a web page and no answer of arXiv's"),
        (b"  <!DOCTYPE html><html><p>Down<br></html>", "is a web page and no answer of arXiv's"),
        (b'<html xmlns="http://www.w3.org/1999/xhtml"/>', "is a web page and no answer of arXiv's"),
        (b"Rate exceeded.", "was cut off or is no XML"),
        (b"", "was cut off or is no XML"),
        (b"<OAI-PMH><ListRecords/></OAI-PMH>", "root element is 'OAI-PMH'"),
        (b"<dblp/>", "root element is 'dblp'"),
        (b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>', "rdf-syntax-ns#}RDF"),
        (b'{"id": "2101.00010"}', "was cut off or is no XML"),
    ],
)
def test_page_is_refused_when_it_is_no_answer(content: bytes, told: str) -> None:
    """A14."""
    assert told in refusal(content)
    with pytest.raises(FormatError):
        response_date(Page(content, "answer.xml"))


BOMB = '<!DOCTYPE z [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "prolog",
    [
        BOMB,
        '<?xml version="1.0"?>\n<!-- tiles -->' + BOMB,
        '<!DOCTYPE OAI-PMH SYSTEM "http://127.0.0.1:9/evil.dtd">',
        '<!DOCTYPE OAI-PMH [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
        "<!DOCTYPE OAI-PMH>",
    ],
)
def test_document_type_is_refused(prolog: str) -> None:
    """F07."""
    text = prolog + GOOD["oai"].decode().replace("We lay", "&b;&x; We lay")
    assert "declares a document type" in refusal(text.encode())
    assert "is UTF-16" in refusal(text.encode("utf-16"))
    assert "is UTF-16" in refusal(text.encode("utf-16-be"))


def test_encoding_hides_no_document_type() -> None:
    """F07: in UTF-7 the bytes hold no `<!DOCTYPE`."""
    declared = b'<?xml version="1.0" encoding="UTF-7"?>'
    assert "was cut off or is no XML" in refusal(declared + BOMB.replace("<", "+ADw-").encode() + GOOD["oai"])
    found, *_ = parsed(declared.replace(b"UTF-7", b"ISO-8859-1") + GOOD["oai"].replace(b"Fast", "Sch\u00f6ne".encode()))
    assert found.title.plain == "Schöne tiles are enough"


def test_document_type_in_an_abstract_is_text() -> None:
    content = GOOD["oai"].replace(b"We lay tiles.", b"We lay <![CDATA[<!DOCTYPE html> &b;]]> tiles.")
    assert parsed(content)[0].abstract.raw == "We lay <!DOCTYPE html> &b; tiles."


def test_nesting_without_end_is_refused() -> None:
    """C15."""
    assert "was cut off or is no XML" in refusal(b"<a>" * 100_000)
    deep = b"<i>" * 5000 + b"x" + b"</i>" * 5000
    assert "was cut off or is no XML" in refusal(GOOD["oai"].replace(b"Fast tiles", deep))


def test_control_character_costs_nothing_but_itself() -> None:
    """C11."""
    title = b"Deep\x00 nets\x0b &#x0B;&#11;&#0;and \xef\xbf\xbe trees &#xD835;&#945;"
    found, *_ = parsed(GOOD["oai"].replace(b"Fast tiles are enough", title))
    assert found.title.plain == "Deep nets and trees \ufffdα"


def test_entities_are_decoded_once_by_xml_and_once_as_arxiv_writes_them() -> None:
    """C08, C07."""
    found, *_ = parsed(GOOD["oai"].replace(b"Fast tiles are enough", b"R&amp;amp;D for 0&lt;x and y&gt;1"))
    assert found.title.plain == "R&D for 0<x and y>1"


def test_elements_inside_a_title_lose_no_word() -> None:
    found, *_ = parsed(GOOD["oai"].replace(b"Fast tiles are", b"<b>Fast</b> <!-- x -->ti<?x y?>les <i>are</i>"))
    assert found.title.plain == "Fast tiles are enough"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2031-08-20T00:00:00-04:00", "2031-08-20T00:00:00-04:00"),
        ("2031-08-20T04:00:19.866337+00:00", "2031-08-20T04:00:19.866337+00:00"),
        ("2031-08-20T04:00:19Z", "2031-08-20T04:00:19+00:00"),
        (" Wed, 20 Aug 2031 00:00:00 -0400\n", "2031-08-20T00:00:00-04:00"),
        ("2031-08-20", "2031-08-20T00:00:00+00:00"),
        ("soon", None),
        ("", None),
        ("Wed, 20 Aug 20312031 00:00:00 -9999", None),
        ("1" * 100_000, None),
    ],
)
def test_moment_keeps_the_zone_it_was_written_in(text: str, day: str | None) -> None:
    found = moment(text)
    assert (found.isoformat() if found else None) == day


# Files


def test_answers_are_read_from_files_folders_and_archives(tmp_path: Path) -> None:
    folder = tmp_path / "harvest"
    folder.mkdir()
    (folder / "1.xml").write_bytes(GOOD["oai"])
    (folder / "2.xml.gz").write_bytes(gzip.compress(GOOD["api"]))
    (folder / "notes.txt").write_text("not read")
    found = read(folder)
    assert [type(one) for one in found] == [Record, Deleted, Deleted, Record]
    with zipfile.ZipFile(tmp_path / "feeds.zip", "w") as archive:
        archive.writestr("cs.LG.atom", GOOD["atom"])
        archive.writestr("../stat.ML.rss", GOOD["rss"])
    assert [one.key for one in read(tmp_path / "feeds.zip")] == ["2101.00010", "2101.00010"]
    (tmp_path / "oai2").write_bytes(b"\xef\xbb\xbf" + GOOD["oai"])
    assert len(read(tmp_path / "oai2")) == 3


def test_refused_answer_costs_the_others_of_its_folder_nothing(tmp_path: Path) -> None:
    (tmp_path / "1.xml").write_bytes(GOOD["oai"][:400])
    (tmp_path / "2.xml").write_bytes(oai.answer('<error code="badResumptionToken"/>').content)
    (tmp_path / "3.xml").write_bytes(GOOD["api"])
    pages = ArxivSource().fetch(tmp_path)
    assert next(pages).place.endswith("3.xml")
    with pytest.raises(FormatError, match=r"1\.xml was cut off"):
        next(pages)


def test_file_that_can_not_be_read_is_told_by_its_kind_of_fault(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError):
        read(tmp_path / "none.xml")
    (tmp_path / "empty.xml").write_bytes(b"")
    with pytest.raises(EmptyFileError):
        read(tmp_path / "empty.xml")
    (tmp_path / "cut.xml.gz").write_bytes(gzip.compress(GOOD["oai"])[:-20])
    with pytest.raises(TruncatedFileError):
        read(tmp_path / "cut.xml.gz")
    (tmp_path / "large.xml").write_bytes(b"<x>" + b" " * MAX_PAGE)
    with pytest.raises(LimitError):
        read(tmp_path / "large.xml")
    # F06
    (tmp_path / "bomb.xml.gz").write_bytes(gzip.compress(b"\0" * 50_000_000))
    with pytest.raises(LimitError):
        read(tmp_path / "bomb.xml.gz")


@pytest.mark.parametrize(
    ("head", "is_answer"),
    [
        *((content.decode()[:400], True) for content in GOOD.values()),
        ('<?xml version="1.0"?>\n<!-- x -->\n' + GOOD["oai"].decode(), True),
        (oai.record(oai.BODY).replace("<record>", f"<record {oai.OAI}>", 1), True),
        (GOOD["oai"].decode().replace("arXiv", "example").replace("arxiv", "example"), False),
        ('<feed xmlns:arxiv="http://arxiv.org/schemas/atom"><id>https://example.org/</id>', False),
        ("<feed><id>https://example.org/</id><entry><id>http://arxiv.org/abs/2101.00010</id>", False),
        ("<dblp><article><ee>https://arxiv.org/abs/2101.00010</ee>", False),
        ("<html><a href='https://arxiv.org/'>", False),
        ("arXiv.org OAI-PMH", False),
        ("", False),
    ],
)
def test_beginning_of_a_file_tells_an_answer(head: str, is_answer: bool) -> None:
    assert is_arxiv_answer(head) is is_answer


# Anything at all


def survive(content: bytes) -> None:
    """Whatever the page is, it is read or refused."""
    page = Page(content, "x.xml")
    found: list[Any] = []
    told = ""
    try:
        found = list(ArxivSource().parse(page))
    except FormatError as error:
        told = str(error)
    assert told.isprintable()
    assert all(isinstance(one, Record | Deleted | Fault) for one in found)
    assert all(one.title.plain and one.key for one in found if isinstance(one, Record))
    for helper in HELPERS:
        try:
            helper(page)
        except FormatError:
            continue


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    survive(content)
    survive(GOOD["oai"][:300] + content)


@given(
    st.sampled_from(sorted(GOOD)),
    st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 60), st.binary(max_size=12)), min_size=1, max_size=4),
)
def test_damaged_answer_is_read_or_refused(name: str, cuts: list[tuple[int, int, bytes]]) -> None:
    content = GOOD[name]
    for at, length, put in cuts:
        at %= len(content)
        content = content[:at] + put + content[at + length :]
    survive(content)


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="<&>\ufffe\uffff"), max_size=30)
TEXTS = ("Fast tiles", "We lay", "Ann Bee", "2101.00010", "2031-08-20", "2031-05-02", "cs.LG", "new", "10.5555/tiles.1")


@given(st.sampled_from(sorted(GOOD)), st.dictionaries(st.sampled_from(TEXTS), WORDS, min_size=1))
def test_any_text_in_any_field_costs_an_entry_at_most(name: str, changes: dict[str, str]) -> None:
    text = GOOD[name].decode()
    for old, new in changes.items():
        text = text.replace(f">{old}", f">{new}").replace(f'"{old}"', '"{}"'.format(new.replace('"', "")))
    survive(text.encode())


@pytest.mark.parametrize("part", [b"<a/>", b'<a b="" c="" d=""/>', b"<a></a>"])
def test_page_of_nothing_but_tags_is_refused_before_it_takes_memory(part: bytes) -> None:
    start, end = GOOD["oai"].split(b"<ListRecords>")
    assert "more elements than any answer" in refusal(start + part * (MAX_PAGE // len(part)) + b"<ListRecords>" + end)
    assert len(parsed(start + part * 10_000 + b"<ListRecords>" + end)) == 3
