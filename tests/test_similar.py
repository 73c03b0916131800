"""`Octavo.similar`: related papers, and why."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.app.similar import MOST_SEEDS
from octavo.config import index_path
from octavo.errors import NotFound, UsageError
from octavo.index.meaning import Meaning
from octavo.views_similar import SimilarView
from tests.rank.kinship import (
    ARMS,
    AUTHOR,
    BARE,
    CITING,
    COUPLED,
    FORCES,
    GRASP,
    GRASPING,
    HAIKU,
    NEAR,
    RECORDS,
    REPEAT,
    SEED,
    VERSION,
    fill,
    name,
)


@pytest.fixture(scope="module")
def kin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    """A home with related papers; not to be written to."""
    with fill(tmp_path_factory.mktemp("similar") / "home") as octavo:
        yield octavo


def found(view: SimilarView) -> list[int]:
    """The numbers of the papers, in their order."""
    return [int(str(hit.paper.identifiers[0])[-4:]) for hit in view.hits]


def reasons(view: SimilarView, n: int) -> list[str]:
    """What relates a paper."""
    (hit,) = (hit for hit, at in zip(view.hits, found(view), strict=True) if at == n)
    return [part.reason for part in hit.why.parts]


def test_relatives_come_by_meaning_words_authors_and_references(kin: Octavo) -> None:
    view = kin.similar([name(SEED)])
    assert set(found(view)) - {NEAR, VERSION} == {AUTHOR, CITING, COUPLED, BARE, 12}
    (first,) = {NEAR, VERSION} & set(found(view))  # which of the two stands for both is the encoder's to say
    assert reasons(view, first)[0].startswith("near in meaning (0.")
    assert "`e9nn`" in reasons(view, first)[1]
    assert "same author Bo Vexley" in reasons(view, AUTHOR)
    assert "cites it" in reasons(view, CITING)
    assert "2 references in common" in reasons(view, COUPLED)
    assert reasons(view, 12)[-1] == "cited by it"


def test_the_parts_of_a_reason_add_up_to_the_score(kin: Octavo) -> None:
    for hit in kin.similar([name(SEED)]).hits:
        assert sum(part.value for part in hit.why.parts) == pytest.approx(hit.score)
        assert hit.why.value == hit.score
        assert all(part.reason for part in hit.why.parts)


def test_other_versions_are_left_out_of_the_answer(kin: Octavo) -> None:
    view = kin.similar([name(SEED)])
    assert not {SEED, REPEAT} & set(found(view))
    (shown,) = {NEAR, VERSION} & set(found(view))
    assert (view.left_out, view.collapsed) == (1, 1)
    other = VERSION if shown == NEAR else NEAR
    assert view.hits[found(view).index(shown)].also == (kin.get(name(other)).paper.id,)


def test_several_papers_are_taken_together(kin: Octavo) -> None:
    view = kin.similar([name(SEED), name(GRASP)])
    assert {GRASPING, AUTHOR} <= set(found(view))
    assert {NEAR, VERSION} & set(found(view))
    assert not {SEED, GRASP, REPEAT} & set(found(view))
    assert reasons(view, CITING)[-1] == "cites one of them"
    assert [paper.title for paper in view.papers][1] == "Grasping by Reinforcement Learning"


def test_a_name_given_twice_counts_once(kin: Octavo) -> None:
    own = kin.get(name(SEED)).paper.id
    assert kin.similar([name(SEED), own, name(SEED)]).hits == kin.similar([own]).hits


def test_a_text_finds_what_it_is_about_and_leaves_its_own_paper_out(kin: Octavo) -> None:
    view = kin.similar(text=f"Abstract. {ARMS}")
    assert found(view)[0] == GRASPING
    assert GRASP not in found(view)
    assert view.notes == (
        f"The text is of “Grasping by Reinforcement Learning” ({kin.get(name(GRASP)).paper.id}), which is left out.",
    )
    assert REPEAT not in found(kin.similar(text=FORCES))
    assert found(kin.similar(text="A gripper for grasping, with a robot arm")) == [GRASPING, GRASP]


def test_a_text_and_a_paper_are_taken_together(kin: Octavo) -> None:
    view = kin.similar([name(GRASP)], "equivariant interatomic potentials of molecules")
    assert {GRASPING, BARE} <= set(found(view))
    assert view.text.startswith("equivariant")


def test_a_chinese_text_is_compared_in_english(kin: Octavo) -> None:
    view = kin.similar(text="强化学习 机械臂 抓取")
    assert set(found(view)) == {GRASP, GRASPING}
    assert view.notes[0].startswith("Compared in English: reinforcement learning, robotic arm")


def test_the_newest_come_first_when_sorted_by_date(kin: Octavo) -> None:
    view = kin.similar([name(SEED)], sort="newest")
    dates = [str(hit.paper.date) for hit in view.hits]
    assert dates == sorted(dates, reverse=True)
    assert sorted(found(view)) == sorted(found(kin.similar([name(SEED)])))
    assert [hit.rank for hit in view.hits] == list(range(1, len(dates) + 1))


def test_pages_of_an_answer_are_its_pieces(kin: Octavo) -> None:
    whole = kin.similar([name(SEED)])
    pieces = [hit for at in range(0, whole.total + 2, 2) for hit in kin.similar([name(SEED)], limit=2, offset=at).hits]
    assert tuple(pieces) == whole.hits
    assert whole.total == len(whole.hits)
    assert kin.similar([name(SEED)], offset=50).total == whole.total


def test_a_paper_without_an_abstract_is_compared_by_its_title(kin: Octavo) -> None:
    view = kin.similar([name(BARE)])
    assert AUTHOR in found(view)
    assert view.notes == ("“Equivariant Potentials of Molecules” has no abstract: its title was compared.",)


def test_a_paper_apart_from_all_has_no_relatives(kin: Octavo) -> None:
    view = kin.similar([name(HAIKU)])
    assert (view.total, view.hits) == (0, ())


def test_the_whole_catalogue_has_no_relatives(kin: Octavo) -> None:
    view = kin.similar([str(one.identifiers[0]) for one in RECORDS])
    assert view.hits == ()
    assert view.notes[-1] == "Every paper of the catalogue is among those given."


@pytest.mark.parametrize("text", ["?!", "\x00", "🎉", "(" * 20_000, "the of and", "1706.03762", "a" * 1_000_000])
def test_a_text_without_a_word_is_answered_with_a_sentence(kin: Octavo, text: str) -> None:
    view = kin.similar(text=text)
    assert view.hits == ()
    assert view.notes == ("There is no word in it by which papers could be found.",)


def test_a_very_long_text_is_read_at_its_beginning(kin: Octavo) -> None:
    view = kin.similar(text=ARMS + " lorem ipsum" * 90_000)
    assert {GRASP, GRASPING} & set(found(view))
    assert view.notes[0] == "The first 20,000 letters of the text were compared."
    assert len(view.text) == 20_000


def test_a_text_in_an_unknown_language_is_compared_by_words(kin: Octavo) -> None:
    view = kin.similar(
        text="Ein Greifer (gripper, robot) lernt das Greifen unbekannter Gegenstände nach wenigen Versuchen"
    )
    assert not view.by_meaning
    assert view.notes == (
        "The meaning of this text is not known here, as of one in another language: compared by its words alone.",
    )
    assert set(found(view)) <= {GRASP, GRASPING}


def test_words_authors_and_references_do_without_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Meaning, "is_possible", False)
    with fill(tmp_path / "home") as octavo:
        view = octavo.similar([name(SEED)])
        assert not view.by_meaning
        assert view.notes == ("There are no vectors of meaning yet: compared by words, authors and references alone.",)
        assert {AUTHOR, CITING, COUPLED} <= set(found(view))
        assert not any("meaning" in reason for hit in view.hits for reason in (part.reason for part in hit.why.parts))
        assert REPEAT in found(view)  # its title is another one, and what it means is not known


def test_papers_are_compared_by_words_when_vectors_are_damaged(tmp_path: Path) -> None:
    with fill(tmp_path / "home") as octavo:
        octavo.similar([name(SEED)])
        folder = index_path(octavo.home) / "vectors"
        assert folder.is_dir()
    shutil.rmtree(folder)
    with Octavo(tmp_path / "home") as octavo:
        assert AUTHOR in found(octavo.similar([name(SEED)]))


@pytest.mark.parametrize(
    ("names", "text", "options"),
    [
        ((), "", {}),
        ((), "  \n", {}),
        (["x"] * (MOST_SEEDS + 1), "", {}),
        (["x"], "", {"limit": 0}),
        (["x"], "", {"limit": 101}),
        (["x"], "", {"offset": -1}),
        (["x"], "", {"sort": "oldest"}),
    ],
)
def test_what_cannot_be_asked_is_refused(
    kin: Octavo, names: Sequence[str], text: str, options: dict[str, int | str]
) -> None:
    with pytest.raises(UsageError):
        kin.similar(names, text, **options)  # type: ignore[arg-type]


def test_an_unknown_paper_is_told(kin: Octavo) -> None:
    with pytest.raises(NotFound):
        kin.similar(["arXiv:2109.99999"])


def test_an_empty_catalogue_says_so(octavo: Octavo) -> None:
    view = octavo.similar(text="tiles")
    assert view.hits == ()
    assert "empty" in view.notes[0]
