"""arXiv's OAI-PMH answers: `octavo.sources.arxiv_oai`. Numbers such as A05 are those of the list of pitfalls."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from octavo.errors import FormatError
from octavo.records.ids import Identifier
from octavo.records.paper import Record, Version
from octavo.sources.arxiv import ArxivSource
from octavo.sources.arxiv_answer import response_date
from octavo.sources.arxiv_oai import (
    ArxivSet,
    Resumption,
    category_of_set,
    deleted,
    newest_datestamp,
    oai_error,
    resumption,
)
from octavo.sources.base import MAX_TEXT, Deleted, Page

OAI = 'xmlns="http://www.openarchives.org/OAI/2.0/"'
ARXIV = 'xmlns="http://arxiv.org/OAI/arXiv/"'
RAW = 'xmlns="http://arxiv.org/OAI/arXivRaw/"'
HEADER = (
    "<header><identifier>oai:arXiv.org:2101.00010</identifier><datestamp>2031-05-02</datestamp>"
    "<setSpec>cs:cs:LG</setSpec></header>"
)
GONE = (
    '<record><header status="deleted"><identifier>oai:arXiv.org:2101.00011</identifier>'
    "<datestamp>2031-05-03</datestamp></header></record>"
)
BODY = (
    "<id>2101.00010</id><created>2021-01-02</created><authors><author><keyname>Bee</keyname>"
    "<forenames>Ann</forenames></author></authors><title>Fast tiles are enough</title>"
    "<categories>cs.LG stat.ML</categories><abstract>  We lay tiles.\n</abstract>"
)


def answer(inside: str) -> Page:
    text = f"<OAI-PMH {OAI}><responseDate>2031-05-04T05:06:07Z</responseDate><request/>{inside}</OAI-PMH>"
    return Page(text.encode(), "oai.xml")


def listed(*records: str, token: str = "") -> Page:
    return answer(f"<ListRecords>{''.join(records)}{token}</ListRecords>")


def record(body: str, form: str = f"arXiv {ARXIV}", header: str = HEADER) -> str:
    return f"<record>{header}<metadata><{form}>{body}</{form.split()[0]}></metadata></record>"


def parsed(page: Page) -> list[Any]:
    return list(ArxivSource().parse(page))


def one(body: str, form: str = f"arXiv {ARXIV}") -> Any:
    (found,) = parsed(listed(record(body, form)))
    return found


def changed(**fields: str) -> str:
    body = BODY
    for name, value in fields.items():
        name = name.replace("_", "-")
        start, _, rest = body.partition(f"<{name}>")
        body = f"{start}<{name}>{value}</{name}>{rest.partition(f'</{name}>')[2]}"
    return body


def test_record_has_all_fields_when_arxiv_gives_them() -> None:
    found = one(
        "<id>math/0309136</id><created>2003-09-08</created><updated>2004-01-05</updated><authors>"
        "<author><keyname>de la Cruz</keyname><forenames>Ana</forenames><suffix>Jr.</suffix>"
        "<affiliation>Lab X</affiliation><affiliation>Lab Y</affiliation></author>"
        "<author><keyname>Blue Collaboration</keyname></author></authors>"
        "<title>On $n$ tiles\n  that wrap</title><categories>math.GT cs.LG</categories>"
        "<comments>12 pages; code at https://github.com/tiles/lay</comments><journal-ref>J. Tiles 3 (2005) 1-9</journal-ref>"
        "<doi>10.5555/tiles.1 10.5555/tiles.2</doi><license>http://creativecommons.org/licenses/by/4.0/</license>"
        "<msc-class>57M25</msc-class><abstract>  We lay\n$n$ tiles.\n</abstract>"
    )
    assert isinstance(found, Record)
    assert (found.source, found.key) == ("arxiv", "math/0309136")
    assert (found.title.plain, found.title.markup) == ("On n tiles that wrap", "tex")
    assert found.abstract is not None
    assert found.abstract.raw == "We lay $n$ tiles."
    assert [(who.name, who.family, who.suffix, who.affiliations) for who in found.authors] == [
        ("Ana de la Cruz Jr.", "de la Cruz", "Jr.", ("Lab X", "Lab Y")),
        ("Blue Collaboration", "Blue Collaboration", "", ()),
    ]
    assert [str(name) for name in found.identifiers] == [
        "arxiv:math/0309136", "doi:10.5555/tiles.1", "doi:10.5555/tiles.2",
    ]  # fmt: skip
    assert found.categories == ("math.GT", "cs.LG")
    assert (found.submitted_on, found.updated_on, found.announced_on) == ("2003-09-08", "2004-01-05", None)
    assert (found.journal_ref, found.licence) == (
        "J. Tiles 3 (2005) 1-9",
        "http://creativecommons.org/licenses/by/4.0/",
    )
    assert dict(found.links) == {
        "page": "https://arxiv.org/abs/math/0309136",
        "pdf": "https://arxiv.org/pdf/math/0309136",
        "code": "https://github.com/tiles/lay",
    }
    assert found.status == "submitted"
    assert found.seen_on == "2031-05-04"


def test_raw_record_has_every_version_with_its_date() -> None:
    versions = "".join(
        f'<version version="v{number}"><date>{date}</date><size>4kb</size></version>'
        for number, date in (
            (1, "Mon, 2 Jan 2023 12:00:00 GMT"),
            (10, "Thu, 15 Jun 2023 08:30:00 GMT"),
            (2, "Tue, 3 Jan 2023 00:00:00 GMT"),
        )
    )
    found = one(
        f"<id>2301.00010</id><submitter>Ann Bee</submitter>{versions}<title>Tiles</title>"
        "<authors>Ann Bee, Cy Dee Jr. (Lab X) and Ee Eff</authors><categories>cs.LG</categories>",
        f"arXivRaw {RAW}",
    )
    assert found.versions == (Version(1, "2023-01-02"), Version(2, "2023-01-03"), Version(10, "2023-06-15"))
    assert (found.submitted_on, found.updated_on) == ("2023-01-02", "2023-06-15")
    assert [(who.name, who.affiliations) for who in found.authors] == [
        ("Ann Bee", ()), ("Cy Dee Jr.", ("Lab X",)), ("Ee Eff", ()),
    ]  # fmt: skip


def test_raw_record_is_not_updated_when_it_has_one_version() -> None:
    version = '<version version="v1"><date>Mon, 2 Jan 2023 12:00:00 GMT</date></version>'
    found = one(f"<id>2301.00010</id>{version}<title>Tiles</title>", f"arXivRaw {RAW}")
    assert (found.submitted_on, found.updated_on) == ("2023-01-02", None)


def test_dublin_core_gives_what_it_holds() -> None:
    found = one(
        "<dc:title>Tiles</dc:title><dc:creator>Bee, Ann</dc:creator><dc:creator>Dee, Cy</dc:creator>"
        "<dc:subject>Computer Science - Machine Learning</dc:subject><dc:description>We lay tiles.</dc:description>"
        "<dc:description>Comment: 3 pages</dc:description><dc:date>2031-02-01</dc:date><dc:date>2031-01-02</dc:date>"
        "<dc:identifier>http://arxiv.org/abs/2101.00010</dc:identifier><dc:identifier>doi:10.5555/a1</dc:identifier>",
        'oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"',
    )
    assert (found.key, found.title.plain, found.comment) == ("2101.00010", "Tiles", "3 pages")
    assert [who.name for who in found.authors] == ["Ann Bee", "Cy Dee"]
    assert (found.submitted_on, found.updated_on) == ("2031-01-02", "2031-02-01")
    assert found.categories == ()
    assert [str(name) for name in found.identifiers] == ["arxiv:2101.00010", "doi:10.5555/a1"]


def test_record_is_read_when_the_inside_lacks_its_namespace_or_the_record_stands_alone() -> None:
    assert one(BODY, "arXiv").title.plain == "Fast tiles are enough"
    alone = record(BODY).replace("<record>", f"<record {OAI}>", 1)
    (found,) = parsed(Page(alone.encode(), "one.xml"))
    assert found.key == "2101.00010"
    assert newest_datestamp(Page(alone.encode(), "one.xml")) == "2031-05-02"


def test_doi_of_arxiv_is_no_second_identifier() -> None:
    """B06."""
    assert one(BODY + "<doi>10.48550/ARXIV.2101.00010</doi>").identifiers == (Identifier("arxiv", "2101.00010"),)


def test_datestamp_is_no_date_of_the_paper() -> None:
    """A07: the header says 2031-05-02, the paper is of 2007 and has no second version."""
    found = one(changed(id="0704.0001", created="2007-04-01"))
    dates = (found.submitted_on, found.updated_on, found.announced_on, found.published_on)
    assert dates == ("2007-04-01", None, None, None)


def test_record_is_withdrawn_when_its_comment_says_so() -> None:
    """D05."""
    comment = "<comments>This paper has been withdrawn by the authors due to an error in Section 4</comments>"
    assert one(BODY + comment).status == "withdrawn"
    stub = one(changed(abstract="This paper has been withdrawn by the author."))
    assert (stub.status, stub.abstract) == ("withdrawn", None)


def test_placeholder_is_no_abstract() -> None:
    """C14."""
    assert one(changed(abstract="N/A")).abstract is None


def test_deleted_record_has_an_id_and_costs_nothing_else() -> None:
    """A08."""
    page = listed(GONE, record(BODY))
    *gone, found = parsed(page)
    assert gone == [Deleted(source, "2101.00011", "2031-05-03") for source in ("arxiv", "arxiv-feed")]
    assert found.key == "2101.00010"
    assert deleted(page) == [Identifier("arxiv", "2101.00011")]
    # Another server's id names no paper of arXiv's.
    assert deleted(listed(GONE.replace("arXiv.org:2101.00011", "example.org:17"))) == []


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ('<resumptionToken completeListSize="3" cursor="2"/>', Resumption(None, 3, 2)),
        ('<resumptionToken completeListSize="3" cursor="2"> \n </resumptionToken>', Resumption(None, 3, 2)),
        ("", Resumption(None, None, None)),
        ('<resumptionToken cursor="0" completeListSize="1500000">6512|1001</resumptionToken>', Resumption("6512|1001", 1500000, 0)),
        ("<resumptionToken>a&amp;b</resumptionToken>", Resumption("a&b", None, None)),
        ('<resumptionToken cursor="many" completeListSize="-1">t</resumptionToken>', Resumption("t", None, None)),
    ],
)  # fmt: skip
def test_list_goes_on_when_its_token_is_not_empty(token: str, expected: Resumption) -> None:
    """A05."""
    assert resumption(listed(record(BODY), token=token)) == expected


def test_expired_token_is_told_and_is_no_empty_page() -> None:
    """A06."""
    page = answer('<error code="badResumptionToken">The token has expired</error>')
    assert oai_error(page) == "badResumptionToken"
    assert resumption(page) == Resumption(None, None, None)
    with pytest.raises(FormatError, match=r"oai\.xml: .*badResumptionToken.*expired"):
        parsed(page)


def test_newest_datestamp_is_of_every_record_when_a_harvest_must_start_anew() -> None:
    """A06."""
    page = listed(record(BODY), GONE)
    assert newest_datestamp(page) == "2031-05-03"
    assert newest_datestamp(answer('<error code="noRecordsMatch"/>')) is None
    assert response_date(page) == datetime(2031, 5, 4, 5, 6, 7, tzinfo=UTC)
    headers = HEADER + HEADER.replace("2031-05-02", "2031-06-01T10:00:00Z").replace(
        "<header>", '<header status="deleted">'
    )
    only = answer(f"<ListIdentifiers>{headers}<resumptionToken>t</resumptionToken></ListIdentifiers>")
    assert (newest_datestamp(only), resumption(only).token) == ("2031-06-01", "t")
    assert deleted(only) == [Identifier("arxiv", "2101.00010")]


def test_no_match_is_an_empty_page() -> None:
    page = answer('<error code="noRecordsMatch">nothing</error>')
    assert oai_error(page) == "noRecordsMatch"
    assert parsed(page) == []
    assert oai_error(listed(record(BODY))) is None


@pytest.mark.parametrize(
    ("setspec", "expected"),
    [
        ("physics:astro-ph:EP", ArxivSet("astro-ph.EP", True)),
        ("cs:cs:LG", ArxivSet("cs.LG", True)),
        ("physics:hep-lat", ArxivSet("hep-lat", True)),
        ("physics:hep-th", ArxivSet("hep-th", True)),
        ("physics:hep-th:hep-th", ArxivSet("hep-th", True)),
        ("physics:cond-mat:mes-hall", ArxivSet("cond-mat.mes-hall", True)),
        ("math:math:NA", ArxivSet("math.NA", True)),
        ("cs", ArxivSet("cs", False)),
        ("cs:cs", ArxivSet("cs", False)),
        ("physics:astro-ph", ArxivSet("astro-ph", False)),
        (" stat ", ArxivSet("stat", False)),
        ("", None),
        ("a:b:c:d", None),
        ("cs:", None),
        ("cs cs", None),
    ],
)
def test_set_names_a_category_or_a_group(setspec: str, expected: ArxivSet | None) -> None:
    """A09."""
    assert category_of_set(setspec) == expected


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("<record/>", "no metadata"),
        (f"<record>{HEADER}</record>", "no metadata"),
        (f"<record>{HEADER}<metadata/></record>", "no metadata"),
        (record("<x/>", 'marc xmlns="http://example.org/"'), "metadata in a format that is not known"),
        (record(changed(id="17")), "id is no arXiv id"),
        (record(changed(id="10.5555/a1")), "id is no arXiv id"),
        (record(changed(title=" \n ")), "no title"),
        (record(changed(abstract="x" * (MAX_TEXT + 1))), f"abstract is longer than {MAX_TEXT:,} characters"),
        (record("<id>2101.00010</id><version/><title>T</title>", f"arXivRaw {RAW}"), "a version without a number"),
        (
            record(changed(authors=f"<author><keyname>{'x' * (MAX_TEXT + 1)}</keyname></author>")),
            f"authors holds a name longer than {MAX_TEXT:,} characters",
        ),
    ],
)
def test_bad_record_costs_itself(broken: str, reason: str) -> None:
    fault, found = parsed(listed(broken, record(BODY)))
    assert (fault.place, fault.reason) == ("oai.xml, record 1", reason)
    assert found.key == "2101.00010"


def test_id_of_the_header_serves_when_the_metadata_has_none() -> None:
    assert one(changed(id="")).key == "2101.00010"


@pytest.mark.parametrize("inside", ["<Identify><repositoryName>x</repositoryName></Identify>", "<ListSets/>", ""])
def test_answer_without_records_is_refused(inside: str) -> None:
    with pytest.raises(FormatError, match="holds no records but"):
        parsed(answer(inside))


def test_three_thousand_authors_are_all_kept() -> None:
    """C16."""
    people = "".join(
        f"<author><keyname>Number{n:04}</keyname><forenames>Author</forenames></author>" for n in range(3000)
    )
    found = one(changed(authors=people))
    assert len(found.authors) == 3000
    assert found.authors[2999].name == "Author Number2999"
