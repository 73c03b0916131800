"""Vectors in step with the catalogue, through every way in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from octavo.app import Octavo
from octavo.app import base as base_module
from octavo.index.build import Indexer
from octavo.index.meaning import Meaning, VectorFeed
from octavo.records.codec import encode_record
from tests.world import record


class Toy:
    """An encoder of two numbers: how many letters a text has, and how many blanks."""

    dimension = 2
    id = "toy"

    def __init__(self, fingerprint: str = "toy-1") -> None:
        self.fingerprint = fingerprint
        self.n_encoded = 0

    def encode_documents(self, texts: list[str]) -> np.ndarray:
        self.n_encoded += len(texts)
        rows = np.array([[len(text), text.count(" ") + 1] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    encode_queries = encode_documents


def file_of(folder: Path, *titles: str, start: int = 0) -> Path:
    path = folder / f"{start}.jsonl"
    records = [record("pmlr", f"v902/m{start + at}", title, "Ann Bee") for at, title in enumerate(titles)]
    path.write_text("".join(encode_record(one) + "\n" for one in records), encoding="utf-8")
    return path


def with_toy(octavo: Octavo, toy: Toy) -> Octavo:
    octavo.__dict__["_meaning"] = Meaning(octavo.home / "index" / "vectors", lambda: toy)
    return octavo


def n_vectors(octavo: Octavo) -> int:
    sense = octavo._meaning.sense(octavo._catalogue.key)
    return len(sense.vectors) if sense else 0


def test_vectors_follow_what_is_added_changed_and_removed(tmp_path: Path) -> None:
    with with_toy(Octavo(tmp_path / "home"), Toy()) as octavo:
        octavo.add("jsonl", file_of(tmp_path, "Cold Tea", "Warm Milk"))
        assert n_vectors(octavo) == 2
        octavo.add("jsonl", file_of(tmp_path, "Ice", start=2))
        assert n_vectors(octavo) == 3
        ids = [hit.paper.id for hit in octavo.search("title:tea OR title:milk").hits]
        octavo.join(ids)
        assert n_vectors(octavo) == 2
        octavo.undo()
        assert n_vectors(octavo) == 3


def test_an_unchanged_file_is_not_encoded_again(tmp_path: Path) -> None:
    toy = Toy()
    with with_toy(Octavo(tmp_path / "home"), toy) as octavo:
        path = file_of(tmp_path, "Cold Tea", "Warm Milk")
        octavo.add("jsonl", path)
        octavo.add("jsonl", path)
        octavo.search("tea")
        assert toy.n_encoded == 2 + 1  # and the query


def test_another_encoder_makes_all_vectors_anew(tmp_path: Path) -> None:
    with with_toy(Octavo(tmp_path / "home"), Toy()) as octavo:
        octavo.add("jsonl", file_of(tmp_path, "Cold Tea", "Warm Milk"))
    other = Toy("toy-2")
    with with_toy(Octavo(tmp_path / "home"), other) as octavo:
        assert n_vectors(octavo) == 0
        assert octavo.search("tea").total
        assert n_vectors(octavo) == 2
        assert other.n_encoded == 3


def test_deleted_vectors_are_made_again_by_the_next_search(tmp_path: Path) -> None:
    with with_toy(Octavo(tmp_path / "home"), Toy()) as octavo:
        octavo.add("jsonl", file_of(tmp_path, "Cold Tea", "Warm Milk"))
        for path in (octavo.home / "index" / "vectors").iterdir():
            path.unlink()
    with with_toy(Octavo(tmp_path / "home"), Toy()) as octavo:
        octavo.search("tea")
        assert n_vectors(octavo) == 2


def test_damaged_vectors_are_no_fault_of_a_search(tmp_path: Path) -> None:
    with with_toy(Octavo(tmp_path / "home"), Toy()) as octavo:
        octavo.add("jsonl", file_of(tmp_path, "Cold Tea", "Warm Milk"))
        rows = next((octavo.home / "index" / "vectors").glob("*.rows"))
        rows.write_bytes(b"\0")
    with with_toy(Octavo(tmp_path / "home"), Toy()) as octavo:
        assert octavo.search("tea").hits[0].paper.title == "Cold Tea"


def test_many_papers_without_vectors_are_left_to_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[list[str]] = []

    class Begun:
        def __init__(self, command: list[str], **_: object) -> None:
            begun.append(command)

        def wait(self) -> None:
            """It has ended."""

    monkeypatch.setattr(base_module, "AT_ONCE", 1)
    monkeypatch.setattr(base_module.subprocess, "Popen", Begun)
    with with_toy(Octavo(tmp_path / "home"), Toy()) as octavo:
        octavo.add("jsonl", file_of(tmp_path, "Cold Tea", "Warm Milk"))
    with with_toy(Octavo(tmp_path / "home"), Toy("toy-2")) as octavo:
        found = octavo.search("tea")
        assert found.hits[0].paper.title == "Cold Tea"
        assert not found.by_meaning
        assert any("in the background" in note for note in found.notes)
        assert begun[0][-2:] == ["rebuild", "--meaning"]
        assert octavo.encode() == 2  # what that process does
        assert octavo.search("tea").by_meaning
        assert octavo.encode() == 0


def test_slices_end_where_a_change_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base_module, "_SLICE", 1)
    with with_toy(Octavo(tmp_path / "home"), Toy()) as octavo:
        for at in range(4):
            octavo.add("jsonl", file_of(tmp_path, f"Cup {at}", f"Jug {at}", start=2 * at))
    with with_toy(Octavo(tmp_path / "home"), Toy("toy-2")) as octavo:
        assert octavo.encode() == 8
        assert n_vectors(octavo) == 8


def test_what_was_not_committed_is_no_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are committed and vectors are not: as after a kill in between."""
    with with_toy(Octavo(tmp_path / "home"), Toy()) as octavo:
        octavo.add("jsonl", file_of(tmp_path, "Cold Tea", "Warm Milk"))
        with monkeypatch.context() as patch:
            patch.setattr(VectorFeed, "commit", lambda _self: None)
            octavo.add("jsonl", file_of(tmp_path, "Ice", start=2))
        assert n_vectors(octavo) == 2
        octavo.search("ice")
        assert n_vectors(octavo) == 3


def test_rebuild_makes_words_and_vectors_anew(tmp_path: Path) -> None:
    toy = Toy()
    with with_toy(Octavo(tmp_path / "home"), toy) as octavo:
        octavo.add("jsonl", file_of(tmp_path, "Cold Tea", "Warm Milk"))
        assert octavo.rebuild() == 2
        assert (toy.n_encoded, n_vectors(octavo)) == (4, 2)


def test_an_index_without_meaning_is_fed_as_well(tmp_path: Path) -> None:
    with Octavo(tmp_path / "home") as octavo:
        octavo.add("jsonl", file_of(tmp_path, "Cold Tea"))
        with octavo._index.write() as writer:
            indexer = Indexer(octavo._catalogue, octavo._index, writer)
            indexer.restart()
            assert indexer.catch_up() == 1
            assert indexer.encode(5) == 0
