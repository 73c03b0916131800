"""Records into works: order, neighbourhoods, constraints, and a reader's word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.ingest.linking import (
    MOST_HOLDERS,
    Features,
    Linking,
    Name,
    Ruling,
    explain_pair,
    features_of,
    keys_of,
    link,
    link_near,
)
from tests.ingest.linking.papers import ABSTRACT, world
from tests.world import record

WORLD = world()
BY_NAME = {one.name: one for one in WORLD}


def work_of(linking: Linking, source: str, key: str) -> set[Name]:
    return next(set(group) for group in linking.groups if (source, key) in group)


class Store:
    """Stored records, as a catalogue would answer."""

    def __init__(self) -> None:
        self.records: dict[Name, Features] = {}
        self.work: dict[Name, frozenset[Name]] = {}
        self.loaded = 0

    def holders(self, keys: Sequence[int]) -> Mapping[int, Sequence[Name]]:
        wanted = set(keys)
        found: dict[int, list[Name]] = {}
        for one in self.records.values():
            for key in wanted.intersection(keys_of(one)):
                found.setdefault(key, []).append(one.name)
        return found

    def load(self, names: Sequence[Name]) -> Iterable[Features]:
        self.loaded += len(names)
        return [self.records[name] for name in names if name in self.records]

    def add(self, batch: Sequence[Features], rulings: Sequence[Ruling] = ()) -> None:
        self.records.update({one.name: one for one in batch})
        for group in link_near(batch, self.holders, self.load, rulings).groups:
            for name in group:
                self.work[name] = frozenset(group)


def test_the_world_comes_out_as_it_was_made() -> None:
    linking = link(WORLD)
    assert work_of(linking, "mlanthology", "a") == {
        ("mlanthology", "a"), ("arxiv-snapshot", "3102.00010"), ("paperlists", "p1"), ("bibtex", "b1"),
    }  # fmt: skip
    assert work_of(linking, "mlanthology", "c") == {("mlanthology", "c"), ("arxiv-snapshot", "3102.00020")}
    # A volume's DOI: the text says which is which.
    assert work_of(linking, "crossref", "v1") == {("crossref", "v1")}
    assert work_of(linking, "crossref", "v2") == {("crossref", "v2"), ("ris", "w")}
    # D02
    assert work_of(linking, "mlanthology", "e1") == {("mlanthology", "e1")}
    assert sorted(name for group in linking.groups for name in group) == sorted(BY_NAME)


def test_doubts_name_what_a_reader_may_settle() -> None:
    reasons = {(doubt.one[1], doubt.other[1]): doubt.reason for doubt in link(WORLD).doubts}
    assert "stands in both, and they differ" in reasons["v1", "v2"]
    assert reasons["3103.00001", "3104.00001"] == "two identifiers of one kind (arxiv)"


def test_two_preprints_are_not_glued_by_the_paper_that_fits_both() -> None:
    linking = link(WORLD)
    assert work_of(linking, "arxiv-snapshot", "3103.00001") != work_of(linking, "arxiv-snapshot", "3104.00001")
    assert len(work_of(linking, "mlanthology", "u")) == 2


@settings(max_examples=40, deadline=None)
@given(st.permutations(WORLD))
def test_link_gives_the_same_when_the_order_is_another(records: list[Features]) -> None:
    assert link(records) == link(WORLD)


@settings(max_examples=40, deadline=None)
@given(st.permutations(WORLD), st.lists(st.integers(1, 5), min_size=14, max_size=14))
def test_link_near_gives_the_same_works_as_link_whatever_the_batches(records: list[Features], sizes: list[int]) -> None:
    store = Store()
    left = list(records)
    for size in sizes:
        if left:
            store.add(left[:size])
            left = left[size:]
    assert {tuple(sorted(work)) for work in store.work.values()} == set(link(WORLD).groups)


RULINGS = st.lists(
    st.builds(
        lambda pair, is_same: Ruling(pair[0], pair[1], is_same),
        st.lists(st.sampled_from(sorted(BY_NAME)), min_size=2, max_size=2, unique=True),
        st.booleans(),
    ),
    max_size=5,
    unique_by=lambda ruling: frozenset((ruling.one, ruling.other)),
)


@settings(max_examples=60, deadline=None)
@given(RULINGS)
def test_a_readers_word_holds_and_nothing_is_lost_when_it_contradicts_all(rulings: list[Ruling]) -> None:
    linking = link(WORLD, rulings)
    assert sorted(name for group in linking.groups for name in group) == sorted(BY_NAME)
    of = {name: group for group in linking.groups for name in group}
    refused = {(doubt.one, doubt.other) for doubt in linking.doubts if "own words" in doubt.reason}
    for ruling in rulings:
        if not ruling.is_same:
            assert of[ruling.one] != of[ruling.other]
        elif tuple(sorted((ruling.one, ruling.other))) not in refused:
            assert of[ruling.one] == of[ruling.other]


@settings(max_examples=30, deadline=None)
@given(RULINGS, st.permutations(WORLD))
def test_link_near_gives_the_same_works_as_link_when_a_reader_has_spoken(
    rulings: list[Ruling], records: list[Features]
) -> None:
    store = Store()
    for at in range(0, len(records), 4):
        store.add(records[at : at + 4])
    said = {name for ruling in rulings for name in (ruling.one, ruling.other)}
    store.add([BY_NAME[name] for name in sorted(said)], rulings)
    assert {tuple(sorted(work)) for work in store.work.values()} == set(link(WORLD, rulings).groups)


def test_a_reader_joins_and_splits_against_all_evidence() -> None:
    joined = [Ruling(("mlanthology", "e1"), ("crossref", "v1"), is_same=True)]
    assert work_of(link(WORLD, joined), "mlanthology", "e1") == {("mlanthology", "e1"), ("crossref", "v1")}
    split = [Ruling(("arxiv-snapshot", "3102.00010"), ("bibtex", "b1"), is_same=False)]
    parts = link(WORLD, split)
    assert work_of(parts, "bibtex", "b1") != work_of(parts, "arxiv-snapshot", "3102.00010")
    assert "you said" in explain_pair(BY_NAME["mlanthology", "e1"], BY_NAME["crossref", "v1"], joined).reason


def test_two_entries_of_one_list_are_two_papers_however_alike() -> None:
    twins = [
        features_of(
            record("mlanthology", key, "Tiles Again", "Ann Bee; Cy Dee", abstract=ABSTRACT, venue="TILE", year=2031)
        )
        for key in ("one", "two")
    ]
    assert len(link(twins).groups) == 2
    assert "list" in explain_pair(*twins).reason
    # An identifier comes before the list.
    same = [
        features_of(record(
            "mlanthology", key, "Tiles Again", "Ann Bee; Cy Dee", abstract=ABSTRACT, venue="TILE", year=2031, ids="10.5555/t.1"
        ))
        for key in ("one", "two")
    ]  # fmt: skip
    assert len(link(same).groups) == 1


def test_arxivs_doi_is_the_arxiv_id() -> None:
    """Pitfall B06."""
    one = features_of(record("arxiv-snapshot", "2101.00010", "Floors", "Ann Bee", ids="arXiv:2101.00010"))
    other = features_of(record("bibtex", "k", "Floors", "A. Bee", ids="10.48550/ARXIV.2101.00010"))
    assert len(link([one, other]).groups) == 1
    assert "arxiv:2101.00010" in explain_pair(one, other).reason


def test_a_record_that_gains_its_authors_stays_one_work() -> None:
    """Pitfall D08."""
    hidden = features_of(record("openreview", "n", "Tiles in the Dark", "", abstract=ABSTRACT, venue="TILE", year=2031))
    named = features_of(
        record("mlanthology", "m", "Tiles in the Dark", "Ann Bee", abstract=ABSTRACT, venue="TILE", year=2031)
    )
    assert len(link([hidden, named]).groups) == 1


def crowd(count: int) -> list[Features]:
    """Records of one title by as many people, each with a preprint and a note."""
    names = ["".join(syllables).title() for syllables in product(("ba", "ke", "lu", "mo", "zir"), repeat=3)]
    return [
        features_of(
            record(
                source, f"{n:03}", "On Hexagonal Floorings", f"{names[-n]} {names[n]}", submitted="2031-01-01", ids=ids
            )
        )
        for n in range(count)
        for source, ids in (("arxiv-snapshot", f"arXiv:3101.{n:05}"), ("bibtex", ""))
    ]


@pytest.mark.parametrize("count", [MOST_HOLDERS // 2, MOST_HOLDERS // 2 + 1, MOST_HOLDERS * 3])
def test_a_title_that_too_many_have_is_dropped_and_told_by_other_keys(count: int) -> None:
    linking = link(crowd(count))
    assert all(len(group) == 2 for group in linking.groups)
    assert (linking.dropped > 0) is (count * 2 > MOST_HOLDERS)


@settings(max_examples=10, deadline=None)
@given(st.permutations(crowd(MOST_HOLDERS // 2 + 2)))
def test_link_near_follows_a_key_that_becomes_too_common(records: list[Features]) -> None:
    store = Store()
    for at in range(0, len(records), 7):
        store.add(records[at : at + 7])
    assert {tuple(sorted(work)) for work in store.work.values()} == set(link(records).groups)


def test_an_added_record_costs_work_only_in_its_neighbourhood() -> None:
    store = Store()
    store.add([*WORLD, *crowd(100)])
    store.loaded = 0
    store.add([features_of(record("ris", "new", "The grammar of whale song", "Ru Roe", venue="BOAT", year=2030))])
    assert 0 < store.loaded < 10
    assert ("ris", "new") in store.work["crossref", "v2"]
