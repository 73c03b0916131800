"""Words for what became of a paper. D06 and D07 are entries of the project's list of pitfalls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records.decisions import PRESENTATIONS, Decision, parse_decision
from octavo.records.paper import STATUSES


@pytest.mark.parametrize(
    ("said", "status", "award"),
    [
        ("Accept", "accepted", ""),
        ("Accepted", "accepted", ""),
        ("Decision: Accept", "accepted", ""),
        ("Accept (Oral)", "accepted", "oral"),
        ("Accept (Poster)", "accepted", "poster"),
        ("Accept (Spotlight)", "accepted", "spotlight"),
        ("Accept (Talk)", "accepted", "talk"),
        ("Accept (Long Presentation)", "accepted", "long oral"),
        ("Accept: poster", "accepted", "poster"),
        ("Accept: notable-top-25%", "accepted", "notable top 25%"),
        ("Accept: Findings", "accepted", ""),
        ("Accept as is", "accepted", ""),
        ("Accept with minor revision", "accepted", ""),
        ("notable-top-5%", "accepted", "notable top 5%"),
        ("Top-5%", "accepted", "notable top 5%"),
        ("ICLR 2031 notable top 5%", "accepted", "notable top 5%"),
        ("NeurIPS 2031 oral", "accepted", "oral"),
        ("ICML 2031 Spotlight Poster", "accepted", "spotlight"),
        ("ICML 2031 Long Talk", "accepted", "long talk"),
        ("Spotlight Poster", "accepted", "spotlight"),
        ("ICML 2031 spotlightposter", "accepted", "spotlight"),
        ("Poster Workshop", "accepted", "poster"),
        ("Highlighted", "accepted", "highlight"),
        ("Oral", "accepted", "oral"),
        ("Poster", "accepted", "poster"),
        ("Talk", "accepted", "talk"),
        ("Long", "accepted", ""),
        ("Short", "accepted", ""),
        ("Findings", "accepted", ""),
        ("Industry", "accepted", ""),
        ("Journal", "accepted", ""),
        ("Workshop", "accepted", ""),
        ("System Demonstrations", "accepted", ""),
        ("Technical", "accepted", ""),
        ("To appear", "accepted", ""),
        ("Best Paper Award", "accepted", "best paper"),
        ("Accept (oral), Best Paper", "accepted", "best paper"),
        ("Outstanding Paper Honorable Mention", "accepted", "outstanding paper honorable mention"),
        ("Best Paper Honourable Mention", "accepted", "best paper honorable mention"),
        ("Honorable Mention for Best Long Paper", "accepted", "honorable mention for best long paper"),
        ("Best Demonstration Runner-up", "accepted", "best demonstration runner-up"),
        ("Test-of-Time Award (25 years)", "accepted", "test of time"),
        ("Featured Certification", "accepted", "featured certification"),
        ("Reject", "rejected", ""),
        ("Rejected", "rejected", ""),
        ("Desk Reject", "rejected", ""),
        ("Desk Rejected", "rejected", ""),
        ("Desk_Rejected_Submission", "rejected", ""),
        ("Rejected_Submission", "rejected", ""),
        ("Reject with encouragement to resubmit", "rejected", ""),
        ("Not accepted", "rejected", ""),
        ("Declined", "rejected", ""),
        ("Invite to Workshop Track", "rejected", ""),
        ("invite to workshop", "rejected", ""),
        ("Withdraw", "withdrawn", ""),
        ("Withdrawn by Authors", "withdrawn", ""),
        ("Withdrawn_Submission", "withdrawn", ""),
        ("ICLR 2031 Conference Withdrawn Submission", "withdrawn", ""),
        ("Withdrawn after acceptance", "withdrawn", ""),
        ("Accepted (oral), withdrawn by the authors", "withdrawn", ""),
        ("Retracted", "retracted", ""),
        ("Retraction", "retracted", ""),
        ("RETRACTED: Moving Tiles", "retracted", ""),
        ("Submitted to ICLR 2031", "submitted", ""),
        ("Submission", "submitted", ""),
        ("Under review", "submitted", ""),
        ("Under double-blind review", "submitted", ""),
        ("Active", "submitted", ""),
        ("Decision pending", "submitted", ""),
        ("Revise and resubmit", "submitted", ""),
    ],
)
def test_d07_a_decision_is_read_in_the_words_of_its_venue(said: str, status: str, award: str) -> None:
    assert parse_decision(said) == (status, award)
    assert parse_decision(f"  {said.upper()}\n") == (status, award)


@pytest.mark.parametrize(
    "said",
    [
        "Erratum",
        "erratum",
        "Corrigendum to: Moving Tiles",
        "correction",
        "Expression of concern",
        "expression_of_concern",
        "partial_retraction",
        "addendum",
    ],
)
def test_d06_a_notice_about_a_paper_is_no_fate_of_it(said: str) -> None:
    assert parse_decision(said) == Decision()


@pytest.mark.parametrize(
    "said",
    [
        "",
        " ",
        "ICML 2031",
        "Unknown",
        "Accept/Reject",
        "accept or reject",
        "Conditional Accept",
        "Acceptance rate: 20%",
    ],
)
def test_nothing_is_said_when_the_words_are_open(said: str) -> None:
    assert parse_decision(said) == Decision()


@given(st.text(max_size=400))
def test_any_text_gives_a_known_status(said: str) -> None:
    status, award = parse_decision(said)
    assert status in STATUSES
    assert not award or status == "accepted"


@pytest.mark.parametrize("presentation", PRESENTATIONS)
def test_the_normal_form_of_a_presentation_is_read_as_itself(presentation: str) -> None:
    assert parse_decision(presentation) == ("accepted", presentation)
    assert parse_decision(f"Accept ({presentation})") == ("accepted", presentation)
