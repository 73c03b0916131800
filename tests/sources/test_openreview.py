"""OpenReview's notes: `octavo.sources.openreview`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.errors import FormatError
from octavo.records.codec import record_from_dict, record_to_dict
from octavo.records.paper import STATUSES, Record
from octavo.sources.base import MAX_TEXT, Fault, Page
from octavo.sources.openreview import OpenReviewSource

SOURCE = OpenReviewSource()
MAY_9 = 1_936_051_200_000 + 23 * 3_600_000  # 2031-05-09, 23:00 UTC
CONTENT: dict[str, Any] = {
    "title": "Tiles for $n$ Floors",
    "abstract": "We lay **many** tiles.",
    "authors": ["Ann Bee", "Cy Dee"],
    "authorids": ["~Ann_Bee1", "cy@dee.example"],
    "keywords": ["tiles", "floors", "tiles"],
    "primary_area": "flooring",
    "TL;DR": "Tiles are enough.",
    "venue": "ICLR 2031 oral",
    "venueid": "ICLR.cc/2031/Conference",
    "pdf": "/pdf/0123abcd.pdf",
    "supplementary_material": "/attachment/0123abcd.zip",
    "code": "https://github.com/bee/tiles",
}
NOTE: dict[str, Any] = {
    "id": "AbC12xYz90",
    "forum": "AbC12xYz90",
    "cdate": MAY_9,
    "mdate": MAY_9 + 86_400_000,
    "invitations": ["ICLR.cc/2031/Conference/-/Submission", "ICLR.cc/2031/Conference/-/Edit"],
    "license": "CC BY 4.0",
    "content": {name: {"value": value} for name, value in CONTENT.items()},
}


def note(*, wrapped: bool = True, **changes: object) -> dict[str, Any]:
    content = {
        name.replace("TLDR", "TL;DR"): value for name, value in {**CONTENT, **changes}.items() if value is not ...
    }
    return {**NOTE, "content": {name: {"value": value} for name, value in content.items()} if wrapped else content}


def read(value: object) -> list[Record | Fault]:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    return list(SOURCE.parse(Page(content, "answer.json")))


def one(value: object = None, /, **changes: object) -> Any:
    (found,) = read(value if value is not None else note(**changes))
    return found


def test_paper_is_read_whole() -> None:
    record = one()
    assert (record.key, [str(name) for name in record.identifiers]) == ("AbC12xYz90", ["openreview:AbC12xYz90"])
    assert record.title.plain == "Tiles for n Floors"
    assert record.abstract.plain == "We lay many tiles."
    assert record.tldr.plain == "Tiles are enough."
    assert [(person.name, person.ids) for person in record.authors] == [
        ("Ann Bee", ("openreview:~Ann_Bee1",)),
        ("Cy Dee", ()),
    ]
    assert not record.authors_incomplete
    assert (record.venue.short, record.venue.year, record.venue.track) == ("ICLR", 2031, "main")
    assert (record.status, record.award) == ("accepted", "oral")
    assert (record.submitted_on, record.updated_on, record.published_on) == ("2031-05-09", "2031-05-10", "2031")
    assert (record.keywords, record.topics) == (("tiles", "floors"), (("flooring",),))
    assert record.licence == "CC BY 4.0"
    assert dict(record.links) == {
        "page": "https://openreview.net/forum?id=AbC12xYz90",
        "pdf": "https://openreview.net/pdf/0123abcd.pdf",
        "code": "https://github.com/bee/tiles",
        "supplement": "https://openreview.net/attachment/0123abcd.zip",
    }


def test_both_versions_of_the_api_say_the_same() -> None:  # B07
    assert one(note(wrapped=False)) == one(note())


def test_paper_is_the_note_whose_id_is_its_forum() -> None:  # B07
    notes = [
        {"id": "AbC12xYz90", "forum": "AbC12xYz90", "content": {"title": {"value": "Tiles"}}},
        {"id": "r1", "forum": "AbC12xYz90", "content": {"title": {"value": "Official Review"}}},
        {"id": "Old1", "forum": "Old1", "content": {"title": "Plain"}},
    ]
    found = read(notes)
    assert [one.title.plain for one in found if isinstance(one, Record)] == ["Tiles", "Plain"]
    assert len(found) == 2  # a reply is no fault


@pytest.mark.parametrize(
    ("answer", "papers"),
    [
        (NOTE, 1),
        ({"notes": [NOTE, NOTE], "count": 2}, 2),
        ({"notes": [], "count": 0}, 0),
        ([{"notes": [NOTE]}, NOTE], 2),
        ([{"venue": "ICLR.cc", "year": 2031, "submissions": [NOTE]}], 1),
    ],
)
def test_answer_of_each_kind_gives_its_papers(answer: object, papers: int) -> None:
    assert [type(one) for one in read(answer)] == [Record] * papers


@pytest.mark.parametrize(
    ("milliseconds", "day"),
    [
        (MAY_9, "2031-05-09"),
        (MAY_9 + 3_599_999, "2031-05-09"),
        (MAY_9 + 3_600_000, "2031-05-10"),
        (float(MAY_9), "2031-05-09"),
        (None, None),
        (0, None),
        (-1, None),
        (10**30, None),
        (True, None),
        ("2031-05-09", None),
        (float("nan"), None),
    ],
)
def test_time_in_milliseconds_is_a_day_in_utc(milliseconds: object, day: str | None) -> None:  # B07
    assert one({**NOTE, "cdate": milliseconds}).submitted_on == day


# What became of it

GROUP = "ICLR.cc/2031/Conference"


@pytest.mark.parametrize(
    ("venueid", "venue", "status", "award"),
    [
        (GROUP, "ICLR 2031 oral", "accepted", "oral"),
        (GROUP, "ICLR 2031 Spotlight", "accepted", "spotlight"),
        (GROUP, "ICML 2031 spotlightposter", "accepted", "spotlight"),
        (GROUP, "ICLR 2031 poster", "accepted", "poster"),
        (GROUP, "ICLR 2031 notable top 5%", "accepted", "notable top 5%"),
        (GROUP, "ICLR 2031", "accepted", ""),
        (f"{GROUP}/Rejected_Submission", "Submitted to ICLR 2031", "rejected", ""),
        (f"{GROUP}/Desk_Rejected_Submission", "ICLR 2031 Conference Desk Rejected Submission", "rejected", ""),
        (f"{GROUP}/Withdrawn_Submission", "ICLR 2031 Conference Withdrawn Submission", "withdrawn", ""),
        (f"{GROUP}/Submission", "ICLR 2031 Conference Submission", "submitted", ""),
        (GROUP, "Submitted to ICLR 2031", "submitted", ""),
        (GROUP, "ICLR 2031 Submitted", "submitted", ""),
        ("TMLR", "Accepted by TMLR", "accepted", ""),
        ("TMLR/Under_Review", "Under review for TMLR", "submitted", ""),
        ("TMLR/Decision_Pending", "Decision pending for TMLR", "submitted", ""),
        ("TMLR/Rejected", "Rejected by TMLR", "rejected", ""),
        ("TMLR/Withdrawn_by_Authors", "Withdrawn by Authors", "withdrawn", ""),
        ("TMLR/Retracted_Acceptance", "Retracted by TMLR", "retracted", ""),
        ("TMLR/Assigning_AE", "TMLR", "submitted", ""),
        ("dblp.org/journals/CORR/2031", "CoRR 2031", "", ""),
        ("dblp.org/conf/ICML/2031", "ICML 2031", "accepted", ""),
        (..., "ICLR 2031 Poster", "accepted", "poster"),
        (..., "Submitted to ICLR 2031", "submitted", ""),
        (..., ..., "", ""),
    ],
)
def test_status_follows_the_venueid(venueid: object, venue: object, status: str, award: str) -> None:  # D07
    record = one(venueid=venueid, venue=venue)
    assert (record.status, record.award) == (status, award)
    assert (record.published_on is not None) == (status == "accepted" and bool(record.venue.year))


def test_paper_under_review_is_not_published() -> None:  # D07
    record = one(venue="Submitted to Conf 2031", venueid="Conf.org/2031/Conference/Submission")
    assert (record.status, record.published_on) == ("submitted", None)
    assert (record.venue.short, record.venue.year) == ("Conf", 2031)


@pytest.mark.parametrize(
    ("venueid", "short", "year", "track"),
    [
        ("NeurIPS.cc/2031/Conference", "NeurIPS", 2031, "main"),
        ("NIPS.cc/2031/Workshop/TILES", "NeurIPS Workshop TILES", 2031, "workshop"),
        ("NeurIPS.cc/2031/Track/Datasets_and_Benchmarks", "NeurIPS", 2031, "datasets and benchmarks"),
        ("ICML.cc/2031/Position_Paper_Track", "ICML", 2031, "position paper track"),
        ("colmweb.org/COLM/2031/Conference/Rejected_Submission", "COLM", 2031, "main"),
        ("robot-learning.org/CoRL/2031/Conference", "CoRL", 2031, "main"),
        ("dblp.org/conf/icml/2031", "ICML", 2031, ""),
        ("TMLR", "TMLR", None, ""),
    ],
)
def test_venue_and_edition_follow_the_venueid(venueid: str, short: str, year: int | None, track: str) -> None:
    venue = one(venueid=venueid, venue="as it may be").venue
    assert (venue.short, venue.year, venue.track) == (short, year, track)


@pytest.mark.parametrize(
    ("venue", "name", "short", "year"),
    [
        ("ICLR 2031 Poster", "", "ICLR", 2031),
        ("Learning for Tiles 2031", "Learning for Tiles 2031", "", 2031),
        ("Tiles", "Tiles", "", None),
    ],
)
def test_venue_is_read_from_its_name_when_there_is_no_venueid(
    venue: str, name: str, short: str, year: int | None
) -> None:
    found = one({**note(venueid=..., venue=venue), "invitations": []}).venue
    assert (found.name, found.short, found.year) == (name, short, year)


def old(invitation: str, **fields: object) -> Any:
    content = {"title": "Tiles", "authors": ["Ann Bee"]}
    return one({"id": "Old12345", "forum": "Old12345", "invitation": invitation, "content": content, **fields})


def reply(decision: object) -> dict[str, Any]:
    return {"id": "r1", "forum": "Old12345", "content": {"title": "Decision", "decision": decision}}


@pytest.mark.parametrize(
    ("invitation", "fields", "status", "award"),
    [
        (f"{GROUP}/-/Blind_Submission", {}, "", ""),
        (f"{GROUP}/-/Withdrawn_Submission", {}, "withdrawn", ""),
        (f"{GROUP}/-/Desk_Rejected_Submission", {}, "rejected", ""),
        (f"{GROUP}/-/Blind_Submission", {"details": {"directReplies": [reply("Accept (Oral)")]}}, "accepted", "oral"),
        (f"{GROUP}/-/Blind_Submission", {"details": {"replies": [{}, reply({"value": "Reject"})]}}, "rejected", ""),
        (f"{GROUP}/-/Blind_Submission", {"notes": [reply("Accept")]}, "accepted", ""),
        (f"{GROUP}/-/Blind_Submission", {"details": {"replies": [reply(7), None, reply("Discuss")]}}, "", ""),
        (f"{GROUP}/-/Withdrawn_Submission", {"notes": [reply("Accept")]}, "withdrawn", ""),
    ],
)
def test_old_note_is_decided_by_its_invitation_or_a_reply(
    invitation: str, fields: dict[str, Any], status: str, award: str
) -> None:  # D07
    record = old(invitation, **fields)
    assert (record.status, record.award) == (status, award)
    assert (record.venue.short, record.venue.year) == ("ICLR", 2031)


def decided(*replies: Any, venueid: str = f"{GROUP}/Submission", venue: object = ...) -> tuple[str, str]:
    record = one({**note(venueid=venueid, venue=venue), "details": {"directReplies": list(replies)}})
    return record.status, record.award


@pytest.mark.parametrize(
    ("said", "status", "award"),
    [
        ("Accept (Oral)", "accepted", "oral"), ("Accept: notable-top-5%", "accepted", "notable top 5%"), ("accept", "accepted", ""),
        ("Reject", "rejected", ""), ("Desk Reject", "rejected", ""), ("Invite to Workshop Track", "rejected", ""),
        ("Not accepted", "rejected", ""), ("Conditional accept", "submitted", ""), ("Discuss", "submitted", ""), ("", "submitted", ""),
    ],
)  # fmt: skip
def test_paper_under_review_is_decided_by_a_public_decision(said: str, status: str, award: str) -> None:  # D07
    assert decided(reply({"value": said})) == (status, award)


def test_submitted_by_the_venue_is_rejected_when_a_decision_says_so() -> None:
    """ICLR 2022 and 2023 left rejected papers under the venue's own id."""
    assert decided(reply("Reject"), venueid=GROUP, venue="Submitted to ICLR 2031") == ("rejected", "")


@pytest.mark.parametrize(
    ("venueid", "said", "status"),
    [
        (f"{GROUP}/Withdrawn_Submission", "Accept (Oral)", "withdrawn"),
        (f"{GROUP}/Rejected_Submission", "Accept (Oral)", "rejected"),
        (GROUP, "Reject", "accepted"),
    ],
)
def test_venueid_that_tells_the_fate_counts_more_than_a_decision(venueid: str, said: str, status: str) -> None:  # D07
    assert decided(reply(said), venueid=venueid)[0] == status


def test_latest_decision_counts() -> None:
    early, late = ({**reply(said), "tcdate": MAY_9 + n} for n, said in enumerate(("Reject", "Accept (Poster)")))
    assert decided(early, late) == decided(late, early) == ("accepted", "poster")
    assert decided(early, {**late, "ddate": MAY_9}) == ("rejected", "")
    assert decided(early, {**late, "tcdate": "soon"}) == ("rejected", "")


@pytest.mark.parametrize(
    ("invitation", "field", "status"),
    [
        ("-/Paper7/Meta_Review", "recommendation", "accepted"), ("Paper7/-/Meta_Review", "recommendation", ""),
        ("-/Paper7/Official_Review", "recommendation", ""), ("-/Paper7/Meta_Review", "rating", ""),
    ],
)  # fmt: skip
def test_meta_review_was_a_decision_once(invitation: str, field: str, status: str) -> None:  # D07
    """ICLR 2019 decided by `-/Paper7/Meta_Review`."""
    said = {"invitation": f"{GROUP}/{invitation}", "tcdate": MAY_9, "content": {field: "Accept (Poster)"}}
    assert old(f"{GROUP}/-/Blind_Submission", details={"directReplies": [said]}).status == status
    both = [said, {**reply("Reject"), "tcdate": MAY_9 - 1}]
    assert old(f"{GROUP}/-/Blind_Submission", details={"directReplies": both}).status == "rejected"


@pytest.mark.parametrize("replies", [None, 7, "x", {}, [], [None], [{"content": None}], [{"content": {"decision": 7}}]])
def test_replies_of_any_kind_decide_nothing(replies: object) -> None:
    details = {"directReplies": replies}
    assert one({**note(venueid=f"{GROUP}/Submission", venue=...), "details": details}).status == "submitted"


def test_invitation_that_decides_counts_wherever_it_stands() -> None:
    names = [f"{GROUP}/-/Submission", f"{GROUP}/-/Edit", f"{GROUP}/-/Withdrawn_Submission"]
    assert one({**note(venueid=..., venue=...), "invitations": names}).status == "withdrawn"


# Authors


@pytest.mark.parametrize("authors", [..., None, [], ["Anonymous"], "Anonymous", ["Anonymous Authors"]])
def test_hidden_authors_are_none_and_the_list_is_incomplete(authors: object) -> None:  # D08
    record = one(authors=authors, authorids=...)
    assert (record.authors, record.authors_incomplete) == ((), True)


def test_note_that_names_its_authors_later_is_the_same_record() -> None:  # D08
    hidden, named = one(authors=..., authorids=...), one(authors=["Ann Bee"], authorids=...)
    assert (hidden.source, hidden.key) == (named.source, named.key)
    assert [person.name for person in named.authors] == ["Ann Bee"]
    assert not named.authors_incomplete


@pytest.mark.parametrize(
    "ids",
    [
        ["ann@bee.example", "cy@dee.example"],
        ["~ann@bee.example", 7],
        ["https://bee.example", ""],
        ["~Ann_Bee1"],
        "~Ann_Bee1",
    ],
)
def test_id_of_an_author_is_kept_when_it_is_a_profile_only(ids: object) -> None:
    record = one(authorids=ids)
    assert [person.ids for person in record.authors] == [(), ()]
    assert "@" not in str(record)


@pytest.mark.parametrize(
    ("original", "names"),
    [
        ({"content": {"authors": ["Ann Bee"], "authorids": ["~Ann_Bee1"]}}, ["Ann Bee"]),
        ({"content": {"authors": {"value": ["Ann Bee"]}}}, ["Ann Bee"]),
        ({"content": {"authors": ["Anonymous"]}}, []),
        ({"content": {}}, []),
        ({"content": 7}, []),
        (7, []),
    ],
)
def test_authors_of_a_blind_note_are_those_of_its_original(original: object, names: list[str]) -> None:
    record = one({**note(authors=["Anonymous"], authorids=["x"]), "details": {"original": original}})
    assert [person.name for person in record.authors] == names
    assert record.authors_incomplete == (not names)


def test_author_who_is_an_address_is_left_out() -> None:
    record = one(authors=["Ann Bee", "cy@dee.example"])
    assert [person.name for person in record.authors] == ["Ann Bee"]
    assert record.authors_incomplete


def test_author_may_be_an_object() -> None:
    who = {"fullname": "Ann Bee", "username": "~Ann_Bee1", "email": "ann@bee.example", "gender": "x"}
    record = one(authors=[who], authorids=...)
    assert [(person.name, person.ids) for person in record.authors] == [("Ann Bee", ("openreview:~Ann_Bee1",))]
    assert "@" not in str(record)


def test_author_without_a_name_makes_the_list_incomplete() -> None:
    record = one(authors=["Ann Bee", {"username": "~Cy_Dee1", "fullname": None}], authorids=...)
    assert [person.name for person in record.authors] == ["Ann Bee"]
    assert record.authors_incomplete


# Other fields


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        (["tiles", "floors"], ("tiles", "floors")),
        ("tiles; floors, walls", ("tiles", "floors, walls")),
        ("tiles, floors", ("tiles", "floors")),
        (["tiles, floors"], ("tiles", "floors")),
        (["a, b", "c"], ("a, b", "c")),
        ([], ()),
        (None, ()),
    ],
)
def test_keywords_are_a_list_in_any_form(keywords: object, expected: tuple[str, ...]) -> None:
    assert one(keywords=keywords).keywords == expected


@pytest.mark.parametrize(
    ("pdf", "link"),
    [
        ("/pdf/a.pdf", "https://openreview.net/pdf/a.pdf"),
        ("https://arxiv.org/pdf/2101.00010", "https://arxiv.org/pdf/2101.00010"),
        ("javascript:alert(1)", None),
        ("//evil.example/a.pdf", None),
        (None, None),
        (7, None),
    ],
)
def test_link_is_of_the_web_or_absent(pdf: object, link: str | None) -> None:
    assert dict(one(pdf=pdf).links).get("pdf") == link


def test_ids_of_other_sites_are_read() -> None:
    others = ["dblp:conf/iclr/BeeD31", "arxiv:2101.00010", "pubmed:7", "doi:none", None]
    names = [str(name) for name in one({**NOTE, "externalIds": others}).identifiers]
    assert names == ["openreview:AbC12xYz90", "dblp:conf/iclr/BeeD31", "arxiv:2101.00010"]


@pytest.mark.parametrize(
    ("field", "sentence"), [("TL;DR", "So."), ("TLDR", "So."), ("one-sentence_summary", "So."), ("summary", None)]
)
def test_sentence_is_read_under_each_of_its_names(field: str, sentence: str | None) -> None:
    record = one({**NOTE, "content": {"title": "Tiles", "TL;DR": "", field: "So."}})
    assert (record.tldr.plain if record.tldr else None) == sentence


def test_area_is_read_under_its_older_name() -> None:
    field = "Please_choose_the_closest_area_that_your_submission_falls_into"
    assert one({**NOTE, "content": {"title": "Tiles", field: "Laying (e.g., floors, walls)"}}).topics == (
        ("Laying (e.g., floors, walls)",),
    )


@pytest.mark.parametrize("abstract", ["N/A", "-", "", None])
def test_abstract_is_absent_when_it_is_a_stand_in(abstract: str | None) -> None:  # C14
    assert one(abstract=abstract).abstract is None


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (note(title=None), "no title"),
        (note(title=["Tiles"]), "title is not text"),
        (note(authors={"a": 1}), "authors is not a list"),
        (note(authors=[7]), "authors holds a name that is not text"),
        (note(keywords=[7]), "keywords is not text"),
        (note(abstract="x" * (MAX_TEXT + 1)), f"abstract is longer than {MAX_TEXT:,} characters"),
        ({**NOTE, "ddate": MAY_9}, "deleted"),
        ({**NOTE, "content": "none"}, "content is not an object"),
        ({"id": "AbC12xYz90"}, "no note of OpenReview"),
        ({"DOI": "10.5555/a"}, "no note of OpenReview"),
        ({"name": "ForbiddenError", "message": "Too many", "status": 429}, "an error in the place of a paper"),
    ],
)
def test_bad_note_is_a_fault_with_its_reason(value: object, reason: str) -> None:
    found = one(value)
    assert isinstance(found, Fault)
    assert found.reason == reason


def test_answer_of_another_service_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"paperId": "a", "title": "Tiles"}')
    with pytest.raises(FormatError, match="holds no answer of OpenReview"):
        list(SOURCE.fetch(path))


# Anything

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.just("value") | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.binary(max_size=300))
def test_parse_takes_any_bytes(content: bytes) -> None:
    for found in read(content):
        assert isinstance(found, Record | Fault)


@settings(max_examples=300)
@given(
    st.dictionaries(
        st.sampled_from([*NOTE, "details", "notes", "odate", "pdate", "externalIds", "replyto"]), JSON, max_size=3
    ),
    st.dictionaries(st.sampled_from([*CONTENT]), JSON, max_size=3),
)
def test_parse_takes_any_value_in_any_field(changes: dict[str, Any], inside: dict[str, Any]) -> None:
    for found in read({**NOTE, "content": {**NOTE["content"], **inside}, **changes}):
        if isinstance(found, Record):
            assert record_from_dict(record_to_dict(found)) == found
            assert found.status in STATUSES


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_venue_gives_a_known_status(venueid: str, venue: str, invitation: str) -> None:
    record = one({**note(venueid=venueid, venue=venue), "invitations": [f"{invitation}/-/{venue}"]})
    assert record.status in STATUSES


@given(st.integers(0, len(json.dumps(NOTE))), st.binary(max_size=3))
def test_parse_takes_good_answers_that_were_damaged(at: int, put: bytes) -> None:
    content = json.dumps(NOTE).encode()
    for found in [*read(content[:at] + put + content[at + len(put) :]), *read(content[:at])]:
        assert isinstance(found, Record | Fault)


@pytest.mark.real
def test_real_file_is_read(shared: Path) -> None:
    found = [one for page in SOURCE.fetch(shared / "data" / "samples" / "openreview") for one in SOURCE.parse(page)]
    records = [one for one in found if isinstance(one, Record)]
    assert len(records) == len(found) == 2
    for record in records:
        assert record.status == "accepted"
        assert record.venue is not None
        assert (record.venue.short, record.venue.year) == ("NeurIPS Workshop CDNNRIA", 2018)
        assert record.authors
        assert "@" not in str(record.authors)
