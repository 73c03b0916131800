"""Which records that share an identifier are one work, and when lists of authors agree."""

from __future__ import annotations

import pytest

from octavo.ingest.linking import features_of, link
from octavo.ingest.match import authors_agree
from tests.world import record


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # D03: a preprint that was renamed.
        (
            ("Fast tiles are enough", "Ann Bee; Cy Dee; Ee Eff"),
            ("Tiles Are Sufficient for Layout", "Ann Bee; Cy Dee; Ee Eff"),
            True,
        ),
        # A volume's DOI given to each of its papers.
        (("Sailing Boats Seen from Orbit", "Qi Qin"), ("Grammar of Whale Song", "Ru Roe"), False),
        (("Sailing Boats Seen from Orbit", "Wei Wang; Qi Qin"), ("Grammar of Whale Song", "Wei Wang; Ru Roe"), False),
        (("On α-Trees", "Pat Poe"), ("On alpha trees", ""), True),
        (("Walks on sparse lattices", "A. Bee"), ("Walks on Sparse Lattices!", "Ann Bee"), True),
        (("Preface", ""), ("Grammar of Whale Song", ""), False),
    ],
)
def test_a_common_identifier_joins_unless_the_rest_contradicts(
    one: tuple[str, str], other: tuple[str, str], expected: bool
) -> None:
    first, second = record("a", "1", *one, ids="10.5555/v"), record("b", "2", *other, ids="10.5555/v")
    for pair in ((first, second), (second, first)):
        assert (len(link(list(map(features_of, pair))).groups) == 1) is expected


def test_authors_agree_when_one_list_is_shortened() -> None:
    assert authors_agree(
        record("a", "1", "x", "Ann Bee; Cy Dee"), record("b", "2", "x", "A. Bee; C. Dee; Ee Eff; Gil Gee")
    )
    assert not authors_agree(record("a", "1", "x", "Ann Bee"), record("b", "2", "x", "Ann Boo"))
    assert not authors_agree(record("a", "1", "x", ""), record("b", "2", "x", "Ann Bee"))


def test_a_volumes_doi_joins_a_papers_records_and_not_its_papers() -> None:
    records = [
        record("a", "1", "Sailing Boats Seen from Orbit", "Qi Qin", ids="10.5555/v"),
        record("b", "1", "Sailing boats seen from orbit", "Q. Qin", ids="10.5555/v"),
        record("a", "2", "Grammar of Whale Song", "Ru Roe", ids="10.5555/v"),
    ]
    linking = link(list(map(features_of, records)))
    assert linking.groups == ((("a", "1"), ("b", "1")), (("a", "2"),))
    assert linking.doubts
