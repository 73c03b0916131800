"""Where a paper appeared and what became of it. D05, D06 and D07 are entries of the project's list of pitfalls."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.ingest.appearing import is_notice
from octavo.ingest.merge import merge
from octavo.records.ids import parse_identifier
from octavo.records.paper import Paper, Record, Venue
from tests.world import record


def told(source: str, venue: str = "", year: int | None = None, status: str = "", **others: Any) -> Record:
    """A claim of one paper; `others` are fields of a record or of its venue."""
    made = record(source, f"{source}{venue}{year}", "Tiles", "Ann Bee", status=status)
    track = others.pop("track", "")
    return replace(made, venue=Venue(short=venue, year=year, track=track) if venue else None, **others)


def said(*records: Record) -> tuple[str, str]:
    """Venue and status of the paper that the records make, in any order."""
    papers = [merge(order) for order in permutations(records)]
    assert all(paper == papers[0] for paper in papers)
    return papers[0].venue, papers[0].status


ICML = told("pmlr", "ICML", 2025, "accepted")
PREPRINT = told("arxiv", status="submitted")
WITHDRAWN_PREPRINT = told("arxiv", status="withdrawn")


@pytest.mark.parametrize(
    ("records", "venue", "status"),
    [
        # One word on the paper.
        ([ICML], "ICML 2025", "accepted"),
        ([PREPRINT], "", "submitted"),
        ([told("openreview", "ICLR", 2025, "rejected")], "ICLR 2025", "rejected"),
        # D07: under review is not published.
        ([told("openreview", "ICLR", 2025, "submitted")], "ICLR 2025", "submitted"),
        # Rejected here, accepted there.
        ([ICML, told("openreview", "ICLR", 2025, "rejected")], "ICML 2025", "accepted"),
        ([told("paperlists", "ICML", 2025, "accepted"), told("openreview", "ICLR", 2025, "withdrawn")], "ICML 2025", "accepted"),
        ([told("openreview", "ICLR", 2025, "rejected"), told("dblp", "ICML", 2025, "accepted"), PREPRINT], "ICML 2025", "accepted"),
        # A workshop of an edition is another place, and comes after a venue.
        ([told("openreview", "ICML", 2025, "rejected"), told("paperlists", "ICML", 2025, "accepted", track="workshop")],
         "ICML 2025 Workshop", "accepted"),
        ([told("openreview", "NeurIPS Workshop Tiles", 2024, "accepted", track="workshop"), told("dblp", "ICML", 2025, "accepted")],
         "ICML 2025", "accepted"),
        # The venue's own system before the lists; its proceedings before both.
        ([told("openreview", "ICLR", 2025, "rejected"), told("paperlists", "ICLR", 2025, "accepted")], "ICLR 2025", "rejected"),
        ([told("openreview", "ICML", 2025, "withdrawn"), ICML], "ICML 2025", "accepted"),
        ([told("paperlists", "ICLR", 2025, "rejected"), told("openreview", "ICLR", 2025, "accepted")], "ICLR 2025", "accepted"),
        # Naming the venue is no acceptance.
        ([told("openreview", "ICLR", 2025, "rejected"), told("bibtex", "ICLR", 2025)], "ICLR 2025", "rejected"),
        ([told("bibtex", "ICLR", 2025)], "ICLR 2025", ""),
        ([told("bibtex", "ICLR", 2025), PREPRINT], "ICLR 2025", ""),
        # Two submissions to one edition.
        ([told("openreview", "ICLR", 2025, "withdrawn"), replace(told("openreview", "ICLR", 2025, "accepted"), key="second")],
         "ICLR 2025", "accepted"),
        # A retraction outweighs every other word.
        ([ICML, told("crossref", "ICML", 2025, "retracted")], "ICML 2025", "retracted"),
        # D05: the preprint was withdrawn.
        ([WITHDRAWN_PREPRINT], "", "withdrawn"),
        ([WITHDRAWN_PREPRINT, told("dblp", status="submitted")], "", "withdrawn"),
        ([WITHDRAWN_PREPRINT, ICML], "ICML 2025", "accepted"),
        ([WITHDRAWN_PREPRINT, told("bibtex", "ICML", 2025)], "ICML 2025", "withdrawn"),
        ([WITHDRAWN_PREPRINT, told("openreview", "ICLR", 2025, "rejected")], "ICLR 2025", "withdrawn"),
        # arXiv's newest word counts, not that of an old snapshot.
        ([PREPRINT, replace(WITHDRAWN_PREPRINT, source="arxiv-snapshot")], "", "submitted"),
        # A preprint server is never the venue of a published paper.
        ([told("bibtex", "CoRR", 2024), ICML], "ICML 2025", "accepted"),
        ([told("bibtex", "CoRR", 2024), PREPRINT], "", "submitted"),
        ([told("crossref", "bioRxiv", 2024, "submitted")], "bioRxiv 2024", "submitted"),
    ],
)  # fmt: skip
def test_the_word_that_counts_is_shown(records: list[Record], venue: str, status: str) -> None:
    assert said(*records) == (venue, status)


def test_a_preprint_that_was_withdrawn_is_told_beside_the_acceptance() -> None:
    paper = merge([ICML, WITHDRAWN_PREPRINT])
    assert paper.is_preprint_withdrawn
    assert dict(paper.origins)["preprint_withdrawn"] == "arxiv:arxivNone"
    assert not merge([ICML, PREPRINT]).is_preprint_withdrawn
    assert not merge([WITHDRAWN_PREPRINT]).is_preprint_withdrawn


@pytest.mark.parametrize(
    ("claim", "field"),
    [
        (replace(PREPRINT, comment="12 pages. Accepted at ICML 2024"), "comment"),
        (replace(PREPRINT, journal_ref="Proceedings of the 41st International Conference on Machine Learning"), "journal_ref"),
    ],
)  # fmt: skip
def test_what_authors_claim_is_shown_as_claimed_where_nobody_else_names_a_venue(claim: Record, field: str) -> None:
    paper = merge([claim])
    assert (paper.venue, paper.status, paper.venue_claimed_in) == ("ICML 2024", "submitted", field)
    assert dict(paper.origins)["venue"] == f"arxiv:{claim.key} ({field})"
    assert paper.place == "ICML 2024, as its authors say"
    for other in (told("bibtex", "TILE", 2031), told("openreview", "ICLR", 2024, "rejected"), ICML):
        named = merge([claim, other])
        assert (named.venue_claimed_in, named.venue) == ("", f"{other.venue.short} {other.venue.year}")  # type: ignore[union-attr]


def test_a_comment_is_weaker_than_a_reference() -> None:
    assert said(
        replace(PREPRINT, comment="Accepted at ICML 2024"),
        replace(PREPRINT, source="arxiv-snapshot", journal_ref="ICLR 2024"),
    ) == ("ICLR 2024", "submitted")


def test_a_claimed_venue_sets_no_year() -> None:
    preprint = record("arxiv", "1", "Tiles", submitted="2023-10-05", comment="Accepted at ICLR 2024")
    assert (merge([preprint]).venue, merge([preprint]).year) == ("ICLR 2024", 2023)


def test_the_year_is_that_of_the_edition_and_not_of_its_printing() -> None:
    printed = Venue("Proceedings of the 41st International Conference on Machine Learning (ICML)", year=2025)
    paper = merge([replace(told("crossref", status="accepted"), venue=printed)])
    assert (paper.venue, paper.year) == ("ICML 2024", 2024)


def test_records_of_one_edition_are_told_by_any_of_its_names() -> None:
    listed = told("openreview", "NIPS", 2016, "rejected")
    book = replace(told("bibtex"), venue=Venue("Advances in Neural Information Processing Systems 29"))
    assert said(listed, book) == ("NeurIPS 2016", "rejected")
    volume = replace(told("pmlr", status="accepted"), identifiers=(parse_identifier("v267/bee25a")[0],))
    assert said(volume, told("openreview", "ICML", 2025, "rejected")) == ("ICML 2025", "accepted")


def test_a_rejected_version_does_not_speak_before_the_preprint() -> None:
    rejected = replace(record("openreview", "1", "Old Title", status="rejected"), venue=Venue(short="ICLR", year=2025))
    newer = record("arxiv", "1", "New Title", status="submitted")
    assert merge([rejected, newer]).title == "New Title"


@pytest.mark.parametrize(
    ("awards", "shown"),
    [
        ({"pmlr": "poster", "openreview": "oral"}, "oral"),
        ({"pmlr": "oral", "openreview": "poster"}, "oral"),
        ({"openreview": "spotlight", "paperlists": "oral"}, "spotlight"),
        ({"openreview": "oral", "paperlists": "prize", "acl": "best paper"}, "best paper; oral"),
        ({"openreview": "oral", "paperlists": "prize"}, "prize; oral"),
        ({"acl": "best paper; outstanding paper"}, "best paper; outstanding paper"),
        ({"acl": "", "pmlr": ""}, ""),
    ],
)
def test_prizes_stand_before_the_best_presentation(awards: dict[str, str], shown: str) -> None:
    records = [replace(told(source, "ICML", 2025, "accepted"), award=award) for source, award in awards.items()]
    assert {merge(order).award for order in permutations(records)} == {shown}


def test_an_award_elsewhere_is_none_here() -> None:
    workshop = replace(told("openreview", "ICML", 2025, "accepted", track="workshop"), award="oral")
    assert merge([workshop, replace(ICML, award="poster")]).award == "poster"
    assert merge([replace(told("openreview", "ICLR", 2025, "rejected"), award="oral")]).award == ""


@pytest.mark.parametrize(
    "title",
    [
        "Erratum", "Errata", "ERRATUM: Tiles and Floors", "Erratum to: Tiles and Floors", "Corrigendum to “Tiles and Floors”",
        "Corrigenda for Tiles", "Erratum - Tiles", "Correction to: Tiles and Floors", "Corrections to \"Tiles and Floors\"",
        "Author Correction: Tiles", "Publisher Correction: Tiles", "Tiles and Floors (Erratum)", "Tiles [Corrigendum]",
        "Biased Tiles: Errata",
    ],
)  # fmt: skip
def test_a_notice_is_a_paper_of_its_own_kind(title: str) -> None:
    assert is_notice(title)
    assert merge([record("crossref", "1", title, status="accepted")]).status == "erratum"
    assert merge([record("crossref", "1", title, status="retracted")]).status == "retracted"


@pytest.mark.parametrize(
    "title",
    [
        "Error Correction of Quantum Tiles", "Grammatical Error Correction: A Survey", "Correction of Tiles under Noise",
        "Corrections to Scaling of Tiles", "Erratic Tiles", "Learning from Errata Corpora", "Currents: a Tile", "",
        "Errata Detection with Language Models", "Author Corrective Feedback", "Tile Correction",
    ],
)  # fmt: skip
def test_research_on_corrections_is_no_notice(title: str) -> None:
    assert not is_notice(title)


claims = st.builds(
    lambda source, venue, year, status, track, award, comment, number: replace(
        told(source, venue, year, status, track=track), award=award, comment=comment, key=str(number)
    ),
    st.sampled_from(["pmlr", "openreview", "paperlists", "dblp", "crossref", "arxiv", "arxiv-snapshot", "bibtex", "page"]),
    st.sampled_from(["", "ICML", "ICLR", "NIPS", "TILE", "CoRR", "arXiv"]),
    st.sampled_from([None, 2024, 2025]),
    st.sampled_from(["accepted", "rejected", "withdrawn", "retracted", "submitted", ""]),
    st.sampled_from(["", "main", "workshop"]),
    st.sampled_from(["", "oral", "poster", "best paper"]),
    st.sampled_from(["", "Accepted at ICML 2025"]),
    st.integers(0, 3),
)  # fmt: skip


def _named(records: list[Record]) -> list[Record]:
    return list({(one.source, one.key): one for one in records}.values())


@given(st.lists(claims, min_size=1, max_size=5).map(_named), st.randoms(use_true_random=False))
def test_the_order_of_claims_never_matters(records: list[Record], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = list(records)
    random.shuffle(shuffled)
    assert merge(records) == merge(shuffled)


@given(st.lists(claims, min_size=1, max_size=5).map(_named))
def test_laws_of_what_is_shown(records: list[Record]) -> None:
    paper: Paper = merge(records)
    statuses = {one.status for one in records}
    assert (paper.status == "retracted") == ("retracted" in statuses)
    assert paper.status in statuses | {""}
    assert "arXiv" not in paper.venue
    assert paper.award == "" or paper.status in ("accepted", "retracted", "")
    named = {f"{one.source}:{one.key}" for one in records}
    assert {origin.partition(" (")[0] for _, origin in paper.origins} <= named
    if paper.venue_claimed_in:
        assert all(one.venue is None or one.venue.short in ("CoRR", "arXiv") for one in records)


@given(claims)
def test_one_claim_alone_says_what_it_says_beside_an_empty_one(claim: Record) -> None:
    alone, beside = merge([claim]), merge([claim, record("zzz", "1", "Tiles")])
    if claim.venue or claim.source in ("arxiv", "arxiv-snapshot"):
        assert (alone.venue, alone.venue_claimed_in, alone.award) == (
            beside.venue,
            beside.venue_claimed_in,
            beside.award,
        )
