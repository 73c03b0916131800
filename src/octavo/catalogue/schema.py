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
)
