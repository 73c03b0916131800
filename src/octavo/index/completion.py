"""What completes a reader's typing: the titles and the names of the catalogue, in two files beside the index.

The files are derived, as the index is: `manifest.json` says what they were made from, and they may be deleted at any
time. One holds the papers as they were when it was made, the other, small one those that changed since; when that
grows large, the first is made anew. Files are never written to once a manifest names them, so that a reader has whole
ones at any moment; a kill while they are made leaves the old ones.

A title weighs by its citations, where they are known, and by its year; a name by its papers.
"""

from __future__ import annotations

import json
import mmap
import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from math import log1p
from pathlib import Path
from secrets import token_hex
from sys import byteorder
from typing import Any, NamedTuple

from octavo.catalogue import Catalogue
from octavo.catalogue.headings import Heading, Headings
from octavo.index.phrases import Phrases, Strings, folded_words, pack_phrases, pack_strings
from octavo.locks import held

FORM = 1
"""Counts up with every change of the files' form or of how words are parted."""
FOLDER = "completion"
"""The name of the folder, beside those of the other indexes."""
MOST_LATER = 0.1
"""Share of the papers that may be in the second file before the first is made anew."""
FEW_LATER = 5_000
"""So many may be there whatever the share."""
_MAGIC = b"OCTVCMP1"
_LONGEST = 60
"""Words of a title that are kept."""
_PLAIN_YEAR = 2015
_YEARS_A_FOLD = 8
"""Years that weigh as much as e times the citations."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Made:
    """What the files were made from; the manifest."""

    form: int
    catalogue: str
    """The catalogue's own name."""
    base: str
    """The name of the first file."""
    base_seq: int
    """The last of the catalogue's changes that is in it."""
    base_pk: int
    """The last paper that is in it."""
    base_papers: int
    later: str = ""
    """The name of the second file; empty where nothing changed since."""
    seq: int = 0
    """The last of the catalogue's changes that is in either."""


class Title(NamedTuple):
    """A title that completes what was typed."""

    weight: float
    pk: int
    text: str
    """Its folded words, with a blank before each."""


class Name(NamedTuple):
    """An author's name that does."""

    weight: int
    """Papers with the name, about: those that changed since the files were made count once more or not at all."""
    name: str
    """As it is most often written."""
    text: str
    """Its folded words, with a blank before each."""


class Completion:
    """The files in one folder. Any number of readers; who makes them anew has a lock."""

    def __init__(self, index_folder: Path) -> None:
        """Use the files beside the other indexes, which need not be there yet."""
        self.folder = index_folder / FOLDER
        self._seen: tuple[int, int, int] | None = None
        self._made: Made | None = None
        self._parts: tuple[_Part, ...] = ()
        self._hidden: frozenset[int] = frozenset()

    # -- reading -----------------------------------------------------------------------------------------------------

    def made_from(self, catalogue: str) -> Made | None:
        """What the files were made from; None where there are none that can be used for that catalogue."""
        self._refresh()
        return self._made if self._made is not None and self._made.catalogue == catalogue else None

    def titles(self, words: list[str], limit: int, *, is_open: bool = True) -> list[Title]:
        """Titles that have the words, the last as a beginning where it `is_open`; some more than `limit`, unordered
        but for their weights."""
        found = []
        for place, part in enumerate(self._parts):
            hidden = self._hidden if not place else frozenset[int]()
            for number in part.titles.find(words, limit, is_open=is_open):
                pk = part.pks[number]
                if pk not in hidden:
                    found.append(Title(part.weights[number], pk, part.titles.texts[number].decode()))
        return found

    def names(self, words: list[str], limit: int, *, is_open: bool = True) -> list[Name]:
        """Names that have the words, as `titles` does."""
        found: dict[str, Name] = {}
        for part in self._parts:
            for number in part.names.find(words, limit, is_open=is_open):
                text = part.names.texts[number].decode()
                weight = part.counts[number] + (found[text].weight if text in found else 0)
                name = found[text].name if text in found else part.shown[number].decode()
                found[text] = Name(weight, name, text)
        return list(found.values())

    def count_in_titles(self, word: str, *, is_open: bool = False) -> int:
        """How often titles have a word, or what begins so."""
        return sum(part.titles.count(word, is_open=is_open) for part in self._parts)

    def count_in_names(self, word: str, *, is_open: bool = False) -> int:
        """How many names have a word, or what begins so."""
        return sum(part.names.count(word, is_open=is_open) for part in self._parts)

    def near_in_titles(self, word: str, *, is_open: bool) -> list[str]:
        """Words of titles that are one typing error away."""
        return list(dict.fromkeys(chain.from_iterable(p.titles.near(word, is_open=is_open) for p in self._parts)))

    def near_in_names(self, word: str, *, is_open: bool) -> list[str]:
        """Words of names that are."""
        return list(dict.fromkeys(chain.from_iterable(p.names.near(word, is_open=is_open) for p in self._parts)))

    def _refresh(self) -> None:
        """Look at the files that the manifest names now."""
        path = self.folder / "manifest.json"
        try:
            stat = path.stat()
        except OSError:
            self._seen, self._made, self._parts = None, None, ()
            return
        seen = (stat.st_mtime_ns, stat.st_ino, stat.st_size)
        if seen == self._seen:
            return
        self._seen, self._made, self._parts, self._hidden = seen, None, (), frozenset()
        try:
            made = Made(**json.loads(path.read_text(encoding="utf-8")))
            if made.form != FORM:
                return
            parts = tuple(_Part(_mapped(self.folder / name)) for name in (made.base, made.later) if name)
        except (OSError, ValueError, TypeError, KeyError):
            return  # damaged or of another form: made anew
        self._made, self._parts = made, parts
        self._hidden = frozenset(parts[1].hidden) if len(parts) > 1 else frozenset()

    # -- making ------------------------------------------------------------------------------------------------------

    def catch_up(self, catalogue: Catalogue, progress: Progress = lambda _done, _total: None) -> bool:
        """Take in what the catalogue has and the files have not; True where something was made.

        Raises:
            BusyError: another process or thread is making them.
            OSError: they can't be written.
        """
        key, seq = catalogue.key, catalogue.seq
        made = self.made_from(key)
        if made is not None and made.seq == seq:
            return False
        with held(self.folder / "lock", "making of completions"):
            made, headings = self.made_from(key), Headings(catalogue.database)
            if made is not None and made.base_seq <= seq:
                removed = set(catalogue.removed_since(made.base_seq))
                n = headings.count_since(made.base_seq) + len(removed)
                if n <= max(FEW_LATER, made.base_papers * MOST_LATER):
                    self._make_later(made, headings, removed, seq)
                    return True
            self._make_base(key, headings, seq, progress, catalogue.count_papers())
        return True

    def n_behind(self, catalogue: Catalogue) -> int:
        """How many papers `catch_up` would read."""
        made = self.made_from(catalogue.key)
        return Headings(catalogue.database).count_since(made.base_seq if made else 0)

    def _make_base(self, key: str, headings: Headings, seq: int, progress: Progress, total: int) -> None:
        rows = list(_counted(headings.since(), progress, total))
        name = self._write("base", _packed(rows, last_pk=-1))
        last = max((row.pk for row in rows), default=0)
        self._save(Made(FORM, key, name, seq, last, len(rows), "", seq))

    def _make_later(self, made: Made, headings: Headings, removed: set[int], seq: int) -> None:
        rows = list(headings.since(made.base_seq))
        gone = array("q", sorted(removed | {row.pk for row in rows if row.pk <= made.base_pk}))
        name = self._write("later", _packed(rows, last_pk=made.base_pk) | {"hidden": gone.tobytes()})
        self._save(Made(**(asdict(made) | {"later": name, "seq": seq})))

    def _write(self, kind: str, sections: Mapping[str, bytes]) -> str:
        name = f"{kind}-{token_hex(6)}.bin"
        places, at = {}, 0
        for section, data in sections.items():
            places[section] = (at, len(data))
            at += -(-len(data) // 8) * 8
        head = json.dumps({"order": byteorder, "places": places}).encode()
        head += b" " * (-(len(head) + 16) % 8)
        with (self.folder / name).open("wb") as file:
            file.write(_MAGIC + len(head).to_bytes(8, "little") + head)
            for data in sections.values():
                file.write(data)
                file.write(b"\0" * (-len(data) % 8))
            file.flush()
            os.fsync(file.fileno())
        return name

    def _save(self, made: Made) -> None:
        """Let the manifest name new files, and delete those that it names no more."""
        fresh = self.folder / "manifest.json.new"
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(asdict(made), file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.folder / "manifest.json")
        self._refresh()
        for path in self.folder.glob("*.bin"):
            if path.name not in (made.base, made.later):
                try:
                    path.unlink()
                except OSError:  # Windows keeps what a reader has open; the next one deletes it
                    continue


class _Part:
    """One file, taken apart."""

    def __init__(self, data: memoryview) -> None:
        if bytes(data[:8]) != _MAGIC:
            raise ValueError("no file of completions")
        length = int.from_bytes(data[8:16], "little")
        head: dict[str, Any] = json.loads(bytes(data[16 : 16 + length]))
        if head["order"] != byteorder:
            raise ValueError("made on another kind of machine")
        start, places = 16 + length, head["places"]
        if any(start + at + size > len(data) for at, size in places.values()):
            raise ValueError("cut off")
        arrays = {name: data[start + at : start + at + size] for name, (at, size) in places.items()}
        self.titles = Phrases(_under("titles.", arrays))
        self.names = Phrases(_under("names.", arrays))
        self.pks = arrays["pks"].cast("q")
        self.weights = arrays["weights"].cast("f")
        self.counts = arrays["counts"].cast("I")
        self.shown = Strings(arrays, "shown")
        self.hidden = arrays["hidden"].cast("q").tolist() if "hidden" in arrays else []


def _under(prefix: str, arrays: Mapping[str, memoryview]) -> dict[str, memoryview]:
    return {name.removeprefix(prefix): data for name, data in arrays.items() if name.startswith(prefix)}


def _mapped(path: Path) -> memoryview:
    with path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _counted(rows: Iterable[Heading], progress: Progress, total: int) -> Iterator[Heading]:
    for done, row in enumerate(rows):
        if done % 10_000 == 0:
            progress(done, total)
        yield row


def _weight(row: Heading) -> float:
    return log1p(row.citations or 0) + ((row.year or _PLAIN_YEAR) - _PLAIN_YEAR) / _YEARS_A_FOLD


def _packed(rows: list[Heading], last_pk: int) -> dict[str, bytes]:
    """The sections of a file of these papers; names of papers up to `last_pk` were counted in another one."""
    weighed = sorted(((_weight(row), row.pk, row.title) for row in rows), reverse=True)
    titles = pack_phrases([" ".join(folded_words(title)[:_LONGEST]) for _, _, title in weighed])
    written: Counter[str] = Counter()
    known: dict[str, None] = {}
    for row in rows:
        authors = json.loads(row.authors)
        if row.pk > last_pk:
            written.update(authors)
        else:
            known |= dict.fromkeys(authors)
    names, shown, counts = _names(written, known)
    return {
        **{f"titles.{name}": data for name, data in titles.items()},
        **{f"names.{name}": data for name, data in pack_phrases(names).items()},
        "pks": array("q", [pk for _, pk, _ in weighed]).tobytes(),
        "weights": array("f", [weight for weight, _, _ in weighed]).tobytes(),
        "counts": array("I", counts).tobytes(),
        **pack_strings("shown", (name.encode("utf-8", "replace") for name in shown)),
    }


def _names(written: Counter[str], known: Iterable[str]) -> tuple[list[str], list[str], list[int]]:
    """Names as folded words, as they are shown, and their papers, the most papers first; spellings with the same
    letters are one name."""
    counts: Counter[str] = Counter()
    best: dict[str, tuple[int, str]] = {}
    for name, n in chain(written.items(), ((name, 0) for name in known if name not in written)):
        key = " ".join(folded_words(name))
        if not key:
            continue
        counts[key] += n
        best[key] = max(best.get(key, (-1, "")), (n, name))
    order = sorted(counts, key=lambda key: (-counts[key], key))
    return order, [best[key][1] for key in order], [counts[key] for key in order]
