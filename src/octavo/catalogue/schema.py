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


def _shelved(row: str) -> str:
    """Statements that make the row of `shelves` anew for the paper of a trigger's NEW or OLD row."""
    said = " UNION ALL ".join(
        f"SELECT {kind}, at FROM {table} WHERE paper = {row}.paper"  # noqa: S608 - constants
        for table, kind in (("marks", "kind"), ("tags", "'tag' AS kind"), ("notes", "'note' AS kind"))
    )
    return f"""DELETE FROM shelves WHERE paper = {row}.paper;
        INSERT INTO shelves
        SELECT {row}.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM ({said}) HAVING count(*) > 0;"""  # noqa: S608 - constants


_SHELVING = tuple(
    f"CREATE TRIGGER {table}_on_{event[:6].lower()} AFTER {event} ON {table} BEGIN {' '.join(map(_shelved, rows))} END"
    for table in ("marks", "tags", "notes")
    for event, rows in (("INSERT", ("NEW",)), ("UPDATE OF paper", ("OLD", "NEW")), ("DELETE", ("OLD",)))
)
"""Triggers that keep `shelves` in step with what was said."""

_IS_MISSED = " OR ".join(
    f"EXISTS (SELECT 1 FROM {table} WHERE {column} = NEW.id)"  # noqa: S608 - constants
    for table, column in (("marks", "given"), ("tags", "given"), ("notes", "given"), ("gone_papers", "id"))
)
"""Whether something was said of a new paper under the id that it has: asked of each, hence before all else."""
_RETURNS = " ".join(
    (
        "UPDATE marks SET paper = NEW.id, given = NULL WHERE given = NEW.id;",
        "UPDATE tags SET paper = NEW.id, given = NULL WHERE given = NEW.id;",
        "UPDATE notes SET paper = NEW.id, given = NULL WHERE given = NEW.id;",
        "DELETE FROM gone_papers WHERE id = NEW.id;",
    )
)

_IS_CORRECTED = "EXISTS (SELECT 1 FROM topic_corrections WHERE given = NEW.id)"
_CORRECTS_AGAIN = "UPDATE topic_corrections SET paper = NEW.id, given = NULL WHERE given = NEW.id;"

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
    Migration(
        4,
        "the reader's library",
        (
            # What a reader said of a paper. `paper` is the id that the paper has now; `given` the one that it had when
            # the reader spoke, where that is another by now (null where not): as triggers below keep it.
            """CREATE TABLE marks (
                paper TEXT NOT NULL,
                kind TEXT NOT NULL,
                at TEXT NOT NULL,
                given TEXT)""",
            """CREATE TABLE tags (
                paper TEXT NOT NULL,
                tag TEXT NOT NULL,
                at TEXT NOT NULL,
                given TEXT)""",
            """CREATE TABLE notes (
                paper TEXT NOT NULL,
                text TEXT NOT NULL,
                at TEXT NOT NULL,
                given TEXT)""",
            "CREATE UNIQUE INDEX marks_said ON marks (coalesce(given, paper), kind)",
            "CREATE UNIQUE INDEX tags_said ON tags (coalesce(given, paper), tag)",
            "CREATE UNIQUE INDEX notes_said ON notes (coalesce(given, paper))",
            "CREATE INDEX marks_paper ON marks (paper, kind, at)",
            "CREATE INDEX tags_paper ON tags (paper, tag, at)",
            "CREATE INDEX notes_paper ON notes (paper, at)",
            "CREATE INDEX marks_kind ON marks (kind, paper)",
            "CREATE INDEX tags_tag ON tags (tag, at, paper, given)",
            "CREATE INDEX marks_given ON marks (given) WHERE given IS NOT NULL",
            "CREATE INDEX tags_given ON tags (given) WHERE given IS NOT NULL",
            "CREATE INDEX notes_given ON notes (given) WHERE given IS NOT NULL",
            # What the library is listed and counted by, made of the three by triggers: a row a paper.
            """CREATE TABLE shelves (
                paper TEXT PRIMARY KEY,
                at TEXT NOT NULL,
                saved INTEGER NOT NULL,
                tagged INTEGER NOT NULL,
                noted INTEGER NOT NULL,
                kept INTEGER NOT NULL,
                read_at TEXT NOT NULL) WITHOUT ROWID""",
            "CREATE INDEX shelves_kept ON shelves (at, paper) WHERE kept = 1",
            "CREATE INDEX shelves_unread ON shelves (at, paper) WHERE kept = 1 AND read_at = ''",
            "CREATE INDEX shelves_saved ON shelves (at, paper) WHERE saved = 1",
            "CREATE INDEX shelves_tagged ON shelves (at, paper) WHERE tagged = 1",
            "CREATE INDEX shelves_noted ON shelves (at, paper) WHERE noted = 1",
            "CREATE INDEX shelves_read ON shelves (read_at, paper) WHERE read_at <> ''",
            *_SHELVING,
            # Papers of the library that are in the catalogue no more, or not yet: enough of them to be known by.
            """CREATE TABLE gone_papers (
                id TEXT PRIMARY KEY,
                title TEXT NOT NULL,
                authors TEXT NOT NULL,
                year INTEGER,
                identifiers TEXT NOT NULL) WITHOUT ROWID""",
            "CREATE TABLE saved_searches (name TEXT PRIMARY KEY, query TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID",
            # What was done, to be undone: `ruled` is the last of `acts` before it, so that the last of both is known.
            """CREATE TABLE library_acts (
                pk INTEGER PRIMARY KEY AUTOINCREMENT,
                kind TEXT NOT NULL,
                ruled INTEGER NOT NULL,
                said_at TEXT NOT NULL,
                undone_at TEXT)""",
            """CREATE TABLE library_changes (
                act INTEGER NOT NULL REFERENCES library_acts (pk) ON DELETE CASCADE,
                is_added INTEGER NOT NULL,
                kind TEXT NOT NULL,
                given TEXT NOT NULL,
                value TEXT NOT NULL,
                at TEXT NOT NULL)""",
            "CREATE INDEX library_changes_act ON library_changes (act)",
            "INSERT INTO meta VALUES ('forms', lower(hex(randomblob(32))))",
            # However a paper gets another id, what was said of it follows in the same transaction, ...
            """CREATE TRIGGER library_follows AFTER INSERT ON aliases BEGIN
                UPDATE marks SET given = coalesce(given, paper), paper = NEW.paper WHERE paper = NEW.id;
                UPDATE tags SET given = coalesce(given, paper), paper = NEW.paper WHERE paper = NEW.id;
                UPDATE notes SET given = coalesce(given, paper), paper = NEW.paper WHERE paper = NEW.id;
                DELETE FROM gone_papers WHERE id = NEW.id;
            END""",
            # ... and goes back when there is a paper of that id again (a split, an undone join, a paper that returns).
            f"CREATE TRIGGER library_returns AFTER INSERT ON papers WHEN {_IS_MISSED} BEGIN {_RETURNS} END",
            f"""CREATE TRIGGER library_returns_renamed AFTER UPDATE OF id ON papers
            WHEN NEW.id <> OLD.id AND ({_IS_MISSED}) BEGIN {_RETURNS} END""",
            # A paper that its sources deleted stays known to the library.
            """CREATE TRIGGER library_keeps BEFORE DELETE ON papers
                WHEN EXISTS (SELECT 1 FROM shelves WHERE paper = OLD.id)
            BEGIN
                INSERT OR REPLACE INTO gone_papers
                VALUES (OLD.id, OLD.title, OLD.authors, OLD.year, OLD.identifiers);
            END""",
        ),
    ),
    Migration(
        5,
        "the reader's word on what papers are about",
        (
            # A row a topic; an empty slug alone: of none of them. `paper` and `given` as in the library's tables.
            """CREATE TABLE topic_corrections (
                paper TEXT NOT NULL,
                topic TEXT NOT NULL,
                at TEXT NOT NULL,
                given TEXT)""",
            "CREATE UNIQUE INDEX topic_corrections_said ON topic_corrections (coalesce(given, paper), topic)",
            "CREATE INDEX topic_corrections_paper ON topic_corrections (paper)",
            "CREATE INDEX topic_corrections_given ON topic_corrections (given) WHERE given IS NOT NULL",
            """CREATE TRIGGER topic_corrections_follow AFTER INSERT ON aliases BEGIN
                UPDATE topic_corrections SET given = coalesce(given, paper), paper = NEW.paper WHERE paper = NEW.id;
            END""",
            f"""CREATE TRIGGER topic_corrections_return AFTER INSERT ON papers WHEN {_IS_CORRECTED}
            BEGIN {_CORRECTS_AGAIN} END""",
            f"""CREATE TRIGGER topic_corrections_return_renamed AFTER UPDATE OF id ON papers
            WHEN NEW.id <> OLD.id AND {_IS_CORRECTED} BEGIN {_CORRECTS_AGAIN} END""",
        ),
    ),
)
