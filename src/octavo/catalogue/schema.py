"""The catalogue's schema, as numbered steps.

A step never changes once it has been released: a new need is a new step at the end. `tests/catalogue/old/` holds a
dump per released version, which the tests bring up to date.
"""

from __future__ import annotations

from typing import NamedTuple

APPLICATION_ID = 0x4F435456
"""`OCTV`, in SQLite's header: tells a catalogue from any other database."""


class Migration(NamedTuple):
    """One step: `statements` run in one transaction together with the step's entry in `migrations`."""

    number: int
    name: str
    statements: tuple[str, ...]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        1,
        "records, papers and what waits",
        (
            "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)",
            "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
            # A paper is what ingest.merge makes of its records; every column but pk, id and seq can be made again.
            """CREATE TABLE papers (
                pk INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                seq INTEGER NOT NULL,
                title TEXT NOT NULL,
                title_key TEXT NOT NULL,
                authors TEXT NOT NULL,
                authors_incomplete INTEGER NOT NULL,
                abstract TEXT NOT NULL,
                summary TEXT NOT NULL,
                tldr TEXT NOT NULL,
                venue TEXT NOT NULL,
                venue_name TEXT NOT NULL,
                year INTEGER,
                date TEXT,
                status TEXT NOT NULL,
                award TEXT NOT NULL,
                identifiers TEXT NOT NULL,
                version INTEGER,
                categories TEXT NOT NULL,
                keywords TEXT NOT NULL,
                topics TEXT NOT NULL,
                links TEXT NOT NULL,
                comment TEXT NOT NULL,
                journal_ref TEXT NOT NULL,
                sources TEXT NOT NULL,
                origins TEXT NOT NULL)""",
            # The index asks for all that changed after the number it holds.
            "CREATE INDEX papers_seq ON papers (seq)",
            "CREATE INDEX papers_title_key ON papers (title_key)",
            "CREATE TABLE removed (pk INTEGER PRIMARY KEY, seq INTEGER NOT NULL)",
            "CREATE TABLE aliases (id TEXT PRIMARY KEY, paper TEXT NOT NULL) WITHOUT ROWID",
            """CREATE TABLE records (
                pk INTEGER PRIMARY KEY,
                source TEXT NOT NULL,
                key TEXT NOT NULL,
                paper INTEGER NOT NULL REFERENCES papers (pk),
                digest BLOB NOT NULL,
                claim TEXT NOT NULL,
                added_at TEXT NOT NULL,
                changed_at TEXT NOT NULL,
                UNIQUE (source, key))""",
            "CREATE INDEX records_paper ON records (paper)",
            """CREATE TABLE identifiers (
                identifier TEXT NOT NULL,
                record INTEGER NOT NULL REFERENCES records (pk) ON DELETE CASCADE,
                PRIMARY KEY (identifier, record)) WITHOUT ROWID""",
            "CREATE INDEX identifiers_record ON identifiers (record)",
            # Entries without a title, until they are identified.
            """CREATE TABLE waiting (
                source TEXT NOT NULL,
                key TEXT NOT NULL,
                claim TEXT NOT NULL,
                added_at TEXT NOT NULL,
                PRIMARY KEY (source, key)) WITHOUT ROWID""",
            """CREATE TABLE runs (
                pk INTEGER PRIMARY KEY,
                source TEXT NOT NULL,
                target TEXT NOT NULL,
                pid INTEGER NOT NULL,
                started_at TEXT NOT NULL,
                ended_at TEXT,
                state TEXT NOT NULL,
                counts TEXT NOT NULL)""",
            """CREATE TABLE faults (
                run INTEGER NOT NULL REFERENCES runs (pk) ON DELETE CASCADE,
                place TEXT NOT NULL,
                reason TEXT NOT NULL,
                entry TEXT NOT NULL)""",
            "CREATE INDEX faults_run ON faults (run)",
            "INSERT INTO meta VALUES ('seq', '0')",
            "INSERT INTO meta VALUES ('catalogue', lower(hex(randomblob(16))))",
        ),
    ),
    Migration(
        2,
        "what is asked of the network, announcement days, and what was deleted",
        (
            "ALTER TABLE papers ADD COLUMN citations INTEGER",
            "ALTER TABLE papers ADD COLUMN cites TEXT NOT NULL DEFAULT '[]'",
            # Where the next run of a source goes on; written in the transaction that stores the page before it.
            """CREATE TABLE cursors (
                source TEXT NOT NULL,
                want TEXT NOT NULL,
                cursor TEXT NOT NULL,
                updated_at TEXT NOT NULL,
                PRIMARY KEY (source, want)) WITHOUT ROWID""",
            # What a run did, a batch at a time: an announcement day, or (day '') all that was wanted.
            """CREATE TABLE batches (
                pk INTEGER PRIMARY KEY,
                run INTEGER NOT NULL REFERENCES runs (pk) ON DELETE CASCADE,
                source TEXT NOT NULL,
                want TEXT NOT NULL,
                day TEXT NOT NULL,
                state TEXT NOT NULL,
                counts TEXT NOT NULL,
                notes TEXT NOT NULL,
                ended_at TEXT NOT NULL)""",
            "CREATE INDEX batches_want ON batches (source, want, day)",
            "CREATE INDEX batches_run ON batches (run)",
            # The papers of an announcement day, by what was asked for (a category); told by `feed`, `oai` or `both`.
            """CREATE TABLE announced (
                source TEXT NOT NULL,
                want TEXT NOT NULL,
                day TEXT NOT NULL,
                key TEXT NOT NULL,
                kind TEXT NOT NULL,
                categories TEXT NOT NULL,
                version INTEGER,
                told_by TEXT NOT NULL,
                PRIMARY KEY (source, want, day, key)) WITHOUT ROWID""",
            "CREATE INDEX announced_key ON announced (source, key)",
            "CREATE INDEX announced_day ON announced (source, day)",
            # Records that their source deleted; `paper` is the id of the paper that went with them, else empty.
            """CREATE TABLE tombstones (
                source TEXT NOT NULL,
                key TEXT NOT NULL,
                identifiers TEXT NOT NULL,
                paper TEXT NOT NULL,
                deleted_on TEXT,
                noted_at TEXT NOT NULL,
                PRIMARY KEY (source, key)) WITHOUT ROWID""",
            # What a service was asked for, and under which id it answered, empty where it knows none.
            """CREATE TABLE look_ups (
                source TEXT NOT NULL,
                asked TEXT NOT NULL,
                given TEXT NOT NULL,
                looked_at TEXT NOT NULL,
                PRIMARY KEY (source, asked)) WITHOUT ROWID""",
        ),
    ),
    Migration(
        3,
        "links between records of one work",
        (
            # 0: stored, and not compared with the others yet.
            "ALTER TABLE records ADD COLUMN linked INTEGER NOT NULL DEFAULT 0",
            "CREATE INDEX records_unlinked ON records (pk) WHERE linked = 0",
            # Records with a common key are compared (`ingest.linking.keys`).
            """CREATE TABLE link_keys (
                key INTEGER NOT NULL,
                record INTEGER NOT NULL,
                PRIMARY KEY (key, record)) WITHOUT ROWID""",
            # What a reader said, by the names of records, which outlive every rebuild.
            """CREATE TABLE acts (
                pk INTEGER PRIMARY KEY AUTOINCREMENT,
                kind TEXT NOT NULL,
                said_at TEXT NOT NULL,
                undone_at TEXT)""",
            """CREATE TABLE rulings (
                act INTEGER NOT NULL REFERENCES acts (pk) ON DELETE CASCADE,
                one_source TEXT NOT NULL,
                one_key TEXT NOT NULL,
                other_source TEXT NOT NULL,
                other_key TEXT NOT NULL)""",
            "CREATE INDEX rulings_act ON rulings (act)",
            """CREATE TABLE doubts (
                one_source TEXT NOT NULL,
                one_key TEXT NOT NULL,
                other_source TEXT NOT NULL,
                other_key TEXT NOT NULL,
                reason TEXT NOT NULL,
                score REAL NOT NULL,
                PRIMARY KEY (one_source, one_key, other_source, other_key)) WITHOUT ROWID""",
            "CREATE INDEX doubts_other ON doubts (other_source, other_key)",
        ),
    ),
)
