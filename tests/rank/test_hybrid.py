"""Search by words and meaning over a few made-up papers about real subjects, which the bundled encoder knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.errors import UsageError
from octavo.records.codec import encode_record
from octavo.views import SearchView
from tests.world import record

PAPERS = {
    "Elastic Anchors for Continual Learning": "Networks that learn tasks one after another lose the old ones: catastrophic forgetting. "
    "We anchor weights that mattered.",
    "Forgetting Where the Keys Are": "A survey of what people in old houses keep, and of models of locks.",
    "Sampling in Few Steps from Diffusion Models": "Denoising score matching needs hundreds of steps; our solver needs ten.",
    "Molecules as Graphs": "Message passing neural networks predict the energies of molecules.",
    "Protein Folding on a Budget": "Structure prediction of proteins from sequences with small transformers.",
    "Bandits with Delayed Coffee": "Regret bounds for multi-armed bandits whose rewards come late.",
    "Fair Credit, Fair Trees": "Fairness constraints for decision trees in lending.",
    "Speech without Transcripts": "Self-supervised speech recognition from untranscribed audio.",
    "Private Gradients": "Differential privacy for stochastic gradient descent in federated learning.",
    "Robots that Fold Towels": "Imitation learning for manipulation of deformable objects.",
    "Kernel Machines Revisited": "Support vector machines and reproducing kernel Hilbert spaces, again.",
    "Reading Tables Aloud": "Question answering over tables with large language models.",
    "Notes of a Gardener": "Roses want sun.",
    "Fang: A Way to Bite": "Tooth by tooth.",
}
AUTHORS = {"Molecules as Graphs": "Rosa Kernel; Max Forgetting", "Kernel Machines Revisited": "Ida Tiler; Fang Fang"}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    folder: Path = tmp_path_factory.mktemp("shelf")
    file = folder / "shelf.jsonl"
    records = [
        record(
            "pmlr", f"v901/s{at}", title, AUTHORS.get(title, "Ann Bee"), abstract=text, venue="SHELF", year=2020 + at
        )
        for at, (title, text) in enumerate(PAPERS.items())
    ]
    file.write_text("".join(encode_record(one) + "\n" for one in records), encoding="utf-8")
    with Octavo(folder / "home") as octavo:
        octavo.add("jsonl", file)
        yield octavo


def titles(found: SearchView) -> list[str]:
    return [hit.paper.title for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("neural nets remembering earlier tasks", "Elastic Anchors for Continual Learning"),
        ("accelerating generative image samplers", "Sampling in Few Steps from Diffusion Models"),
        ("chemistry property prediction", "Molecules as Graphs"),
        ("automatic transcription of voice recordings", "Speech without Transcripts"),
    ],
)
def test_meaning_finds_a_paper_that_has_hardly_a_word_of_the_query(shelf: Octavo, query: str, first: str) -> None:
    found = shelf.search(query)
    assert titles(found)[0] == first
    assert found.by_meaning
    assert found.matching == 0
    assert any("near in meaning" in note for note in found.notes)
    assert not shelf.search(query, way="words").by_meaning


def test_who_has_all_the_words_comes_before_who_means_it(shelf: Octavo) -> None:
    found = shelf.search("forgetting keys")
    assert titles(found)[0] == "Forgetting Where the Keys Are"
    assert found.matching == 1


def test_a_quoted_phrase_is_exact_and_nothing_comes_after_it(shelf: Octavo) -> None:
    found = shelf.search('"catastrophic forgetting"')
    assert titles(found) == ["Elastic Anchors for Continual Learning"]
    assert (found.total, found.matching, found.by_meaning) == (1, 1, False)


@pytest.mark.parametrize(
    "query", ["title:forgetting", "author:tiler", "year:2021", "forgetting OR roses", "id:2101.00010"]
)
def test_fields_and_operators_are_exact(shelf: Octavo, query: str) -> None:
    found = shelf.search(query)
    assert found.total == found.matching
    assert not found.by_meaning


def test_a_filter_holds_for_what_meaning_finds_too(shelf: Octavo) -> None:
    within, without = (
        shelf.search(f"neural nets remembering earlier tasks year:{years}") for years in ("2020", "2021..")
    )
    assert titles(within) == ["Elastic Anchors for Continual Learning"]
    assert "Elastic Anchors for Continual Learning" not in titles(without)


def test_an_excluded_word_excludes_what_meaning_finds_too(shelf: Octavo) -> None:
    assert "Elastic Anchors for Continual Learning" not in titles(
        shelf.search("neural nets remembering earlier tasks -anchor")
    )


def test_a_persons_papers_come_before_papers_with_the_words(shelf: Octavo) -> None:
    first, *_ = shelf.search("max forgetting").hits
    assert first.paper.title == "Molecules as Graphs"
    assert "is by an author of this name" in str(first.why)


def test_what_a_paper_calls_itself_finds_it_before_people_of_that_name(shelf: Octavo) -> None:
    found = shelf.search("fang")
    assert titles(found)[:2] == ["Fang: A Way to Bite", "Kernel Machines Revisited"]
    assert "is called this" in str(found.hits[0].why)


def test_an_exact_title_is_first_whatever_means_the_same(shelf: Octavo) -> None:
    for title in PAPERS:
        first, *_ = shelf.search(title.lower()).hits
        assert first.paper.title == title
        assert "the title is exactly this" in str(first.why)


def test_a_sentence_of_an_abstract_finds_it_first(shelf: Octavo) -> None:
    for title, abstract in PAPERS.items():
        sentence = abstract.split(".")[0]
        assert titles(shelf.search(sentence))[0] == title


@pytest.mark.parametrize(
    ("sentence", "first"),
    [
        (
            "Our solver needs ten steps (-10.5% of +7.6%), where denoising needs hundreds",
            "Sampling in Few Steps from Diffusion Models",
        ),
        ("Regret bounds for multi-armed bandits, code at https://example.org/coffee", "Bandits with Delayed Coffee"),
    ],
)
def test_a_pasted_sentence_finds_its_paper_whatever_is_in_it(shelf: Octavo, sentence: str, first: str) -> None:
    assert titles(shelf.search(sentence))[0] == first


def test_leafing_shows_each_paper_once_to_the_last_page(shelf: Octavo) -> None:
    whole = shelf.search("learning models", 100)
    pages = [shelf.search("learning models", 2, at) for at in range(0, whole.total + 2, 2)]
    assert [hit.paper.id for page in pages for hit in page.hits] == [hit.paper.id for hit in whole.hits]
    assert {page.total for page in pages} == {whole.total}
    assert len({hit.paper.id for hit in whole.hits}) == whole.total
    assert [hit.rank for page in pages for hit in page.hits] == list(range(1, whole.total + 1))


def test_scores_fall_and_are_the_sum_of_their_reasons(shelf: Octavo) -> None:
    found = shelf.search("learning models", 100)
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    for hit in found.hits:
        assert sum(part.value for part in hit.why.parts) == pytest.approx(hit.score)


@pytest.mark.parametrize(
    "query", ['"catastrophic forgetting"', "title:forgetting", "year:2021", "author:tiler bandits", "*"]
)
def test_an_exact_query_says_what_its_score_is_made_of(shelf: Octavo, query: str) -> None:
    for hit in shelf.search(query).hits:
        assert hit.why.parts
        assert sum(part.value for part in hit.why.parts) == pytest.approx(hit.score)


def test_each_word_says_what_it_adds_when_that_is_asked_for(shelf: Octavo) -> None:
    found = shelf.search("molecules energies", with_words=True)
    words = {one.reason: one.value for part in found.hits[0].why.parts for one in part.parts if one.value}
    assert set(words) == {"molecules", "energies"}
    assert all(value > 0 for value in words.values())
    assert "explanation" in found.to_dict()["hits"][0]


def test_what_is_taken_out_by_a_query_is_what_matches_it(shelf: Octavo) -> None:
    found = shelf.search("forgetting keys", 100)
    assert found.total > found.matching == 1
    assert len(list(shelf.export("jsonl", query="forgetting keys"))) == 1


@pytest.mark.parametrize("wrong", [None, 7, b"forgetting", ["forgetting"]])
def test_what_is_no_text_is_refused_in_a_sentence(shelf: Octavo, wrong: object) -> None:
    for ask in (shelf.search, shelf.get, shelf.complete):
        with pytest.raises(UsageError, match="is a text, not"):
            ask(wrong)  # type: ignore[operator]


def test_one_name_is_not_taken_for_its_letters(shelf: Octavo) -> None:
    name = shelf.search("kernel machines revisited").hits[0].paper.id
    assert [paper.id for paper in shelf.similar(name).papers] == [name]


def test_nothing_is_found_for_words_that_nobody_knows(shelf: Octavo) -> None:
    assert shelf.search("xqzvy wqxj").total == 0


def test_meaning_alone_ranks_by_nearness(shelf: Octavo) -> None:
    found = shelf.search("catastrophic forgetting", way="meaning")
    assert titles(found)[0] == "Elastic Anchors for Continual Learning"
    assert found.total == len(PAPERS)


def test_an_order_shows_what_matches_and_nothing_else(shelf: Octavo) -> None:
    newest = shelf.search("models", sort="newest")
    years = [hit.paper.year or 0 for hit in newest.hits]
    assert years == sorted(years, reverse=True)
    assert newest.total == newest.matching == len(newest.hits)
    assert titles(shelf.search("models", sort="oldest")) == titles(newest)[::-1]


def test_facets_count_all_that_match(shelf: Octavo) -> None:
    found = shelf.search("learning", 1, facets=["year", "venue"])
    assert sum(n for _, n in found.facets["year"]) == found.matching
    assert found.facets["venue"] == []  # SHELF is no venue that is known


@pytest.mark.parametrize(
    "wrong", [{"sort": "best"}, {"way": "magic"}, {"facets": ["colour"]}, {"limit": 0}, {"limit": 1001}, {"offset": -1}]
)
def test_what_there_is_not_is_refused_with_what_there_is(shelf: Octavo, wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        shelf.search("learning", **wrong)  # type: ignore[arg-type]


def test_an_offset_beyond_everything_is_an_empty_page(shelf: Octavo) -> None:
    found = shelf.search("learning", 10, 10**30)
    assert (found.hits, found.total > 0) == ((), True)


def test_the_profile_names_stages(shelf: Octavo) -> None:
    seconds = shelf.search("learning").to_dict(with_seconds=True)["seconds"]
    assert "meaning" in seconds
    assert "seconds" not in shelf.search("learning").to_dict()
