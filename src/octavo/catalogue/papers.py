"""Records and papers in the database: what is stored and how it is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from octavo.catalogue.database import Database, now, storage_errors
from octavo.errors import NotFound
from octavo.records.dates import PartialDate
from octavo.records.fold import title_key
from octavo.records.ids import Identifier
from octavo.records.paper import Paper, PaperId

_COLUMNS = (
    "id", "title", "authors", "authors_incomplete", "abstract", "summary", "tldr", "venue", "venue_name", "year",
    "date", "status", "award", "identifiers", "version", "categories", "keywords", "topics", "links", "comment",
    "journal_ref", "sources", "origins", "citations", "cites",
)  # fmt: skip
"""A Paper's columns, in the order of its fields; `cites` are its references, a word that SQL keeps for itself."""
_SELECT = f"SELECT pk, {', '.join(_COLUMNS)} FROM papers"  # noqa: S608 - a constant
_INSERT = (
    f"INSERT INTO papers (pk, seq, title_key, {', '.join(_COLUMNS)}) VALUES (?, ?, ?{', ?' * len(_COLUMNS)})"  # noqa: S608
    f" ON CONFLICT (pk) DO UPDATE SET seq = excluded.seq, title_key = excluded.title_key,"
    f" {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS)}"
)
_CHUNK = 500
"""Values in one IN list; SQLite's oldest limit is 999."""
Row = tuple[Any, ...]
"""A paper as its columns: plain values, cheap to pass between processes and to write. `title_key` stands first."""
_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _dump_strings(values: Sequence[str]) -> str:
    """A list of strings in JSON; most need no escapes, and a paper has five such lists."""
    joined = '","'.join(values)
    if not values or (joined.isprintable() and "\\" not in joined and joined.count('"') == 2 * (len(values) - 1)):
        return f'["{joined}"]' if values else "[]"
    return _dump(values)


def _dump_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """Pairs of strings as an object in JSON; most need no escapes here either."""
    if not pairs:
        return "{}"
    joined = '","'.join([f'{name}":"{value}' for name, value in pairs])
    if joined.isprintable() and "\\" not in joined and joined.count('"') == 4 * len(pairs) - 2:
        return f'{{"{joined}"}}'
    return _dump(dict(pairs))


@dataclass(frozen=True, slots=True)
class Stored:
    """A record as it is stored."""

    pk: int
    source: str
    key: str
    paper: int
    digest: bytes
    claim: str
    """The record in JSON (`records.codec`)."""


class Catalogue:
    """Questions to the database and changes to it. Changes want a transaction of `database.write` around them."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self.database = database
        self._run = database.connection.execute

    # -- numbers -----------------------------------------------------------------------------------------------------

    @property
    def key(self) -> str:
        """The catalogue's own random name: an index made from another catalogue is told by it."""
        return str(self._run("SELECT value FROM meta WHERE key = 'catalogue'").fetchone()[0])

    @property
    def seq(self) -> int:
        """The number of the last change."""
        return int(self._run("SELECT value FROM meta WHERE key = 'seq'").fetchone()[0])

    def next_seq(self) -> int:
        """Count one change further, inside the transaction that makes it."""
        self._run("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'seq'")
        return self.seq

    def count_records(self) -> int:
        """How many records there are."""
        return int(self._run("SELECT count(*) FROM records").fetchone()[0])

    def count_papers(self) -> int:
        """How many papers there are."""
        return int(self._run("SELECT count(*) FROM papers").fetchone()[0])

    def merge_rules(self) -> str:
        """By which rules the papers were merged; empty where nothing says."""
        row = self._run("SELECT value FROM meta WHERE key = 'merge_rules'").fetchone()
        return str(row[0]) if row else ""

    def put_merge_rules(self, rules: str) -> None:
        """Say by which rules the papers are merged."""
        self._run("INSERT OR REPLACE INTO meta VALUES ('merge_rules', ?)", (rules,))

    # -- records -----------------------------------------------------------------------------------------------------

    def find_records(self, source: str, keys: Sequence[str]) -> dict[str, Stored]:
        """The stored records of `source` with these keys."""
        rows = self._in(
            "SELECT pk, source, key, paper, digest, claim FROM records WHERE source = ? AND key IN", keys, source
        )
        return {row[2]: Stored(*row) for row in rows}

    def find_digests(self, source: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The digests of the stored records of `source` with these keys: enough to see what is unchanged."""
        rows = self._in("SELECT key, digest FROM records WHERE source = ? AND key IN", keys, source)
        return {row[0]: row[1] for row in rows}

    def find_records_before(self, source: str, keys: Sequence[str], pk: int) -> set[str]:
        """Those of the keys whose records of `source` were stored first when `pk` was the last record's key."""
        rows = self._in("SELECT key FROM records WHERE source = ? AND pk <= ? AND key IN", keys, source, pk)
        return {row[0] for row in rows}

    def papers_of_records_after(self, pk: int) -> list[int]:
        """The papers of the records that were stored since `pk` was the last record's key."""
        return [row[0] for row in self._run("SELECT DISTINCT paper FROM records WHERE pk > ? ORDER BY paper", (pk,))]

    def find_holders(self, identifiers: Sequence[str]) -> dict[str, set[int]]:
        """For each identifier (`arxiv:1706.03762`) that is known, the papers of the records that carry it."""
        found: dict[str, set[int]] = {}
        for identifier, paper in self._in(
            "SELECT identifier, paper FROM identifiers JOIN records ON records.pk = record WHERE identifier IN",
            identifiers,
        ):
            found.setdefault(identifier, set()).add(paper)
        return found

    def records_of(self, papers: Sequence[int]) -> list[Stored]:
        """All records of these papers, in the order of their keys."""
        rows = self._in("SELECT pk, source, key, paper, digest, claim FROM records WHERE paper IN", papers)
        return sorted((Stored(*row) for row in rows), key=lambda stored: (stored.source, stored.key))

    def all_papers_pks(self) -> list[int]:
        """Every paper's key in the database, in the order of their ids."""
        return [row[0] for row in self._run("SELECT pk FROM papers ORDER BY id")]

    def put_records(self, rows: Iterable[tuple[int, str, str, int, bytes, str, int]]) -> None:
        """Store (pk, source, key, paper, digest, claim, linked)."""
        stamp = now()
        self.database.connection.executemany(
            "INSERT INTO records (pk, source, key, paper, digest, claim, linked, added_at, changed_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (source, key) DO UPDATE SET paper = excluded.paper, digest = excluded.digest,"
            " claim = excluded.claim, linked = min(linked, excluded.linked), changed_at = excluded.changed_at",
            ((*row, stamp, stamp) for row in rows),
        )

    def move_record(self, pk: int, paper: int) -> None:
        """Let the record belong to another paper."""
        self._run("UPDATE records SET paper = ? WHERE pk = ?", (paper, pk))

    def drop_records(self, pks: Iterable[int]) -> None:
        """Forget records, and what they were known by."""
        self.database.connection.executemany("DELETE FROM records WHERE pk = ?", ((pk,) for pk in pks))

    def put_identifiers(self, rows: Iterable[tuple[str, int]]) -> None:
        """Store (identifier, record pk) pairs."""
        self.database.connection.executemany("INSERT OR IGNORE INTO identifiers VALUES (?, ?)", rows)

    def drop_identifiers(self, record: int) -> None:
        """Forget what the record was known by."""
        self._run("DELETE FROM identifiers WHERE record = ?", (record,))

    def next_record_pk(self) -> int:
        """The first record key that is free; safe only inside a write transaction."""
        return int(self._run("SELECT coalesce(max(pk), 0) + 1 FROM records").fetchone()[0])

    def next_paper_pk(self) -> int:
        """The first paper key that was never used: a removed paper's key must not come again in the index."""
        row = self._run("SELECT seq FROM sqlite_sequence WHERE name = 'papers'").fetchone()
        return int(row[0]) + 1 if row else 1

    # -- papers ------------------------------------------------------------------------------------------------------

    def put_papers(self, papers: Iterable[tuple[int, Row]], seq: int) -> None:
        """Store papers under their keys, as changed at `seq`."""
        self.database.connection.executemany(_INSERT, ((pk, seq, *row) for pk, row in papers))

    def free_ids(self, pks: Iterable[int]) -> None:
        """Take the ids of papers that are about to get another, so that these are free in whatever order they go."""
        self.database.connection.executemany("UPDATE papers SET id = '~' || pk WHERE pk = ?", ((pk,) for pk in pks))

    def remove_paper(self, pk: int, seq: int) -> None:
        """Remove a paper whose records went to others, as of change `seq`."""
        self._run("INSERT OR REPLACE INTO removed VALUES (?, ?)", (pk, seq))
        # Its records are moved in the same transaction; until then they may refer to nothing.
        self._run("PRAGMA defer_foreign_keys = ON")
        self._run("DELETE FROM papers WHERE pk = ?", (pk,))

    def put_alias(self, old: PaperId, new: PaperId) -> None:
        """Let a former id lead to the present one."""
        if old != new:
            self._run("INSERT OR REPLACE INTO aliases VALUES (?, ?)", (old, new))
        self._run("DELETE FROM aliases WHERE id = ?", (new,))

    def get_papers(self, pks: Sequence[int]) -> dict[int, Paper]:
        """The papers with these keys, as far as there are any."""
        return {row[0]: paper_of(row) for row in self._in(f"{_SELECT} WHERE pk IN", pks)}

    def get_paper(self, paper_id: PaperId) -> tuple[int, Paper]:
        """The paper of that id, or of the id that it leads to.

        Raises:
            NotFound: where there is none.
        """
        for _ in range(50):
            row = self._run(f"{_SELECT} WHERE id = ?", (paper_id,)).fetchone()
            if row:
                return row[0], paper_of(row)
            alias = self._run("SELECT paper FROM aliases WHERE id = ?", (paper_id,)).fetchone()
            if not alias:
                break
            paper_id = PaperId(alias[0])
        raise NotFound(f"There is no paper {paper_id} in the catalogue.")

    def find_by_identifier(self, identifier: Identifier) -> list[int]:
        """The keys of the papers that carry the identifier."""
        return sorted(self.find_holders([str(identifier)]).get(str(identifier), ()))

    def find_by_title_key(self, key: str, limit: int = 20) -> list[int]:
        """The keys of the papers whose title reduces to `key` (`records.fold.title_key`)."""
        if not key:
            return []
        return [
            row[0] for row in self._run("SELECT pk FROM papers WHERE title_key = ? ORDER BY pk LIMIT ?", (key, limit))
        ]

    def changed_since(self, seq: int, upto: int | None = None) -> Iterator[tuple[int, Paper]]:
        """Every paper that was changed after `seq`, and at `upto` at the latest, streamed in the order of change."""
        upto = self.seq if upto is None else upto
        with storage_errors(self.database.path):
            for row in self._run(f"{_SELECT} WHERE seq > ? AND seq <= ? ORDER BY seq, pk", (seq, upto)):
                yield row[0], paper_of(row)

    def seq_of_next(self, seq: int, n_papers: int) -> int:
        """The change up to which the next `n_papers` changed after `seq` go; a few more where one change holds them."""
        query = "SELECT seq FROM papers WHERE seq > ? ORDER BY seq LIMIT 1 OFFSET ?"
        row = self._run(query, (seq, n_papers - 1)).fetchone()
        return int(row[0]) if row else self.seq

    def count_changed_since(self, seq: int) -> int:
        """How many papers were changed after `seq`."""
        return int(self._run("SELECT count(*) FROM papers WHERE seq > ?", (seq,)).fetchone()[0])

    def removed_since(self, seq: int) -> list[int]:
        """The keys of the papers that were removed after `seq`."""
        return [row[0] for row in self._run("SELECT pk FROM removed WHERE seq > ?", (seq,))]

    # -- the rest ----------------------------------------------------------------------------------------------------

    def claims_of(self, pk: int) -> list[str]:
        """The claims (JSON) of a paper's records."""
        return [stored.claim for stored in self.records_of([pk])]

    def _in(self, select: str, values: Sequence[object], *before: object) -> Iterator[Row]:
        """Run `select ... IN (...)` over any number of values."""
        for start in range(0, len(values), _CHUNK):
            part = values[start : start + _CHUNK]
            yield from self._run(f"{select} ({','.join('?' * len(part))})", (*before, *part))


def row_of(paper: Paper) -> Row:
    """A Paper as its columns."""
    return (
        title_key(paper.title), paper.id, paper.title, _dump_strings(paper.authors), int(paper.authors_incomplete),
        paper.abstract, paper.summary, paper.tldr, paper.venue, paper.venue_name, paper.year, paper.date,
        paper.status, paper.award, _dump_strings([str(identifier) for identifier in paper.identifiers]), paper.version,
        _dump_strings(paper.categories), _dump_strings(paper.keywords), _dump(paper.topics) if paper.topics else "[]",
        _dump_pairs(paper.links), paper.comment, paper.journal_ref, _dump_strings(paper.sources),
        _dump_pairs(paper.origins), paper.citations, _dump_strings([str(cited) for cited in paper.references]),
    )  # fmt: skip


def paper_of(row: Row) -> Paper:
    """The Paper of its columns."""
    (_, paper_id, title, authors, incomplete, abstract, summary, tldr, venue, venue_name, year, date, status, award,
     identifiers, version, categories, keywords, topics, links, comment, journal_ref, sources,
     origins, citations, cites) = row  # fmt: skip
    load = json.loads
    return Paper(
        id=PaperId(paper_id),
        title=title,
        authors=tuple(load(authors)),
        authors_incomplete=bool(incomplete),
        abstract=abstract,
        summary=summary,
        tldr=tldr,
        venue=venue,
        venue_name=venue_name,
        year=year,
        date=PartialDate(date) if date else None,
        status=status,
        award=award,
        identifiers=_identifiers(identifiers),
        version=version,
        categories=tuple(load(categories)),
        keywords=tuple(load(keywords)),
        topics=tuple(tuple(trail) for trail in load(topics)),
        links=tuple(load(links).items()),
        comment=comment,
        journal_ref=journal_ref,
        sources=tuple(load(sources)),
        origins=tuple(load(origins).items()),
        citations=citations,
        references=() if cites == "[]" else _identifiers(cites),
    )


def _identifiers(column: str) -> tuple[Identifier, ...]:
    return tuple(Identifier(*text.split(":", 1)) for text in json.loads(column))
