"""Categories, identifiers and the other values that are no words, as people write them."""

from __future__ import annotations

import pytest

from octavo.query.fields import get_field
from octavo.query.values import PLAIN, read_category, read_filter, read_identifier, read_status, read_whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cs.LG", "cs.LG"),
        ("cs", "cs"),
        ("cs.*", "cs"),
        ("astro-ph.EP", "astro-ph.EP"),
        ("hep-th", "hep-th"),
        ("math-ph", "math-ph"),
        ("cond-mat.mes-hall", "cond-mat.mes-hall"),
        ("STAT.ml", "STAT.ml"),
        ("cmp-lg", "cmp-lg"),
        ("cs.", None),
        ("cs.L*", None),
        ("tiles", None),
        ("cs.LG.x", None),
        ("", None),
    ],
)
def test_category_when_written(text: str, expected: str | None) -> None:
    assert read_category(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2101.00010v2", "arxiv:2101.00010"),
        ("arXiv:2101.00010", "arxiv:2101.00010"),
        ("hep-th/9901001v3", "arxiv:hep-th/9901001"),
        ("10.5555/abc", "doi:10.5555/abc"),
        ("P18-1001", "acl:P18-1001"),
        ("v267/example25a", "pmlr:v267/example25a"),
        ("pmlr:v267/example25a", "pmlr:v267/example25a"),
        ("conf/icml/Example21", "dblp:conf/icml/Example21"),
        ("https://openreview.net/forum?id=AbC12xYz90", "openreview:AbC12xYz90"),
        ("https://example.org/tiles", "url:https://example.org/tiles"),
        ("data/model", None),
        ("tr/abc", None),
        ("v1/v2", None),
        ("and/or", None),
        ("3.5", None),
        ("1e-4", None),
        ("10:30", None),
        ("gpt-4o", None),
        ("tiling", None),
        ("", None),
    ],
)
def test_identifier_is_read_only_where_it_can_be_nothing_else(text: str, expected: str | None) -> None:
    found = read_identifier(text)
    assert (str(found) if found else None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arXiv:2101.00010v2 [cs.LG]", "arxiv:2101.00010"),
        ("arXiv:2101.00010v1  [cs.LG]  4 Jan 2021", "arxiv:2101.00010"),
        ("math%2F0309136", "arxiv:math/0309136"),
        ("10.5555%2Fabc", "doi:10.5555/abc"),
        ("2101.00010", None),
        ("tiles 2101.00010", None),
        ("2101.00010 tiles", None),
        ("-math%2F0309136", None),
        ('"2101.00010 [cs.LG]"', None),
        ("10.5555/a%20(b c", None),
        ("100%25 of 4.5 tiles", None),
        ("", None),
    ],
)
def test_whole_text_is_an_identifier_with_blanks_in_it(text: str, expected: str | None) -> None:
    """B01, B04."""
    found = read_whole(text)
    assert (str(found) if found else None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("desk reject", "rejected"), ("Desk Rejected", "rejected"), ("desk-rejected", "rejected"), ("reject", "rejected"),
        ("under review", "submitted"), ("withdrawn by author", "withdrawn"), ("errata", "erratum"),
        ("banana reject", None), ("not accepted", None), ("", None),
    ],
)  # fmt: skip
def test_status_is_read_in_any_of_its_words(text: str, expected: str | None) -> None:
    assert read_status(text) == expected


@pytest.mark.parametrize(
    ("field", "text", "expected"),
    [
        ("has", "code", "has:code"),
        ("has", "PDFs", "has:pdf"),
        ("has", "代码", "has:code"),
        ("has", "prize", "has:award"),
        ("has", "notes", "is:noted"),
        ("has", "wings", None),
        ("lang", "EN", "lang:en"),
        ("lang", "中文", "lang:zh"),
        ("lang", "klingon", None),
        ("source", "arXiv", "source:arxiv"),
        ("source", "a b", None),
        ("is", "unread", "-is:read"),
        ("is", "not-saved", "-is:saved"),
        ("is", "未读", "-is:read"),
        ("is", "starred", "is:saved"),
        ("is", "un", None),
        ("is", "unseemly", None),
        ("tag", "To Cite", 'tag:"to cite"'),
        ("tag", "--", None),
        ("topic", "Tiles of Planes", "topic:tiles-of-planes"),
        ("term", "...", None),
        ("citations", "10..20", "citations:[10 TO 20]"),
        ("citations", "many", None),
    ],
)
def test_value_of_a_filter_is_read_or_refused(field: str, text: str, expected: str | None) -> None:
    found = read_filter(get_field(field), field, text, PLAIN)
    assert (str(found[0]) if found else None) == expected
    assert found is None or found[1] == ""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("id_list", "2101.00010", "id:arxiv:2101.00010"),
        ("id_list", "2101.00010,2101.00011v2", "(id:arxiv:2101.00010 id:arxiv:2101.00011)"),
        ("ID_LIST", "math/0309136, 2101.00010,", "(id:arxiv:math/0309136 id:arxiv:2101.00010)"),
        ("id_list", "2101.00010,2101.00010v3", "id:arxiv:2101.00010"),
        ("id_list", "2101.00010，2101.00011", "(id:arxiv:2101.00010 id:arxiv:2101.00011)"),
        ("arxiv", "2101.00010,2101.00011", "(id:arxiv:2101.00010 id:arxiv:2101.00011)"),
        ("id", "2101.00010,P18-1001", "(id:arxiv:2101.00010 id:acl:P18-1001)"),
        ("doi", "10.5555/a,b", "id:doi:10.5555/a,b"),
        ("id_list", "2101.00010,tiles", None),
        ("id_list", ",", None),
    ],
)
def test_several_identifiers_with_commas_are_any_of_them(name: str, text: str, expected: str | None) -> None:
    found = read_filter(get_field(name.lower()), name, text, PLAIN)
    assert (str(found[0]) if found else None) == expected
