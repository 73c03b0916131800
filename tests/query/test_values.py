"""Years, categories and identifiers as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.query.values import Years, read_category, read_identifier, read_whole, read_years


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2031", Years(2031, 2031)),
        ("2031..2033", Years(2031, 2033)),
        ("2031...2033", Years(2031, 2033)),
        ("2031…2033", Years(2031, 2033)),
        ("2031-2033", Years(2031, 2033)),
        ("2031–2033", Years(2031, 2033)),
        ("２０３１", Years(2031, 2031)),
        ("2031..", Years(2031, None)),
        ("2031-", Years(2031, None)),
        ("..2031", Years(None, 2031)),
        ("-2031", Years(None, 2031)),
        (">=2031", Years(2031, None)),
        (">2031", Years(2032, None)),
        ("<=2031", Years(None, 2031)),
        ("< 2031", Years(None, 2030)),
        ("=2031", Years(2031, 2031)),
        ("[2031 TO 2033]", Years(2031, 2033)),
        ("{2031 TO 2035}", Years(2032, 2034)),
        ("[2031 TO 2035}", Years(2031, 2034)),
        ("[* TO 2033]", Years(None, 2033)),
        ("[203101010000 TO 203312312359]", Years(2031, 2033)),
        ("[2031-01-01T00:00:00Z TO 2033-12-31T23:59:59Z]", Years(2031, 2033)),
        ("[20310601 TO 20331231]", Years(2031, 2033, is_exact=False)),
        ("2031-05", Years(2031, 2031, is_exact=False)),
        ("2031-05-09", Years(2031, 2031, is_exact=False)),
        ("20310509", Years(2031, 2031, is_exact=False)),
        ("2033..2031", Years(2031, 2033, is_exact=False)),
        ("", None),
        ("..", None),
        ("-", None),
        ("*", None),
        ("31", None),
        ("20311", None),
        ("spring", None),
        ("2031..spring", None),
        ("[2031 2033]", None),
        ("[* TO *]", None),
        ("4031", None),
    ],
)
def test_years_when_written(text: str, expected: Years | None) -> None:
    assert read_years(text) == expected


@given(st.text(st.sampled_from("0123456789.-–…<>=[]{}TO* xZ:²"), max_size=30))
def test_years_are_in_order_or_none(text: str) -> None:
    years = read_years(text)
    if years:
        ends = [end for end in (years.low, years.high) if end is not None]
        assert ends == sorted(ends)
        assert ends
        assert all(999 <= end <= 3000 for end in ends)


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
