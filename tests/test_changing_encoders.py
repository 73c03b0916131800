"""Another encoder: words find papers meanwhile, nobody waits for it, and a kill costs little."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.errors import BusyError, SearchIndexError, UsageError
from octavo.index.ahead import NAME
from octavo.index.encoder import StaticEncoder
from octavo.index.vectors import load_vector_manifest
from octavo.records.codec import encode_record
from tests.offered_encoder import offer
from tests.world import record

ENCODER = "OCTAVO_SEARCH__ENCODER"
STATIC = StaticEncoder().id
PREPARED = "Search by meaning is being prepared in the background; until then papers are found by their words alone."
THINGS = ["lanterns", "tiles", "hives", "looms", "kites", "wells", "bells", "ropes", "sails", "locks"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Two hundred papers with the static encoder's vectors; another package's encoders are installed."""
    offer(tmp_path, monkeypatch)
    monkeypatch.setenv("LETTERS_LOG", str(tmp_path / "log"))
    monkeypatch.delenv(ENCODER, raising=False)
    home = tmp_path / "home"
    add(home, *range(200))
    yield home
    wait_for_background(home)


def add(home: Path, *numbers: int) -> None:
    path = home.parent / "papers.jsonl"
    titles = [f"Paper {n} of {THINGS[n % 10]} and {THINGS[n // 10 % 10]}" for n in numbers]
    lines = [encode_record(record("pmlr", f"v300/p{n}", title)) for n, title in zip(numbers, titles, strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with Octavo(home) as octavo:
        assert octavo.add("jsonl", path).state == "complete"


def wait_for_background(home: Path) -> None:
    with Octavo(home) as octavo:
        deadline = time.monotonic() + 60
        while octavo.is_encoding() and time.monotonic() < deadline:
            time.sleep(0.05)


def until(what: object, seconds: float = 60) -> None:
    assert callable(what)
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)


def state(home: Path) -> tuple[str, int, str]:
    with Octavo(home) as octavo:
        view = octavo.stats().meaning
    return view.encoder, view.papers, view.state


def test_words_find_papers_until_another_encoder_has_made_its_vectors(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert state(home) == (STATIC, 200, "up to date")
    monkeypatch.setenv(ENCODER, "letters")
    monkeypatch.setenv("LETTERS_SECONDS", "0.01")
    assert state(home) == (STATIC, 200, "200 papers to go with letters-1")
    with Octavo(home) as octavo:
        found = octavo.search("paper 17 of bells")
        assert PREPARED in found.notes
        assert found.hits[0].paper.title.startswith("Paper 17 ")
        assert not found.by_meaning
        with pytest.raises(UsageError, match="is being prepared in the background"):
            octavo.search("paper 17", way="meaning")
        manifest = load_vector_manifest(home / "index" / "vectors")
        assert manifest is not None
        assert manifest.encoder in (STATIC, "letters-1"), "the old ones stay until there are new ones"
        until(lambda: state(home) == ("letters-1", 200, "up to date"))
        found = octavo.search("paper 17 of bells")
        assert (found.by_meaning, found.notes.count(PREPARED)) == (True, 0)


def test_one_who_adds_papers_waits_for_no_slow_encoder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENCODER, "letters")
    add(home, *range(200, 300))
    log = home.parent / "log"
    assert not log.exists(), "nothing was encoded"
    with Octavo(home) as octavo:
        assert octavo.encode() == 300
        add(home, 300, 301)
        assert "prepared" not in str(octavo.search("paper 301").notes), "a few are encoded at once"
    assert state(home) == ("letters-1", 302, "up to date")


def test_papers_added_meanwhile_are_found_by_words(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENCODER, "letters")
    monkeypatch.setenv("LETTERS_SECONDS", "0.05")
    encoding = start_encoding(home)
    try:
        add(home, 555)
        assert encoding.poll() is None
        with Octavo(home) as octavo:
            assert octavo.search("paper 555").hits[0].paper.title.startswith("Paper 555 ")
            with pytest.raises(BusyError):
                octavo.encode()
    finally:
        encoding.kill()
        encoding.wait()


def start_encoding(home: Path) -> subprocess.Popen[bytes]:
    """A process that makes the vectors, which has begun."""
    encoding = subprocess.Popen([sys.executable, "-m", "octavo", "--home", str(home), "rebuild", "--meaning"])
    until(lambda: (home / "index" / "vectors" / NAME).exists())
    return encoding


def test_what_was_killed_goes_on_where_it_was(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENCODER, "letters")
    monkeypatch.setenv("LETTERS_SECONDS", "0.02")
    encoding = start_encoding(home)
    encoding.kill()
    assert encoding.wait() == (-signal.SIGKILL if sys.platform != "win32" else 1)
    assert state(home) == (STATIC, 200, "200 papers to go with letters-1")
    before = (home.parent / "log").read_text().count("\n")
    assert 64 <= before < 200
    monkeypatch.setenv("LETTERS_SECONDS", "0")
    with Octavo(home) as octavo:
        assert octavo.encode() == 200
        assert octavo.search("paper 17 of bells").by_meaning
    assert (home.parent / "log").read_text().count("\n") - before <= 200 - 64 + 2, "what was kept is not done again"
    assert not (home / "index" / "vectors" / NAME).exists()


def test_the_former_encoder_can_come_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Octavo(home) as octavo:
        before = [(hit.paper.id, hit.score) for hit in octavo.search("bells of paper").hits]
    for name, encoder_id in (("letters", "letters-1"), ("others", "others-1")):
        monkeypatch.setenv(ENCODER, name)
        with Octavo(home) as octavo:
            assert octavo.encode() == 200
        assert state(home) == (encoder_id, 200, "up to date")
    monkeypatch.setenv(ENCODER, "static")
    with Octavo(home) as octavo:
        assert [(hit.paper.id, hit.score) for hit in octavo.search("bells of paper").hits] == before


def test_no_encoder_is_words_alone_and_leaves_the_vectors(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENCODER, "none")
    with Octavo(home) as octavo:
        found = octavo.search("paper 17 of bells")
        assert (found.by_meaning, found.notes) == (False, octavo.search("paper 17 of bells", way="words").notes)
        assert octavo.encode() == 0
        assert octavo.rebuild() == 200
    assert state(home) == (STATIC, 200, "off")


@pytest.mark.parametrize(
    ("name", "told"),
    [("broken", "no glue"), ("lettres", "Did you mean letters?"), ("openai:ada", "it is no encoder; there are static")],
)
def test_an_encoder_that_can_not_be_had_is_a_note_in_search_and_an_error_in_rebuild(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    monkeypatch.setenv(ENCODER, name)
    with Octavo(home) as octavo:
        found = octavo.search("paper 17 of bells")
        assert found.hits[0].paper.title.startswith("Paper 17 ")
        assert [told in note for note in found.notes].count(True) == 1
        assert octavo.similar([found.hits[0].paper.id]).hits
        with pytest.raises((SearchIndexError, UsageError)) as caught:
            octavo.rebuild()
    assert told in str(caught.value)


def test_a_broken_file_costs_no_vectors_that_took_long(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "octavo.toml").write_text("[search]\nencoder = 'letters'\n")
    with Octavo(home) as octavo:
        assert octavo.encode() == 200
    (home / "octavo.toml").write_text("[search]\nencoder = letters\n")
    with Octavo(home) as octavo:
        (note,) = [note for note in octavo.search("paper 17").notes if "octavo.toml" in note]
        assert "can't be used, so that papers are found by their words alone. octavo.toml, line 2: " in note
    add(home, 300)
    (home / "octavo.toml").write_text("[search]\nencoder = 'letters'\n")
    assert state(home) == ("letters-1", 200, "1 papers to go")
    with Octavo(home) as octavo:
        assert "prepared" not in str(octavo.search("paper 300").notes)
    assert state(home) == ("letters-1", 201, "up to date")


def test_a_query_that_the_encoder_fails_at_is_answered_by_words(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENCODER, "blind")
    with Octavo(home) as octavo:
        octavo.encode()
        found = octavo.search("paper 17 of bells")
    assert found.hits[0].paper.title.startswith("Paper 17 ")
    assert "the encoder blind-1 fails: RuntimeError: no light" in found.notes[-1]
    assert not found.by_meaning


def test_what_failed_in_the_background_is_told_and_not_tried_over_and_over(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENCODER, "failing")
    with Octavo(home) as octavo:
        assert PREPARED in octavo.search("paper 17").notes
        until(lambda: (home / "index" / "meaning.failed").exists())
        wait_for_background(home)
        (note,) = [note for note in octavo.search("paper 17").notes if "could not be prepared" in note]
        assert "the encoder failing-1 fails: RuntimeError: no ink" in note
        assert not octavo.is_encoding()
        assert "no ink" in octavo.stats().meaning.state
    monkeypatch.setenv(ENCODER, "letters")
    with Octavo(home) as octavo:
        assert octavo.encode() == 200


IMPORTS = """\
import json, sys
from octavo.app import Octavo
with Octavo(sys.argv[1]) as octavo:
    octavo.search("paper 17 of bells", way="words")
print(json.dumps([name for name in sys.modules if name.startswith(("octavo.settings", "octavo.sources.", "torch"))]))
"""


def test_a_search_looks_at_settings_where_there_are_any_and_loads_no_source(home: Path) -> None:
    loaded = []
    for content in (None, "[search]\nencoder = 'static'\n"):
        if content:
            (home / "octavo.toml").write_text(content)
        done = subprocess.run([sys.executable, "-c", IMPORTS, str(home)], capture_output=True, check=True, timeout=60)
        loaded.append(set(json.loads(done.stdout)))
    assert not {name for name in loaded[0] if name.startswith("octavo.settings")}
    assert "octavo.settings.loading" in loaded[1]
    assert not loaded[1] & {"octavo.sources.arxiv", "octavo.sources.dblp", "octavo.sources.http"}
