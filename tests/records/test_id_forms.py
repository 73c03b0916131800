"""The forms of each scheme, and the laws that hold for any text.

Numbers such as B07 are of the project's list of pitfalls.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from octavo.errors import IdentifierError, UsageError
from octavo.records.ids import (
    SCHEMES,
    Identifier,
    arxiv_id,
    doi_id,
    find_identifiers,
    openreview_id,
    parse_identifier,
    url_id,
)


def read(text: str) -> str:
    """The identifier and version, as one string."""
    identifier, version = parse_identifier(text)
    return f"{identifier} v{version}" if version else str(identifier)


@pytest.mark.parametrize(
    "form",
    [
        "openreview:AbC12xYz90", "https://openreview.net/forum?id=AbC12xYz90",
        "openreview.net/pdf?id=AbC12xYz90",
        "https://www.openreview.net/forum?noteId=r1&id=AbC12xYz90",
        "http://openreview.net/forum?id=AbC12xYz90&noteId=x",
        "https://openreview.net/attachment?id=AbC12xYz90&name=pdf", "OpenReview: AbC12xYz90",
    ],
)  # fmt: skip
def test_openreview_forum_ids_keep_their_case(form: str) -> None:
    assert read(form) == "openreview:AbC12xYz90"
    assert openreview_id(form) == Identifier("openreview", "AbC12xYz90")


@pytest.mark.parametrize("value", ["-Ab_C12xYz", "_Ab12xYz-", "AbC12xYz9_"])
def test_openreview_forum_ids_may_begin_and_end_with_a_dash(value: str) -> None:
    assert parse_identifier(f"https://openreview.net/forum?id={value}")[0].value == value
    assert openreview_id(value) == Identifier("openreview", value)


def test_b07_an_openreview_file_is_no_forum() -> None:
    address = "https://openreview.net/pdf/00ff00ff.pdf"
    assert read(address) == f"url:{address}"
    assert openreview_id(address) is None
    assert openreview_id("~Ann_Bee1") is None


@pytest.mark.parametrize(
    "form",
    [
        "pmlr:v267/bee25a", "v267/bee25a", "https://proceedings.mlr.press/v267/bee25a.html",
        "http://proceedings.mlr.press/v267/bee25a.pdf",
        "https://proceedings.mlr.press/v267/bee25a/bee25a.pdf",
        "https://proceedings.mlr.press/v267/bee25a/bee25a-supp.zip",
        "https://raw.githubusercontent.com/mlresearch/v267/main/assets/bee25a/bee25a.pdf",
        "https://raw.githubusercontent.com/mlresearch/v267/refs/heads/main/assets/bee25a/bee25a.pdf",
        "https://github.com/mlresearch/v267/blob/gh-pages/_posts/2025-10-06-bee25a.md",
        "https://jmlr.org/proceedings/papers/v267/bee25a.html",
        "https://mlresearch.github.io/v267/bee25a.html",
    ],
)  # fmt: skip
def test_pmlr_forms(form: str) -> None:
    assert read(form) == "pmlr:v267/bee25a"


@pytest.mark.parametrize(
    "form",
    [
        "https://proceedings.mlr.press/v267",
        "https://proceedings.mlr.press/v267/assets/bib/bibliography.bib",
        "https://github.com/mlresearch/v267/issues", "https://github.com/v8/v8",
        "https://jmlr.org/papers/v13/bee12a.html",
        "https://arxiv.org/list/cs.LG/recent", "https://huggingface.co/bee/model-2101",
        "https://dblp.org/db/conf/icml",
        "https://aclanthology.org/volumes/P18-1", "https://openreview.net/group?id=Conf.org/2031",
    ],
)  # fmt: skip
def test_other_pages_of_a_known_site_are_no_papers(form: str) -> None:
    assert read(form) == f"url:{form}"


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("P18-1001", "acl:P18-1001"),
        ("p18-1001", "acl:P18-1001"),
        ("acl:W05-0101", "acl:W05-0101"),
        ("https://aclanthology.org/P18-1001/", "acl:P18-1001"),
        ("https://www.aclweb.org/anthology/P18-1001.pdf", "acl:P18-1001"),
        ("http://aclweb.org/anthology/P/P18/P18-1001.pdf", "acl:P18-1001"),
        ("https://aclanthology.org/P18-1001v2.pdf", "acl:P18-1001 v2"),
        ("2022.acl-long.1", "acl:2022.acl-long.1"),
        ("https://aclanthology.org/2022.acl-long.1.pdf", "acl:2022.acl-long.1"),
        ("aclanthology.org/2020.findings-emnlp.17.", "acl:2020.findings-emnlp.17"),
        ("https://aclanthology.org/attachments/2022.acl-long.1.software.zip", "acl:2022.acl-long.1"),
    ],
)
def test_acl_forms(form: str, expected: str) -> None:
    assert read(form) == expected


@pytest.mark.parametrize(
    "form",
    [
        "conf/icml/BeeD21", "dblp:conf/icml/BeeD21", "DBLP:conf/icml/BeeD21",
        "https://dblp.org/rec/conf/icml/BeeD21",
        "https://dblp.org/rec/conf/icml/BeeD21.html?view=bibtex",
        "https://dblp.uni-trier.de/rec/conf/icml/BeeD21.xml",
        "https://dblp.org/rec/bibtex/conf/icml/BeeD21", "https://dblp.dagstuhl.de/rec/html/conf/icml/BeeD21",
    ],
)  # fmt: skip
def test_dblp_forms(form: str) -> None:
    assert read(form) == "dblp:conf/icml/BeeD21"


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("http://www.Example.ORG/A/b/#top", "https://example.org/A/b"),
        ("https://example.org", "https://example.org"),
        ("https://example.org:443/?q=1", "https://example.org?q=1"),
        ("http://example.org:8080/x", "https://example.org:8080/x"),
        ("https://user:secret@example.org/x", "https://example.org/x"),
        ("www.example.org/é", "https://example.org/%C3%A9"),
        ("//example.org/a%20b.", "https://example.org/a%20b"),
        ("url:https://example.org/x", "https://example.org/x"),
    ],
)
def test_other_addresses_are_normalised(form: str, value: str) -> None:
    assert parse_identifier(form) == (Identifier("url", value), None)
    assert Identifier("url", value).url == value


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "tiles", "2031", "12-34", "2.0", "2113.00010", "2100.00010", "0703.1234", "math/0704001",
        "tiles/0309136",
        "math/0313136", "2101.00010v0", "2101.00010x", "10.5555", "10.5555/", "10.55/abc", "openreview:",
        "openreview:a b", "record:arxiv:1",
        "pmlr:267/bee25a", "acl:P18", "dblp:conf", "url:example", "example.org/x", "ftp://example.org/x",
        "https://",
        "https://localhost/x", "https:///x", "javascript:alert(1)", "https://example.org/a b", "x" * 3000,
        "\ud835",
    ],
)  # fmt: skip
def test_what_is_no_identifier_is_refused(text: str) -> None:
    with pytest.raises(IdentifierError) as caught:
        parse_identifier(text)
    assert "10.5555/example (DOI)" in str(caught.value)
    assert len(caught.value.message) < 120
    assert isinstance(caught.value, UsageError)


FRAGMENTS = st.sampled_from(
    [
        "https://", "http://", "www.", "arxiv.org", "/abs/", "/pdf/", "2101.00010", "v2", "math.GT/",
        "0309136", "doi.org/",
        "10.5555/", "10.48550/arXiv.", "(", ")", "<", ">", "[", "]", "#", "?", "id=", "openreview.net",
        "/forum", "AbC12xYz90",
        "&", "%2F", "%25", "%20", "%00", ".", "..", "/", ",", ";", "-", "_", "P18-1001", "aclanthology.org",
        "2022.acl-long.1",
        "dblp.org/rec/", "conf/icml/", "BeeD21", ".html", ".pdf", "v267/", "bee25a",
        "proceedings.mlr.press/", "url:", "doi:",
        "arxiv:", "openreview:", "pmlr:", "acl:", "dblp:", " ", "\t", "é", "İ", "ſ", "\u212a", "：", "a",
        "A", ":", "@", "*",
        '"', "1", "github.com/", "mlresearch/", "assets/", "\\", "{", "}",
    ]
)  # fmt: skip
TEXTS = st.text() | st.lists(FRAGMENTS | st.characters(), max_size=12).map("".join)


@given(TEXTS)
@example("conf/.html")
@example("WWW.0:A")
@settings(max_examples=500)
def test_a_read_identifier_is_in_normal_form_for_any_text(text: str) -> None:
    try:
        identifier, _ = parse_identifier(text)
    except IdentifierError:
        return
    assert identifier.scheme in SCHEMES
    assert parse_identifier(str(identifier)) == (identifier, None)
    assert parse_identifier(identifier.url)[0] == identifier
    assert not set(identifier.file_name) & set('/\\:*?"<>| \0')


@given(TEXTS)
def test_blanks_around_an_identifier_change_nothing(text: str) -> None:
    # The quick path for clean addresses and the long one must agree.
    def reading(form: str) -> object:
        try:
            return parse_identifier(form)
        except IdentifierError:
            return None

    assert reading(text) == reading(f"  {text}\n")


@given(TEXTS)
def test_what_the_quick_ways_and_the_finder_give_is_in_normal_form(text: str) -> None:
    found = [make(text) for make in (arxiv_id, doi_id, openreview_id, url_id)]
    found += [identifier for identifier, _ in find_identifiers(text)]
    for identifier in found:
        assert identifier is None or parse_identifier(str(identifier)) == (identifier, None)


@pytest.mark.parametrize(
    "text",
    ["(" * 100_000, "http://" * 20_000, "10.5555/" + ")" * 100_000, "arxiv:" * 20_000, "a.b-" * 30_000, "doi: " * 30_000, "/" * 100_000],
)  # fmt: skip
def test_long_texts_are_read_to_their_end(text: str) -> None:
    with pytest.raises(IdentifierError):
        parse_identifier(text)
    assert find_identifiers(f"{text} arXiv:2101.00010")[-1] == (Identifier("arxiv", "2101.00010"), None)
