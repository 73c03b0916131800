"""Venues, pages, identifiers of one kind."""

from __future__ import annotations

import pytest

from octavo.ingest.linking.appearances import pages_of, same_series, series_of
from octavo.ingest.linking.identity import kind_of


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("ICML", "Proceedings of the 42nd International Conference on Machine Learning", True),
        ("VLDB", "Very Large Data Bases", True),
        ("SIGMOD Conference", "International Conference on Management of Data", True),
        ("ACM Trans. Database Syst.", "ACM Transactions on Database Systems (TODS)", True),
        ("SIGMOD Record", "ACM SIGMOD Record", True),
        ("VLDB", "VLDB Journal", None),
        ("SIGMOD Conference", "SIGMOD Record", False),
        ("Journal of Tiles", "Conference on Tiles", False),
        ("ICML", "Whale Song Review", None),
        ("AAAI Conference on Artificial Intelligence", "IJCAI", None),
        ("", "ICML", None),
    ],
)
def test_same_series_when(one: str, other: str, expected: bool | None) -> None:
    first, second = series_of(one)[0], series_of(other)[0]
    assert same_series(first, second) is expected
    assert same_series(second, first) is expected


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ("3725-3768", (3725, 3768)), ("3725--68", (3725, 3768)), ("12", (12, 0)), ("", (0, 0)), ("xii", (0, 0)),
        ("1:1–1:40", (1, 0)), ("9" * 40, (999999999, 0)),
    ],
)  # fmt: skip
def test_pages_are_read(pages: str, expected: tuple[int, int]) -> None:
    assert pages_of(pages) == expected


@pytest.mark.parametrize(
    ("one", "other", "same_kind"),
    [
        ("arxiv:2101.00010", "arxiv:2101.00011", True),
        ("acl:P18-1001", "acl:P18-2002", True),
        ("acl:2031.acl-long.1", "acl:2031.acl-long.2", True),
        # A paper of a conference and its journal's version.
        ("acl:P18-1001", "acl:J19-1001", False),
        ("doi:10.5555/tiles.2031.12", "doi:10.5555/tiles.2031.13", True),
        ("doi:10.5555/tiles.2031.12", "doi:10.5555/whales.2031.12", False),
        # Zenodo gives each version its own.
        ("doi:10.5281/zenodo.12", "doi:10.5281/zenodo.13", False),
        # One paper, sent to two conferences.
        ("openreview:AbC12xYz90", "openreview:XyZ12xYz90", False),
        ("pmlr:v1/bee31a", "pmlr:v1/dee31a", True),
        ("pmlr:v1/bee31a", "pmlr:v2/bee32a", False),
    ],
)
def test_two_identifiers_are_of_one_kind_when(one: str, other: str, same_kind: bool) -> None:
    assert (kind_of(one) == kind_of(other) != "") is same_kind
