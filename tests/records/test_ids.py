"""Identifiers: what the public functions give. Numbers such as B04 are of the project's list of pitfalls."""

from __future__ import annotations

import doctest
import html
import json
import re
import tarfile
from pathlib import Path
from urllib.parse import quote

import pytest

from octavo.errors import IdentifierError
from octavo.records import ids
from octavo.records.ids import (
    Identifier,
    also_known_as,
    arxiv_id,
    doi_id,
    find_identifiers,
    openreview_id,
    parse_identifier,
    url_id,
)

SICI = "10.5555/(SICI)1234-5678(203101)9:1+<1::AID-X2>3.0.CO;2-#"


def read(text: str) -> str:
    """The identifier and version, as one string."""
    identifier, version = parse_identifier(text)
    return f"{identifier} v{version}" if version else str(identifier)


def test_the_docstrings_hold() -> None:
    result = doctest.testmod(ids, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize(
    "form",
    [
        "math.GT/0309136", "math/0309136", "arXiv:math/0309136", "math%2F0309136", "/pdf/math/0309136.pdf",
        "https://arxiv.org/abs/math.GT/0309136", "https://arxiv.org/abs/math%2F0309136", "MATH/0309136",
        "10.48550/arXiv.math/0309136", "abs/math/0309136", "http://xxx.lanl.gov/abs/math/0309136",
        "http://de.arxiv.org/abs/math/0309136", "arXiv:math.GT/0309136 [math.GT]",
    ],
)  # fmt: skip
def test_b01_old_arxiv_ids_are_one_paper(form: str) -> None:
    assert read(form) == "arxiv:math/0309136"


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("arXiv:math/0309136v2", "arxiv:math/0309136 v2"),
        ("/pdf/math/0309136v2.pdf", "arxiv:math/0309136 v2"),
        ("hep-th/9901001v3", "arxiv:hep-th/9901001 v3"),
        ("cond-mat.mes-hall/0101001", "arxiv:cond-mat/0101001"),
        ("cmp-lg/9404001", "arxiv:cmp-lg/9404001"),
        ("cs/0703001", "arxiv:cs/0703001"),
    ],
)
def test_b01_old_arxiv_ids_keep_archive_and_version(form: str, expected: str) -> None:
    assert read(form) == expected


@pytest.mark.parametrize("version", [1, 2, 10, 999])
def test_b02_a_version_is_no_part_of_the_identifier(version: int) -> None:
    assert parse_identifier(f"2101.00010v{version}") == (Identifier("arxiv", "2101.00010"), version)


@pytest.mark.parametrize("number", [2101.0001, 704.001, 21010001, True, None, 2**70])
def test_b03_a_number_is_no_identifier(number: object) -> None:
    with pytest.raises(IdentifierError):
        parse_identifier(number)  # type: ignore[arg-type]
    for make in (arxiv_id, doi_id, openreview_id, url_id):
        assert make(number) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["704.001", "2101.0001", "2101.1", "0704.00010", "1412.00010", "1501.0001"])
def test_b03_zeros_are_not_added_by_guess(text: str) -> None:
    assert arxiv_id(text) is None
    with pytest.raises(IdentifierError):
        parse_identifier(text)


@pytest.mark.parametrize(
    "form",
    [
        "arXiv:2101.00010v2", "ARXIV: 2101.00010v2", "https://arxiv.org/abs/2101.00010v2",
        "http://export.arxiv.org/pdf/2101.00010v2.pdf", "https://rss.arxiv.org/abs/2101.00010v2",
        "oai:arXiv.org:2101.00010v2", "https://arxiv.org/html/2101.00010v2?x=1#S2", "arXiv 2101.00010V2",
        "<https://arxiv.org/abs/2101.00010v2>", "[arXiv:2101.00010v2]", "(2101.00010v2).", " 2101.00010v2\n",
        "arxiv.org/abs/2101.00010v2", "www.arxiv.org/pdf/2101.00010v2",
        "https://arxiv.org/format/2101.00010v2",
        "https://alphaxiv.org/abs/2101.00010v2", "https://www.alphaxiv.org/overview/2101.00010v2",
        "https://ar5iv.org/abs/2101.00010v2", "https://ar5iv.labs.arxiv.org/html/2101.00010v2",
        "https://huggingface.co/papers/2101.00010v2", "arXiv:2101.00010v2 [cs.LG]", "arXiv：2101.00010v2",
        "https://arxiv.org/html/2101.00010v2/x1.png", "http://user@arxiv.org:80/abs/2101.00010v2/",
        "2101.00010v2.pdf",
        "https://oaipmh.arxiv.org/oai?verb=GetRecord&identifier=oai:arXiv.org:2101.00010v2&metadataPrefix=arXiv",
        "https://export.arxiv.org/api/query?id_list=2101.00010v2", "'2101.00010v2'", "“2101.00010v2”",
    ],
)  # fmt: skip
def test_b04_prefixes_and_addresses_of_arxiv(form: str) -> None:
    assert read(form) == "arxiv:2101.00010 v2"


def test_b05_a_doi_with_brackets_is_whole_and_encoded_for_a_path() -> None:
    identifier = doi_id(SICI)
    assert identifier == Identifier("doi", SICI.lower())
    expected = "10.5555%2F%28SICI%291234-5678%28203101%299%3A1%2B%3C1%3A%3AAID-X2%3E3.0.CO%3B2-%23"
    assert identifier.path_form.lower() == expected.lower()
    assert identifier.url.lower() == f"https://doi.org/{expected}".lower().replace("%2f", "/")
    assert "&lt;1::aid-x2&gt;" in html.escape(identifier.value)


@pytest.mark.parametrize(
    "form",
    [
        SICI, SICI.lower(), f"doi:{SICI}", f"DOI: {SICI}", f"https://doi.org/{SICI}", f"<{SICI}>",
        f"http://dx.doi.org/{quote(SICI, safe='')}", f"https://doi.org/{quote(SICI)}", f"info:doi/{SICI}",
        f"({SICI}).", quote(SICI, safe=""), f"urn:doi:{SICI}", f"doi {SICI}",
    ],
)  # fmt: skip
def test_b05_every_wrapping_of_a_doi_is_one(form: str) -> None:
    assert read(form) == f"doi:{SICI.lower()}"


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("https://doi.org/10.5555/abc?utm_source=x#sec", "10.5555/abc"),
        ("10.5555/ABC.", "10.5555/abc"),
        ("10.5555.1/a(b)", "10.5555.1/a(b)"),
        ("(see 10.5555/a(b))".removeprefix("(see "), "10.5555/a(b)"),
        ("https://dl.acm.org/doi/abs/10.5555/3333.4444", "10.5555/3333.4444"),
        ("https://link.springer.com/content/pdf/10.5555/978-3-0_12.pdf", "10.5555/978-3-0_12"),
        ("doi:https://doi.org/10.5555/abc", "10.5555/abc"),
    ],
)
def test_dois_lose_what_is_not_theirs(form: str, value: str) -> None:
    assert parse_identifier(form) == (Identifier("doi", value), None)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("10.48550/arXiv.2101.00010", "arxiv:2101.00010"),
        ("10.48550/ARXIV.2101.00010", "arxiv:2101.00010"),
        ("https://doi.org/10.48550/arXiv.2101.00010v3", "arxiv:2101.00010 v3"),
        ("doi:10.48550/arXiv.2101.00010", "arxiv:2101.00010"),
        ("10.48550/other", "doi:10.48550/other"),
    ],
)
def test_b06_arxivs_own_dois_are_arxiv_ids(form: str, expected: str) -> None:
    assert read(form) == expected
    identifier = doi_id(form)
    assert str(identifier) == expected.partition(" ")[0]


@pytest.mark.parametrize(
    ("known", "others"),
    [
        ("10.18653/v1/P18-1001", ["acl:P18-1001"]),
        ("10.3115/v1/w14-0101", ["acl:W14-0101"]),
        ("10.18653/v1/2022.acl-long.1", ["acl:2022.acl-long.1"]),
        ("dblp:journals/corr/abs-2101-00010", ["arxiv:2101.00010"]),
        ("dblp:journals/corr/abs-cs-0101001", ["arxiv:cs/0101001"]),
        ("10.18653/v1/D14-1", []),
        ("10.3115/1073083.1073135", []),
        ("10.5555/v1/P18-1001", []),
        ("dblp:journals/corr/BeeD14", []),
        ("P18-1001", []),
        ("2101.00010", []),
    ],
)
def test_also_known_as_gives_only_what_follows_surely(known: str, others: list[str]) -> None:
    assert [str(other) for other in also_known_as(parse_identifier(known)[0])] == others


@pytest.mark.parametrize(
    "text",
    [
        "../outside",
        "..%2Foutside",
        "math/../../x",
        "/etc/hostname",
        "math/0309136\u0000.md",
        "C:\\x",
        "%2e%2e%2f2101.00010",
    ],
)
def test_f05_a_path_is_no_identifier(text: str) -> None:
    with pytest.raises(IdentifierError):
        parse_identifier(text)


@pytest.mark.parametrize(
    ("identifier", "name"),
    [
        (Identifier("arxiv", "math/0309136"), "arxiv-math%2F0309136"),
        (Identifier("openreview", "AbC12xYz90"), "openreview-AbC12xYz90"),
        (Identifier("doi", "../../x"), "doi-..%2F..%2Fx"),
        (Identifier("url", "C:\\x\0."), "url-C%3A%5Cx%00%2E"),
    ],
)
def test_f05_a_file_name_is_one_step(identifier: Identifier, name: str) -> None:
    assert identifier.file_name == name


def test_f05_long_file_names_are_cut_and_still_differ() -> None:
    names = {Identifier("doi", "10.5555/" + "x" * length).file_name for length in (300, 301)}
    assert len(names) == 2
    assert all(len(name) < 180 for name in names)


def test_the_quick_ways_answer_none_where_there_is_nothing() -> None:
    for make in (arxiv_id, doi_id, openreview_id, url_id):
        assert make("") is None
        assert make(None) is None
        assert make("no such thing") is None
    assert url_id("2101.00010") is None
    assert arxiv_id("10.5555/abc") is None


def test_of_several_dois_in_a_field_the_first_counts() -> None:
    assert doi_id("10.5555/a1 10.5555/a1\n  10.5555/b2") == Identifier("doi", "10.5555/a1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A. Bee. Tiles. arXiv preprint arXiv:2101.00010v3, 2021.", ["arxiv:2101.00010 v3"]),
        ("Bee et al., CoRR abs/2101.00010 (2021)", ["arxiv:2101.00010"]),
        ("[2101.00010v2] and hep-th/9901001, [math.GT/0309136].", ["arxiv:2101.00010 v2", "arxiv:hep-th/9901001", "arxiv:math/0309136"]),
        ("Published (doi: 10.5555/ABC.1), see https://doi.org/10.5555/abc.1.", ["doi:10.5555/abc.1"]),
        (f"in J. Tiles, {SICI}, 2031", [f"doi:{SICI.lower()}"]),
        ("see [here](https://arxiv.org/abs/2101.00010) and \\url{https://openreview.net/forum?id=Ab\\_C12xYz}", ["arxiv:2101.00010", "openreview:Ab_C12xYz"]),
        ("代码在https://arxiv.org/abs/2101.00010。谢谢", ["arxiv:2101.00010"]),
        ("ACL 2022.acl-long.1 and DBLP:conf/icml/BeeD21", ["acl:2022.acl-long.1", "dblp:conf/icml/BeeD21"]),
        ("proceedings.mlr.press/v267/bee25a.html", ["pmlr:v267/bee25a"]),
        ("Code: https://github.com/bee/tiles.", ["url:https://github.com/bee/tiles"]),
        ("<b>10.5555/abc</b>", ["doi:10.5555/abc"]),
    ],
)  # fmt: skip
def test_identifiers_are_found_in_text_in_order(text: str, expected: list[str]) -> None:
    found = [
        f"{identifier} v{version}" if version else str(identifier) for identifier, version in find_identifiers(text)
    ]
    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        "In 2019.12345 runs of v2.0 and 3.10.1, pp. 2101-2117, 1234.5678 and 0.2101.00010",
        "ACL: 12 pages, 3 figures",
        "pages 1706.1 to 1706.9, Sect. 10.1/2, ratio 10.55/3", "costs $1205.2618",
        "math/cs and cs/ee; 24/7", "P18 and v267",
        "tiles v267/a, 5.0.0-rc1, 192.168.0.1", "Ann Bee's doi: none", "2101.00010-2101.00012.5",
        "openreview: 3 reviews",
    ],
)  # fmt: skip
def test_nothing_is_found_where_nothing_is(text: str) -> None:
    assert find_identifiers(text) == []


def test_identifiers_sort_and_hash() -> None:
    assert sorted({Identifier("doi", "b"), Identifier("arxiv", "c"), Identifier("doi", "a")}) == [
        Identifier("arxiv", "c"),
        Identifier("doi", "a"),
        Identifier("doi", "b"),
    ]


@pytest.mark.real
def test_all_anthology_ids_of_the_real_data_are_read(shared: Path) -> None:
    read = 0
    with tarfile.open(shared / "data/acl/acl-anthology-2022-05.tar.gz") as archive:
        for member in archive:
            if "/xml/2021" in member.name or "/xml/P1" in member.name:
                content = archive.extractfile(member)
                assert content is not None
                for entry in re.findall(r"<paper .*?</paper>", content.read().decode(), re.DOTALL):
                    for name in re.findall(r"^\s*<url[^>]*>([^<:]*)</url>", entry, re.MULTILINE)[:1]:
                        assert parse_identifier(name) == (Identifier("acl", name), None)
                        read += 1
    assert read > 5000


@pytest.mark.real
def test_all_arxiv_ids_of_the_real_sample_are_read(shared: Path) -> None:
    sample = shared / "data/samples/kaggle/arxiv-metadata-oai-snapshot.head.jsonl"
    names = [json.loads(line)["id"] for line in sample.read_text("utf-8").splitlines()]
    assert [str(arxiv_id(name)) for name in names] == [f"arxiv:{name}" for name in names]
