"""Topics and terms over years and venues, and the page of each, on papers whose counts are known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from octavo.app import Octavo
from octavo.app.near_names import near_terms, near_topics
from octavo.errors import NotFound, UsageError
from tests.trends_world import CITED, EACH, GAP, GROWING, KERNELS, LLM, LONELY, SHRINKING, STEADILY, STEADY, YEARS, fill


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    with fill(tmp_path_factory.mktemp("trends") / "home") as octavo:
        yield octavo


def years(found: object) -> dict[int, tuple[int, int]]:
    return {int(one.of): (one.n, one.total) for one in found.shares}  # type: ignore[attr-defined]


def test_shares_of_years_are_those_of_the_table(world: Octavo) -> None:
    (trend,) = world.trends(topics=["LLM"]).trends
    assert years(trend) == {year: (n, EACH) for year, n in zip(YEARS, GROWING, strict=True)} | {GAP: (0, 0)}
    gap = next(one for one in trend.shares if one.of == str(GAP))
    assert gap.share is None
    assert trend.n == sum(GROWING)


def test_rising_and_falling_are_told_from_noise(world: Octavo) -> None:
    rising, falling = world.trends(direction="rising"), world.trends(direction="falling")
    assert [one.slug for one in rising.trends] == [LLM]
    assert falling.trends[0].slug == KERNELS
    # What has fewer than thirty papers is not asked about.
    assert rising.n_tested == 4
    steady = world.trends(topics=[STEADILY]).trends[0]
    assert steady.change is not None
    assert steady.change.low < 0 < steady.change.high
    assert steady.direction == ""


def test_a_topic_of_one_paper_tells_nothing(world: Octavo) -> None:
    (trend,) = world.trends(topics=[LONELY]).trends
    assert (trend.n, trend.change, trend.direction) == (1, None, "")
    page = world.topic_page(LONELY)
    assert page.topic.count == 1
    assert [paper.title for paper in page.newest] == [f"Pebble {YEARS[0]}-{EACH - 1}"]
    assert page.authors == ()


def test_terms_are_counted_in_whatever_form_they_stand(world: Octavo) -> None:
    found = world.trends(terms=["Gram matrices"]).trends[0]
    assert [n for year, (n, _) in sorted(years(found).items()) if year != GAP] == list(SHRINKING)
    every = world.trends(kind="term")
    assert [one.slug for one in every.trends] == ["agent", "knowledge-distillation", "gram-matrix"]


def test_shares_of_venues_are_of_what_appeared_there(world: Octavo) -> None:
    (trend,) = world.trends(topics=[LLM], by="venue").trends
    at_acl = sum(n // 2 for n in GROWING)
    at_icml = sum(GROWING) - at_acl
    assert {one.of: (one.n, one.total) for one in trend.shares} == {
        "ACL": (at_acl, at_acl),
        "ICML": (at_icml, at_icml + sum(SHRINKING)),
    }
    assert [one.of for one in trend.shares] == ["ACL", "ICML"]


def test_a_venue_narrows_what_is_counted(world: Octavo) -> None:
    found = world.trends(topics=[KERNELS], venue="icml", since=YEARS[-1], until=YEARS[-1])
    assert found.venue == "ICML"
    assert years(found.trends[0]) == {YEARS[-1]: (SHRINKING[-1], SHRINKING[-1] + GROWING[-1] // 2)}


def test_an_area_shows_what_is_right_below_as_shares_of_its_papers(world: Octavo) -> None:
    found = world.trends(area="General Machine Learning")
    counts = {one.slug: one for one in found.trends}
    assert counts[KERNELS].n == sum(SHRINKING)
    assert years(counts[STEADILY])[YEARS[0]] == (STEADY[0], STEADY[0] + SHRINKING[0])
    assert LLM not in counts


def test_areas_are_shown_when_nothing_is_named(world: Octavo) -> None:
    found = world.trends()
    assert (found.since, found.until, found.kind) == (YEARS[0], YEARS[-1], "topic")
    assert len(found.trends) == 15
    assert world.trends(limit=3).total == 15
    assert len(world.trends(limit=3).trends) == 3


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"topics": ["no such thing"]}, NotFound),
        ({"terms": ["no such thing"]}, NotFound),
        ({"area": "no such thing"}, NotFound),
        ({"venue": "no such venue"}, NotFound),
        ({"topics": [LLM], "terms": ["agent"]}, UsageError),
        ({"by": "author"}, UsageError),
        ({"kind": "author"}, UsageError),
        ({"direction": "sideways"}, UsageError),
        ({"direction": "rising", "by": "venue"}, UsageError),
        ({"since": 2035, "until": 2030}, UsageError),
        ({"since": 1900, "until": 2035}, UsageError),
        ({"since": 20}, UsageError),
        ({"limit": 0}, UsageError),
        ({"topics": [LLM] * 101}, UsageError),
    ],
)
def test_what_can_not_be_asked_for_is_refused(world: Octavo, asked: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        world.trends(**asked)  # type: ignore[arg-type]


def test_years_without_papers_give_no_shares_and_say_so(world: Octavo) -> None:
    found = world.trends(topics=[LLM], since=1990, until=1992)
    assert found.trends[0].shares == ()
    assert found.notes == ("No paper of these years has a topic.",)


def test_an_empty_catalogue_has_no_trends(octavo: Octavo) -> None:
    found = octavo.trends()
    assert all(one.n == 0 and one.shares == () for one in found.trends)
    assert "empty" in found.notes[0]
    assert octavo.topic_page(LLM).newest == ()
    assert octavo.term_page("agent").n == 0
    assert len(octavo.glossary().terms) > 500
    assert all(one.n == 0 for one in octavo.topic_years())


def test_page_of_a_topic_has_its_papers_and_people(world: Octavo) -> None:
    page = world.topic_page("大语言模型")
    assert page.topic.address == "/topic/deep-learning/large-language-models"
    assert [one.node.slug for one in page.above] == ["deep-learning"]
    assert page.topic.count == page.n_read == sum(GROWING)
    assert (page.key, [paper.title for paper in page.key_papers]) == ("cited", [CITED])
    assert page.authors[0] == ("Ann Bee", sum(GROWING))
    assert {str(paper.year) for paper in page.newest} == {str(YEARS[-1])}
    assert page.trend.direction == "rising"
    assert [one.term.slug for one in page.words] == ["knowledge-distillation", "agent"]


def test_key_papers_are_the_middle_when_nobody_counts_citations(world: Octavo) -> None:
    page = world.topic_page(KERNELS)
    assert page.key == "middle"
    assert len(page.key_papers) == 10


def test_an_area_counts_what_is_below_it_once(world: Octavo) -> None:
    page = world.topic_page("deep learning")
    assert page.topic.count == sum(GROWING)
    assert {one.slug: one.n for one in page.below}[LLM] == sum(GROWING)


def test_page_of_a_term_has_its_company(world: Octavo) -> None:
    page = world.term_page("distillation")
    assert page.n == sum(GROWING)
    assert [(one.term.slug, one.n) for one in page.together] == [("agent", sum(GROWING))]
    assert page.together[0].bond.lift > 1
    assert [one.node.slug for one, _ in page.topics] == [LLM]
    assert [paper.title for paper in page.cited] == [CITED]
    assert page.first == (("arxiv:1503.02531", None),)
    assert page.trend.direction == "rising"


def test_a_term_that_nobody_speaks_of_has_an_empty_page(world: Octavo) -> None:
    page = world.term_page("sheaf")
    assert (page.n, page.newest, page.together, page.trend.change) == (0, (), (), None)


def test_glossary_is_narrowed_by_name_and_part(world: Octavo) -> None:
    found = world.glossary("gram")
    assert ("gram-matrix", sum(SHRINKING)) in [(term.slug, n) for term, n in found.terms]
    assert len(found.terms) < found.total
    part = world.glossary(part="theory")
    assert {term.field for term, _ in part.terms} == {"theory"}
    assert world.glossary("zzzz").terms == ()
    with pytest.raises(NotFound, match="no part"):
        world.glossary(part="zzzz")


def test_counts_follow_the_index(world: Octavo, octavo: Octavo) -> None:
    """What is kept of one catalogue is not told of another, nor after a change."""
    assert octavo.topic_page(LLM).topic.count == 0
    octavo.add_bundle()
    assert octavo.topic_page("deep learning").topic.count > 100
    assert world.topic_page(LLM).topic.count == sum(GROWING)


def test_papers_about_a_subject_come_newest_first(world: Octavo) -> None:
    found = world.papers_about("topic", LLM, 40)
    assert len(found) == 40
    assert [paper.year for paper in found] == sorted((paper.year for paper in found), reverse=True)
    assert len(world.papers_about("term", "gram-matrix", 1000)) == sum(SHRINKING)


def test_near_names_forgive_slips() -> None:
    assert near_topics("larg language modls")[0].slug == LLM
    assert near_terms("distilation")[0].slug == "knowledge-distillation"
    assert near_terms("\u4e00\u4e8c\u4e09\u56db") == []


def test_views_are_told_as_json(world: Octavo) -> None:
    told = world.trends(topics=[LLM]).to_dict()
    gap = next(one for one in told["trends"][0]["shares"] if one["of"] == str(GAP))
    assert gap == {"of": str(GAP), "papers": 0, "total": 0, "share": None, "low": None, "high": None}
    assert told["trends"][0]["direction"] == "rising"
    assert world.topic_page(LLM).to_dict()["key"] == "cited"
    assert world.term_page("agent").to_dict()["together"][0]["slug"] == "knowledge-distillation"
    assert world.glossary("gram matrix").to_dict()["terms"][0]["address"] == "/glossary/gram-matrix"
