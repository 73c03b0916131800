"""Parting the papers of one name: evidence joins, contradictions keep apart, order decides nothing."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.rank.parting import Mention, Parted, part
from octavo.rank.people import coauthor_keys
from octavo.records.people import PersonId, spelling

RARE = "Zyxwv"
"""A family name that nobody was seen with."""
ORCID, OTHER_ORCID = PersonId("orcid", "0000-0009-9990-008X"), PersonId("orcid", "0000-0009-9990-0178")
PROFILE, OTHER_PROFILE = PersonId("openreview", "~Ann_Bee1"), PersonId("openreview", "~Ann_Bee2")


def mention(
    paper: int, name: str, *ids: PersonId, beside: str = "", at: str = "", place: int = 0, also: str = ""
) -> Mention:
    """One author of one paper; co-authors by `; `."""
    return Mention(
        paper,
        place,
        name,
        frozenset(map(spelling, filter(None, (name, also)))),
        frozenset(ids),
        coauthor_keys(beside.split("; ") if beside else []),
        frozenset({at} if at else ()),
    )


def papers(parted: Parted) -> list[list[int]]:
    """The papers of each group, and then none of the rest."""
    return sorted([one.paper for one in group.mentions] for group in parted.people)


def kinds(parted: Parted) -> list[str]:
    return [ground.kind for group in parted.people for ground in group.grounds]


def test_papers_are_one_persons_when_an_id_is_the_same() -> None:
    parted = part([mention(1, "Wei Wang", ORCID), mention(2, "W. Wang", ORCID), mention(3, "Wei Wang")])
    assert papers(parted) == [[1, 2]]
    assert [one.paper for one in parted.rest] == [3]
    assert kinds(parted) == ["orcid"]
    assert parted.people[0].ids == (ORCID,)


def test_papers_are_apart_when_ids_of_one_kind_differ() -> None:
    """Pitfall D09."""
    beside = "Cy Qwertz; Ee Qwertz"
    parted = part(
        [mention(1, f"Ann {RARE}", ORCID, beside=beside), mention(2, f"Ann {RARE}", OTHER_ORCID, beside=beside)]
    )
    assert papers(parted) == [[1], [2]]


def test_ids_of_two_kinds_make_a_chain_when_nothing_contradicts() -> None:
    parted = part(
        [mention(1, "Wei Wang", ORCID), mention(2, "Wei Wang", ORCID, PROFILE), mention(3, "Wei Wang", PROFILE)]
    )
    assert papers(parted) == [[1, 2, 3]]
    assert parted.people[0].ids == (ORCID, PROFILE)


def test_an_id_glues_nobody_when_other_ids_contradict_it() -> None:
    parted = part([
        mention(1, "Wei Wang", ORCID, PROFILE), mention(2, "Wei Wang", ORCID, OTHER_PROFILE),
        mention(3, "Wei Wang", ORCID), mention(4, "Wei Wang", PROFILE),
    ])  # fmt: skip
    assert papers(parted) == [[1, 4], [2], [3]]


def test_an_id_is_nobodys_when_one_paper_gives_it_to_two_authors() -> None:
    parted = part(
        [mention(1, "Wei Wang", ORCID, place=0), mention(1, "Wei Wang", ORCID, place=1), mention(2, "Wei Wang", ORCID)]
    )
    assert papers(parted) == [[2]]
    assert len(parted.rest) == 2


@pytest.mark.parametrize(
    ("name", "one", "other", "joined"),
    [
        (f"Ann {RARE}", "Cy Qwertz", "Qwertz, Cy", True),
        (f"Ann {RARE}", "Wei Wang; Cy Dee", "Wei Wang", True),
        (f"Ann {RARE}", "W. Wang; Y. Li", "Li, Y.; Wang, W.", True),
        (f"Ann {RARE}", "W. Wang", "W. Wang", False),
        (f"Ann {RARE}", "Cy Qwertz", "C. Qwertz", False),
        (f"Ann {RARE}", "", "", False),
        # An uncommon family name, but no rare one: a co-author of a common name is not enough.
        ("Ann Clark", "Wei Wang", "Wei Wang", False),
        ("Ann Clark", "Cy Qwertz", "Cy Qwertz", True),
        # A common one: co-authors say nothing.
        ("Wei Wang", "Cy Qwertz; Ee Qwertz", "Cy Qwertz; Ee Qwertz", False),
    ],
)
def test_papers_are_one_persons_when_co_authors_are_shared_and_the_name_is_uncommon(
    name: str, one: str, other: str, joined: bool
) -> None:
    parted = part([mention(1, name, beside=one), mention(2, name, beside=other)])
    assert papers(parted) == ([[1, 2]] if joined else [])
    assert kinds(parted) == (["coauthors"] if joined else [])


def test_a_crowd_tells_nothing_of_who_is_who() -> None:
    """Pitfall C16."""
    crowd = "; ".join(f"Hand{n} Mapper{n}" for n in range(3_000))
    assert coauthor_keys(crowd.split("; ")) == frozenset()
    assert papers(part([mention(1, f"Ann {RARE}", beside=crowd), mention(2, f"Ann {RARE}", beside=crowd)])) == []


def test_two_authors_of_one_paper_are_two_people() -> None:
    parted = part([
        mention(1, f"Ann {RARE}", place=0, beside="Cy Qwertz"), mention(1, f"Ann {RARE}", place=1, beside="Cy Qwertz"),
        mention(2, f"Ann {RARE}", beside="Cy Qwertz"),
    ])  # fmt: skip
    assert papers(parted) == []
    assert len(parted.rest) == 3, "the third may be either"


def test_middle_names_that_differ_keep_apart_and_one_without_joins_neither() -> None:
    beside = "Cy Qwertz"
    parted = part([
        mention(1, f"Ann I. {RARE}", beside=beside), mention(2, f"Ann I. {RARE}", beside=beside),
        mention(3, f"Ann B. {RARE}", beside=beside), mention(4, f"Ann {RARE}", beside=beside),
    ])  # fmt: skip
    assert papers(parted) == [[1, 2]]
    assert [one.paper for one in parted.rest] == [3, 4]


def test_a_near_chain_glues_nobody_together() -> None:
    """Each is joined to the person beside, and none to both."""
    parted = part([
        mention(1, f"Ann {RARE}", ORCID, beside="Cy Qwertz"), mention(2, f"Ann {RARE}", beside="Cy Qwertz; Ee Qwertz"),
        mention(3, f"Ann {RARE}", beside="Ee Qwertz; Gil Qwertz"), mention(4, f"Ann {RARE}", OTHER_ORCID, beside="Gil Qwertz"),
        mention(5, f"Ann {RARE}", beside="Cy Qwertz; Gil Qwertz"),
    ])  # fmt: skip
    assert papers(parted) == [[1, 2], [3, 4]]
    assert [one.paper for one in parted.rest] == [5]


# -- initials ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("whole", "initial", "others", "kind"),
    [
        (mention(1, f"Ann {RARE}"), mention(2, f"A. {RARE}"), (), "only"),
        (mention(1, f"Ann {RARE}", beside="Cy Qwertz"), mention(2, f"A. {RARE}", beside="Cy Qwertz"), (), "initials"),
        (mention(1, "Wei Wang", beside="Cy Qwertz"), mention(2, "W. Wang", beside="Cy Qwertz"), (), "initials"),
        (mention(1, "Wei Wang", at="lab x"), mention(2, "W. Wang", at="lab x"), (), "initials"),
        (mention(1, "Wei Wang"), mention(2, "W. Wang"), (), ""),
        (mention(1, "Ann Clark"), mention(2, "A. Clark"), (), ""),
        (mention(1, "Wei Wang", beside="Yu Li"), mention(2, "W. Wang", beside="Yu Li"), (), ""),
        # Two whole names fit: never.
        (mention(1, f"Ann {RARE}", beside="Cy Qwertz"), mention(2, f"A. {RARE}", beside="Cy Qwertz"), (f"Amy {RARE}",), ""),
        (mention(1, f"Ann B. {RARE}"), mention(2, f"A. {RARE}"), (f"Ann C. {RARE}",), ""),
        # A variant of the same name is no second one.
        (mention(1, f"Ann B. {RARE}"), mention(2, f"A. {RARE}"), (f"Ann {RARE}",), "only"),
        (mention(1, f"Ann B. {RARE}"), mention(2, f"A. C. {RARE}"), (), ""),
        (mention(1, f"Ann {RARE}", ORCID), mention(2, f"A. {RARE}", OTHER_ORCID), (), "orcid"),
    ],
)  # fmt: skip
def test_an_initial_joins_the_only_whole_name_that_fits(
    whole: Mention, initial: Mention, others: tuple[str, ...], kind: str
) -> None:
    parted = part([whole, initial], map(spelling, others))
    joined = kind in ("only", "initials")
    assert papers(parted) == ([[1, 2]] if joined else [[1], [2]] if kind else [])
    assert (kind in kinds(parted)) is bool(kind)


def test_an_initial_joins_nobody_when_two_people_of_the_whole_name_fit() -> None:
    one, two = (
        mention(1, f"Ann {RARE}", ORCID, beside="Cy Qwertz"),
        mention(2, f"Ann {RARE}", OTHER_ORCID, beside="Ee Qwertz"),
    )
    assert papers(part([one, two, mention(3, f"A. {RARE}")])) == [[1], [2]]
    assert papers(part([one, two, mention(3, f"A. {RARE}", beside="Cy Qwertz; Ee Qwertz")])) == [[1], [2]]
    assert papers(part([one, two, mention(3, f"A. {RARE}", beside="Ee Qwertz")])) == [[1], [2, 3]]


def test_initials_join_each_other_when_no_whole_name_is_there() -> None:
    parted = part([mention(1, f"A. {RARE}", beside="Cy Qwertz"), mention(2, f"A. {RARE}", beside="Cy Qwertz")])
    assert papers(parted) == [[1, 2]]


def test_an_initial_is_whole_when_another_record_of_its_paper_has_the_name() -> None:
    parted = part([mention(1, "Wei Wang", beside="Cy Qwertz"), mention(2, f"A. {RARE}", also=f"Ann {RARE}", beside="Cy Qwertz"),
                   mention(3, f"Ann {RARE}", beside="Cy Qwertz")], [spelling(f"Amy {RARE}")])  # fmt: skip
    assert papers(parted) == [[2, 3]]


# -- laws -------------------------------------------------------------------------------------------------------------

some_ids = st.sets(
    st.sampled_from([
        ORCID, OTHER_ORCID, PROFILE, OTHER_PROFILE, PersonId("dblp ann zyxwv", "Ann Zyxwv 0001"),
        PersonId("dblp ann zyxwv", "Ann Zyxwv 0002"), PersonId("acl", "ann-zyxwv"),
    ]), max_size=2,
)  # fmt: skip
some_names = st.sampled_from(
    [f"Ann {RARE}", f"A. {RARE}", f"Ann B. {RARE}", f"Ann C. {RARE}", f"Amy {RARE}", "Wei Wang", "W. Wang"]
)
some_coauthors = st.lists(
    st.sampled_from(["Cy Qwertz", "Ee Qwertz", "Gil Qwertz", "Wei Wang", "Y. Li"]), max_size=3, unique=True
)
mentions = st.lists(
    st.builds(
        lambda paper, place, name, ids, beside, at: mention(paper, name, *ids, beside="; ".join(beside), at=at, place=place),
        st.integers(1, 8), st.integers(0, 1), some_names, some_ids, some_coauthors, st.sampled_from(["", "lab x"]),
    ),
    max_size=12, unique_by=lambda one: (one.paper, one.place),
)  # fmt: skip


def contradict(ones: frozenset[PersonId], others: frozenset[PersonId]) -> bool:
    values = defaultdict(set)
    for known in ones | others:
        values[known.kind].add(known.value)
    return any(len(held) > 1 for held in values.values())


@settings(deadline=None)
@given(mentions, st.randoms(use_true_random=False))
def test_the_order_of_papers_changes_nothing(found: list[Mention], random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert part(shuffled) == part(found)


@settings(deadline=None)
@given(mentions)
def test_every_mention_is_in_one_group_or_in_the_rest(found: list[Mention]) -> None:
    parted = part(found)
    placed = [*((one.paper, one.place) for group in parted.people for one in group.mentions),
              *((one.paper, one.place) for one in parted.rest)]  # fmt: skip
    assert sorted(placed) == sorted((one.paper, one.place) for one in found)


@settings(deadline=None)
@given(mentions, mentions)
def test_evidence_never_joins_two_that_have_different_ids_of_one_kind(few: list[Mention], more: list[Mention]) -> None:
    """However much is added: here any other mentions, and co-authors that all share."""
    known = {(one.paper, one.place) for one in few}
    added = [one for one in more if (one.paper, one.place) not in known]
    shared = [Mention(one.paper, one.place, one.name, one.spellings, one.ids, one.coauthors | {"qwertz cy"}, frozenset({"lab x"}))
              for one in few]  # fmt: skip
    for found in (few, few + added, shared + added):
        for group in part(found).people:
            for one, other in combinations(group.mentions, 2):
                assert (
                    not contradict(one.ids, other.ids)
                    or contradict(one.ids, one.ids)
                    or contradict(other.ids, other.ids)
                )
                assert one.paper != other.paper
