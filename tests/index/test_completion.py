"""The files of completions: made from the catalogue, kept up with it, never trusted further than they go."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.catalogue.headings import Heading
from octavo.index import completion as module
from octavo.index.completion import Completion
from octavo.records.codec import encode_record
from tests.world import record


def add(octavo: Octavo, path: Path, *records: object) -> None:
    path.write_text("".join(encode_record(one) + "\n" for one in records), encoding="utf-8")  # type: ignore[arg-type]
    octavo.add("jsonl", path)


@pytest.fixture
def made(octavo: Octavo, tmp_path: Path) -> Completion:
    add(
        octavo,
        tmp_path / "one.jsonl",
        record("jsonl", "a", "Quarries of Marble", "Zoë Quill; Bo Reed", submitted="2031-05-09"),
        record("jsonl", "b", "Marble in the Floor", "Bo Reed", submitted="2033-05-09"),
    )
    octavo.make_completions()
    return octavo._completion


def titles(made: Completion, *words: str) -> list[str]:
    made.made_from("")
    return [one.text.strip() for one in sorted(made.titles(list(words), 5), reverse=True)]


def test_newer_titles_weigh_more(made: Completion) -> None:
    assert titles(made, "marb") == ["marble in the floor", "quarries of marble"]


def test_names_weigh_by_their_papers(made: Completion) -> None:
    assert {one.name: one.weight for one in made.names(["r"], 5)} == {"Bo Reed": 2}
    assert [one.name for one in made.names(["zoe", "q"], 5)] == ["Zoë Quill"]


def test_what_was_added_changed_or_deleted_is_taken_in_by_a_second_file(
    made: Completion, octavo: Octavo, tmp_path: Path
) -> None:
    base = made.made_from(octavo._catalogue.key)
    add(
        octavo,
        tmp_path / "two.jsonl",
        record("jsonl", "b", "Granite in the Floor", "Bo Reed", submitted="2033-05-09"),
        record("jsonl", "c", "Marbled Walls", "Bo Reed; Cy Sand", submitted="2034-05-09"),
    )
    assert octavo.make_completions()
    now = made.made_from(octavo._catalogue.key)
    assert base
    assert now
    assert (now.base, now.seq) == (base.base, octavo._catalogue.seq)
    assert titles(made, "marb") == ["marbled walls", "quarries of marble"]
    assert titles(made, "gran") == ["granite in the floor"]
    assert {one.name: one.weight for one in made.names(["reed"], 5)} == {"Bo Reed": 3}
    assert [one.name for one in made.names(["sand"], 5)] == ["Cy Sand"]
    assert not octavo.make_completions(), "nothing is left to do"


def test_the_first_file_is_made_anew_when_much_changed(
    made: Completion, octavo: Octavo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = made.made_from(octavo._catalogue.key)
    monkeypatch.setattr(module, "FEW_LATER", 0)
    add(octavo, tmp_path / "two.jsonl", record("jsonl", "c", "Marbled Walls", "Cy Sand", submitted="2034-05-09"))
    octavo.make_completions()
    now = made.made_from(octavo._catalogue.key)
    assert base
    assert now
    assert (now.base != base.base, now.later) == (True, "")
    assert len(list(made.folder.glob("*.bin"))) == 1
    assert titles(made, "marb") == ["marbled walls", "marble in the floor", "quarries of marble"]


@pytest.mark.parametrize("spoil", ["cut", "other", "gone", "manifest"])
def test_spoiled_files_are_made_anew_and_harm_nobody(made: Completion, octavo: Octavo, spoil: str) -> None:
    (path,) = made.folder.glob("*.bin")
    manifest = made.folder / "manifest.json"
    match spoil:
        case "cut":
            path.write_bytes(path.read_bytes()[:200])
        case "other":
            path.write_bytes(b"something else" * 100)
        case "gone":
            path.unlink()
        case "manifest":
            manifest.write_text("{", encoding="utf-8")
    fresh = Completion(made.folder.parent)
    assert fresh.made_from(octavo._catalogue.key) is None
    assert fresh.titles(["marb"], 5) == []
    assert fresh.catch_up(octavo._catalogue)
    assert titles(fresh, "marb") == ["marble in the floor", "quarries of marble"]


def test_files_of_another_catalogue_are_not_used(made: Completion) -> None:
    assert made.made_from("another") is None


def test_known_citations_weigh_more_than_years() -> None:
    heading = Heading(1, "Marble", "[]", 2010, 4000)
    assert module._weight(heading) > module._weight(heading._replace(year=2035, citations=3))
    assert module._weight(heading._replace(citations=None)) < module._weight(
        heading._replace(year=2035, citations=None)
    )
