"""The store of vectors: what is put is found, what is removed is gone, and a kill at any moment loses no commit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from octavo.errors import SearchIndexError
from octavo.index import vector_writer, vectors
from octavo.index.nearest import available
from octavo.index.vector_writer import VectorWriter
from octavo.index.vectors import NAME, VectorIndex, load_vector_manifest

WIDTH = 8


def unit(n: int, seed: int = 0, width: int = WIDTH) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).standard_normal((n, width)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def writer(folder: Path, fingerprint: str = "one", width: int = WIDTH, catalogue: str = "c") -> VectorWriter:
    return VectorWriter(folder, fingerprint=fingerprint, dimension=width, catalogue=catalogue)


def filled(folder: Path, n: int = 50) -> NDArray[np.float32]:
    rows = unit(n)
    with writer(folder) as store:
        store.put(list(range(100, 100 + n)), rows)
        store.commit(7)
    return rows


def test_a_paper_is_nearest_to_its_own_vector_when_searched(tmp_path: Path) -> None:
    rows = filled(tmp_path)
    pks, scores = VectorIndex(tmp_path).search(rows[3], 5)
    assert pks[0] == 103
    assert scores[0] == pytest.approx(1, abs=2e-3)
    assert list(scores) == sorted(scores, reverse=True)


def test_the_exact_order_is_given_when_few_are_stored(tmp_path: Path) -> None:
    rows = filled(tmp_path)
    query = unit(1, 9)[0]
    truth = rows.astype(np.float16).astype(np.float32) @ query
    pks, _ = VectorIndex(tmp_path).search(query, 50)
    assert list(pks - 100) == list(np.argsort(-truth, kind="stable"))


def test_equal_vectors_come_by_key_when_searched(tmp_path: Path) -> None:
    with writer(tmp_path) as store:
        store.put([9, 4, 7], np.repeat(unit(1), 3, axis=0))
        store.commit(1)
    assert list(VectorIndex(tmp_path).search(unit(1)[0], 3)[0]) == [4, 7, 9]


def test_only_the_wanted_are_found_when_a_set_is_given(tmp_path: Path) -> None:
    rows = filled(tmp_path)
    index = VectorIndex(tmp_path)
    pks, _ = index.search(rows[3], 10, among=np.array([110, 120, 120, 5, 130]))
    assert set(pks.tolist()) == {110, 120, 130}
    assert not len(index.search(rows[3], 10, among=np.array([], np.int64))[0])


@pytest.mark.parametrize("k", [0, -3])
def test_nothing_is_found_when_nothing_is_asked_for(tmp_path: Path, k: int) -> None:
    rows = filled(tmp_path)
    assert not len(VectorIndex(tmp_path).search(rows[0], k)[0])


def test_nothing_is_found_when_the_query_has_no_meaning(tmp_path: Path) -> None:
    filled(tmp_path)
    assert not len(VectorIndex(tmp_path).search(np.zeros(WIDTH, np.float32), 5)[0])


def test_scores_and_vectors_are_by_paper_when_some_have_none(tmp_path: Path) -> None:
    rows = filled(tmp_path)
    index = VectorIndex(tmp_path)
    scores = index.scores(rows[2], np.array([102, 1, 149]))
    assert scores[0] == pytest.approx(1, abs=2e-3)
    assert np.isnan(scores[1])
    assert np.allclose(index.vectors(np.array([149, 1])), [rows[49], np.zeros(WIDTH)], atol=1e-3)


def test_rows_stay_what_they_are_when_their_pages_are_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are asked for at once, over several segments, in any order and more than once."""
    monkeypatch.setattr(vectors, "RELEASED_AFTER", 3)
    monkeypatch.setattr(vectors, "_BLOCK", 4)
    rows = unit(30)
    for start in range(0, 30, 10):
        with writer(tmp_path) as store:
            store.put(list(range(start, start + 10)), rows[start : start + 10])
            store.commit(start + 1)
    index = VectorIndex(tmp_path)
    wanted = np.random.default_rng(4).integers(0, 30, 50)
    stored = rows.astype(np.float16).astype(np.float32)
    assert np.array_equal(index.vectors(wanted), stored[wanted])
    assert np.array_equal(np.concatenate(list(index.blocks())), stored)
    assert np.array_equal(np.concatenate(list(index.blocks(13))), stored[13:])
    assert np.array_equal(index.vectors(wanted[::-1]), stored[wanted[::-1]])


def test_a_paper_has_its_newest_vector_when_put_again(tmp_path: Path) -> None:
    filled(tmp_path)
    fresh = unit(2, 5)
    with writer(tmp_path) as store:
        store.put([103], fresh[:1])
        store.put([103], fresh[1:])
        store.commit(8)
    index = VectorIndex(tmp_path)
    assert len(index) == 50
    assert np.allclose(index.vectors(np.array([103]))[0], fresh[1], atol=1e-3)
    assert index.search(fresh[1], 50)[0].tolist().count(103) == 1


def test_a_paper_is_gone_when_removed_and_back_when_put_later(tmp_path: Path) -> None:
    rows = filled(tmp_path)
    with writer(tmp_path) as store:
        store.remove([103, 104, 1])
        store.put([104], rows[4:5])
        store.commit(8)
    index = VectorIndex(tmp_path)
    assert 103 not in index.search(rows[3], 50)[0]
    assert 104 in index.search(rows[4], 50)[0]
    assert len(index) == 49


def test_a_put_before_a_removal_is_gone_when_committed(tmp_path: Path) -> None:
    filled(tmp_path)
    with writer(tmp_path) as store:
        store.put([500], unit(1))
        store.remove([500])
        store.commit(8)
    assert 500 not in VectorIndex(tmp_path).pks


def test_nothing_changes_when_nothing_is_committed(tmp_path: Path) -> None:
    filled(tmp_path)
    before = VectorIndex(tmp_path)
    with writer(tmp_path) as store:
        store.put([500], unit(1))
        store.remove([101])
    assert VectorIndex(tmp_path).pks.tolist() == before.pks.tolist()
    assert before.is_current


def test_a_reader_keeps_its_state_when_a_writer_goes_on(tmp_path: Path) -> None:
    rows = filled(tmp_path)
    reader = VectorIndex(tmp_path)
    for seq in range(8, 8 + vector_writer.MOST_SEGMENTS + 2):
        with writer(tmp_path) as store:
            store.remove([100 + seq])
            store.put([600 + seq], unit(1, seq))
            store.commit(seq)
    assert reader.search(rows[8], 1)[0].tolist() == [108]
    assert not reader.is_current


def test_segments_are_joined_and_old_files_gone_when_there_are_many(tmp_path: Path) -> None:
    filled(tmp_path)
    for seq in range(8, 8 + 3 * vector_writer.MOST_SEGMENTS):
        with writer(tmp_path) as store:
            store.put([600 + seq], unit(1, seq))
            store.commit(seq)
    manifest = load_vector_manifest(tmp_path)
    assert manifest is not None
    assert len(manifest.segments) <= vector_writer.MOST_SEGMENTS
    assert {path.name for path in tmp_path.iterdir()} == {NAME, *manifest.files}
    assert len(VectorIndex(tmp_path)) == 50 + 3 * vector_writer.MOST_SEGMENTS


def test_dead_rows_are_left_behind_when_they_are_many(tmp_path: Path) -> None:
    filled(tmp_path)
    with writer(tmp_path) as store:
        store.remove(range(100, 130))
        store.commit(8)
    assert (tmp_path / "2.rows").exists() is False
    assert sum(path.stat().st_size for path in tmp_path.glob("*.rows")) == 20 * WIDTH * 2


def test_the_store_is_empty_when_all_are_removed(tmp_path: Path) -> None:
    rows = filled(tmp_path)
    with writer(tmp_path) as store:
        store.remove(range(100, 150))
        store.commit(8)
    index = VectorIndex(tmp_path)
    assert len(index) == 0
    assert not len(index.search(rows[0], 3)[0])
    assert np.isnan(index.scores(rows[0], np.array([100])))


@pytest.mark.parametrize("other", [{"fingerprint": "two"}, {"width": 4}, {"catalogue": "d"}])
def test_the_store_starts_anew_when_made_by_another_encoder_or_catalogue(
    tmp_path: Path, other: dict[str, object]
) -> None:
    filled(tmp_path)
    width = int(str(other.get("width", WIDTH)))
    with writer(tmp_path, **other) as store:  # type: ignore[arg-type]
        assert store.seq == 0
        assert len(VectorIndex(tmp_path)) == 50, "the old ones serve until the new ones are there"
        store.put([1], unit(1, 3, width))
        store.commit(2)
    assert VectorIndex(tmp_path).pks.tolist() == [1]


def test_the_store_goes_on_when_made_by_the_same(tmp_path: Path) -> None:
    filled(tmp_path)
    with writer(tmp_path) as store:
        assert store.seq == 7


def test_vectors_of_another_width_are_refused_when_put(tmp_path: Path) -> None:
    with writer(tmp_path) as store, pytest.raises(ValueError, match="shape"):
        store.put([1, 2], unit(1))


@pytest.mark.parametrize("damage", ["absent", "short", "no manifest", "old form", "no json"])
def test_damage_is_told_when_read_and_mended_when_written(tmp_path: Path, damage: str) -> None:
    filled(tmp_path)
    rows, manifest = tmp_path / "1.rows", tmp_path / NAME
    if damage == "absent":
        rows.unlink()
    elif damage == "short":
        os.truncate(rows, 60)
    elif damage == "no manifest":
        manifest.unlink()
    elif damage == "old form":
        manifest.write_text(manifest.read_text().replace('"schema": 1', '"schema": 0'))
    else:
        manifest.write_bytes(b"\x00\xff")
    with pytest.raises(SearchIndexError, match="rebuild"):
        VectorIndex(tmp_path)
    with writer(tmp_path) as store:
        assert store.seq == 0
        store.put([1], unit(1))
        store.commit(3)
    assert VectorIndex(tmp_path).pks.tolist() == [1]


@given(
    st.lists(
        st.tuples(st.sampled_from(["put", "remove", "commit", "reopen"]), st.integers(0, 6), st.integers(0, 99)),
        max_size=40,
    )
)
@settings(max_examples=40, deadline=None)
def test_the_store_is_what_a_dictionary_would_be_when_changed_at_random(steps: list[tuple[str, int, int]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder, kept, now = Path(name), {}, {}
        seq = 1
        store = writer(folder)
        store.commit(seq)
        for step, pk, seed in steps:
            if step == "put":
                store.put([pk], unit(1, seed))
                now = {**now, pk: seed}
            elif step == "remove":
                store.remove([pk])
                now = {key: value for key, value in now.items() if key != pk}
            elif step == "commit":
                seq += 1
                store.commit(seq)
                kept = now
            else:
                store.close()
                store, now = writer(folder), kept
        store.close()
        index = VectorIndex(folder)
        assert index.pks.tolist() == sorted(kept)
        wanted = [unit(1, kept[pk])[0] for pk in sorted(kept)]
        assert np.allclose(index.vectors(index.pks), np.array(wanted).reshape(-1, WIDTH), atol=1e-3)


KILLED = """
import sys
from pathlib import Path
import numpy as np
from octavo.index.vector_writer import VectorWriter
store = VectorWriter(Path(sys.argv[1]), fingerprint="one", dimension=8, catalogue="c")
seq = store.seq
while True:
    seq += 1
    store.put([seq], np.full((1, 8), seq % 1000, np.float32))
    store.remove([seq - 5])
    store.commit(seq)
    print(seq, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_every_told_commit_is_there_when_the_writer_is_killed(tmp_path: Path) -> None:
    told = 0
    for lines in (3, 17, 1, 9):
        with subprocess.Popen(
            [sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for _ in range(lines):
                told = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
        index = VectorIndex(tmp_path)
        last = index.manifest.seq
        assert last >= told
        assert index.pks.tolist() == list(range(max(1, last - 4), last + 1))
        assert index.vectors(np.array([last]))[0, 0] == last % 1000


@pytest.fixture
def many(tmp_path: Path) -> tuple[Path, NDArray[np.float32]]:
    """More vectors than are looked through one by one: 20 numbers wide, in clusters as real ones are."""
    n = vectors.EXACT_UP_TO + 500
    centres = unit(300, 1, 20)
    rows = centres[np.arange(n) % 300] + 0.5 * unit(n, 2, 20)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    with writer(tmp_path, width=20) as store:
        store.put(np.arange(n) * 2, rows)
        store.commit(1)
    return tmp_path, rows


@pytest.mark.skipif(not available(), reason="faiss is not installed")
def test_most_true_neighbours_are_found_when_many_are_stored(many: tuple[Path, NDArray[np.float32]]) -> None:
    folder, rows = many
    index = VectorIndex(folder)
    assert index.manifest.near
    found = 0
    for at in range(0, 400, 20):
        truth = set((np.argsort(-(rows @ rows[at]))[:10] * 2).tolist())
        found += len(truth & set(index.search(rows[at], 10)[0].tolist()))
    assert found >= 0.95 * 200


@pytest.mark.skipif(not available(), reason="faiss is not installed")
def test_new_and_removed_count_at_once_when_many_are_stored(many: tuple[Path, NDArray[np.float32]]) -> None:
    folder, rows = many
    with writer(folder, width=20) as store:
        store.remove([0])
        store.put([1_000_001], rows[:1])
        store.commit(2)
    pks = VectorIndex(folder).search(rows[0], 5)[0].tolist()
    assert pks[0] == 1_000_001
    assert 0 not in pks


@pytest.mark.skipif(not available(), reason="faiss is not installed")
@pytest.mark.parametrize("share", [0.01, 0.99])
def test_a_set_of_any_size_is_searched_when_many_are_stored(
    many: tuple[Path, NDArray[np.float32]], share: float
) -> None:
    folder, rows = many
    wanted = np.flatnonzero(np.random.default_rng(3).random(len(rows)) < share) * 2
    pks, _ = VectorIndex(folder).search(rows[7], 20, among=wanted)
    assert len(pks) == 20
    assert set(pks.tolist()) <= set(wanted.tolist())


def test_all_are_looked_through_when_the_quantised_copy_is_damaged(many: tuple[Path, NDArray[np.float32]]) -> None:
    folder, rows = many
    for path in folder.glob("*.near"):
        path.write_bytes(b"no index")
    truth = (np.argsort(-(rows @ rows[11]))[:3] * 2).tolist()
    assert VectorIndex(folder).search(rows[11], 3)[0].tolist() == truth


def test_a_wide_filter_finds_what_naming_its_papers_finds(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    n, dimension = 14_000, 16  # above EXACT_UP_TO: the quantised copy is asked
    rows = rng.standard_normal((n, dimension)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    pks = np.arange(1, n + 1)
    with VectorWriter(tmp_path, fingerprint="f", dimension=dimension, catalogue="c") as writer:
        writer.put(pks, rows)
        writer.commit(1)
    with VectorWriter(tmp_path, fingerprint="f", dimension=dimension, catalogue="c") as writer:
        writer.remove([4, 9])
        writer.put([n + 1], rows[:1])  # in the tail, as near as the first
        writer.commit(2)
    index = VectorIndex(tmp_path)
    for at in (0, 7, 50):
        odd = [int(pk) for pk in index.pks if pk % 2]
        named, _ = index.search(rows[at], 10, np.array(odd))
        asked = index.search_where(rows[at], 10, lambda keys: [int(key) for key in keys if key % 2], 0.5)
        assert len(asked) == 10
        assert len(set(named.tolist()) & set(asked.tolist())) >= 9
        assert all(pk % 2 for pk in asked.tolist())
    assert not len(index.search_where(rows[0], 10, lambda _keys: [], 0.5))
