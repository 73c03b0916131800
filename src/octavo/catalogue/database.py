"""One SQLite file: opening, migrating, transactions, and SQLite's faults told as Octavo's errors."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep

from octavo.catalogue.schema import APPLICATION_ID, MIGRATIONS, Migration
from octavo.errors import (
    CatalogueBusyError,
    DamagedCatalogueError,
    DiskFullError,
    HomeError,
    NewerCatalogueError,
    OctavoError,
    StorageError,
)

BUSY_SECONDS = 30.0
"""How long a writer waits for another. Batches take a fraction of a second, so a longer wait is a fault worth
telling."""


CHECKPOINT_PAGES = 16_000
"""Pages of the log (64 MB) after which SQLite copies them into the file. Its own 1,000 is a few batches of records, and
the same pages of the indexes would be copied, and waited for, over and over."""


_POLL = 0.02


def now() -> str:
    """This moment in UTC, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Tell SQLite's and the system's faults about `path` as errors of `octavo.errors`."""
    try:
        yield
    except OctavoError:
        raise
    except sqlite3.Error as error:
        raise told(error, path) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise disk_full(path) from error
        raise HomeError(
            f"{error.filename or path} can't be used: {error.strerror or error}.",
            hint="Choose another folder with --home or OCTAVO_HOME.",
        ) from error


def _cannot_write(error: sqlite3.OperationalError) -> bool:
    text = str(error).lower()
    return any(sign in text for sign in ("readonly", "unable to open", "disk i/o", "disk is full"))


def disk_full(path: Path) -> DiskFullError:
    """The error for a disk without room."""
    return DiskFullError(
        f"No room left on the disk of {path.parent}.",
        hint="What was committed is safe; free some space and give the same command again.",
    )


def told(error: sqlite3.Error, path: Path) -> StorageError:
    """The error of ours for one of SQLite's."""
    text = str(error).lower()
    if "disk is full" in text:
        return disk_full(path)
    if "locked" in text or "busy" in text:
        return CatalogueBusyError(
            f"Another process has been writing to {path} for over {BUSY_SECONDS:.0f} seconds.",
            hint="Wait for it to end, then try again.",
        )
    if "not a database" in text or "malformed" in text or "could not decode" in text:
        return DamagedCatalogueError(
            f"{path} is not a catalogue, or is damaged ({error}).",
            hint="Move the file away, or choose another folder with --home.",
        )
    if "readonly" in text or "unable to open" in text or "disk i/o" in text:
        return HomeError(
            f"{path} can't be opened for writing ({error}).",
            hint="Check the folder's permissions, or choose another with --home or OCTAVO_HOME.",
        )
    return StorageError(f"The catalogue {path} could not be used: {error}.")


class Database:
    """A connection to one catalogue file, brought up to date on opening.

    Reads see one committed state a statement; `write` makes a transaction that is committed whole or not at all. One
    Database is for one thread.
    """

    def __init__(self, path: Path, *, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        """Open `path`, making it (and its folder) where there is none.

        Raises:
            StorageError: of the kind that fits; nothing is left half-made.
        """
        self.path = path
        self.is_readonly = False
        with storage_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self._prepare(migrations)
            except sqlite3.OperationalError as error:
                self.connection.close()
                if not path.is_file() or not _cannot_write(error):
                    raise
                self._open_to_read(migrations[-1].number)
            except BaseException:
                self.connection.close()
                raise

    @classmethod
    def empty(cls) -> Database:
        """A catalogue with nothing in it, in memory: what a reader sees of a home that is not there."""
        database = cls.__new__(cls)
        database.path, database.is_readonly = Path(":memory:"), False
        database.connection = sqlite3.connect(":memory:", isolation_level=None)
        database._prepare(MIGRATIONS)
        return database

    def _open_to_read(self, newest: int) -> None:
        """Open a file that can't be written, or whose log can't (a read-only home, a disk without a byte left).

        Where the log is empty, the file by itself is all there is, and any number may read it. Else it is read under an
        exclusive lock, for which SQLite needs no file for sharing the log; where not even a lock can be had, nobody
        writes.
        """
        self.is_readonly = True
        name = self.path.absolute().as_uri()
        ways = [("mode=rw", "PRAGMA locking_mode=EXCLUSIVE"), ("mode=ro&immutable=1", "PRAGMA query_only=ON")]
        log = self.path.with_name(f"{self.path.name}-wal")
        if not log.exists() or not log.stat().st_size:
            ways.reverse()
        for options, pragma in ways:
            self.connection = sqlite3.connect(f"{name}?{options}", uri=True, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self.connection.execute(pragma)
                version = self.connection.execute("PRAGMA user_version").fetchone()[0]
                self.connection.execute("SELECT count(*) FROM meta").fetchone()
            except sqlite3.OperationalError:
                self.connection.close()
                continue
            if version == newest:
                self.connection.execute("PRAGMA query_only=ON")
                return
            self.connection.close()
            raise HomeError(
                f"{self.path} is of an older form ({version}, where this Octavo has {newest}) and can't be written.",
                hint="Make the folder writable once, so that it can be brought up to date.",
            )
        raise HomeError(
            f"{self.path} can't be opened.", hint="Check the folder's permissions and the room on its disk."
        )

    def close(self) -> None:
        """Close the connection; SQLite folds its log into the file when the last one closes."""
        self.connection.close()

    def _prepare(self, migrations: Sequence[Migration]) -> None:
        run = self.connection.execute
        newest = migrations[-1].number
        # In one statement, which sees one state: another process may be making the catalogue at this moment.
        version, application, n_tables = run(
            "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master)"
            " FROM pragma_user_version, pragma_application_id"
        ).fetchone()
        if application == APPLICATION_ID and not version:
            raise DamagedCatalogueError(
                f"{self.path} does not say which form it is of.", hint="Put back a backup, or choose another --home."
            )
        if application != APPLICATION_ID and n_tables:
            raise DamagedCatalogueError(
                f"{self.path} is a database of some other program.", hint="Choose another folder with --home."
            )
        if version > newest:
            raise NewerCatalogueError(
                f"{self.path} was made by a later Octavo (its form is {version}, this one knows {newest}).",
                hint="Update Octavo, or choose another folder with --home.",
            )
        # A synchronous level of NORMAL in WAL mode can lose the last commit with the machine's power, never
        # consistency; whatever is lost is added again by the same command.
        for pragma in ("synchronous=NORMAL", "foreign_keys=ON", "cache_size=-32000"):
            run(f"PRAGMA {pragma}")
        if version < newest:
            self._migrate(migrations, version)
        # Only now: while a file is empty, SQLite takes a log beside it for a left-over and deletes it, with all that
        # another process has written there.
        self._begin_log()
        run(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")

    def _begin_log(self) -> None:
        """Write ahead from now on; the first of several processes that open a new file does it for all."""
        until = monotonic() + BUSY_SECONDS
        while not self._has_begun_log(is_last=monotonic() > until):
            sleep(_POLL)

    def _has_begun_log(self, *, is_last: bool) -> bool:
        try:
            self.connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if is_last or "locked" not in str(error).lower():
                raise
            return False
        return True

    def _migrate(self, migrations: Sequence[Migration], before: int) -> None:
        """Apply the steps that are missing, each with its entry in one transaction, after a copy of what there was.

        `before` is the form that the file was opened with; 0 is a new one, of which there is nothing to copy.
        """
        run = self.connection.execute
        if before:
            self._back_up(before)
        for step in migrations:
            with self.write():
                # Asked again inside the transaction: another process may have done this step in the meantime.
                if step.number <= run("PRAGMA user_version").fetchone()[0]:
                    continue
                for statement in step.statements:
                    run(statement)
                run("INSERT INTO migrations VALUES (?, ?, ?)", (step.number, step.name, now()))
                run(f"PRAGMA application_id={APPLICATION_ID}")
                run(f"PRAGMA user_version={step.number}")

    def _back_up(self, before: int) -> None:
        """Keep a copy of the catalogue as it is of form `before`; whole or not at all, by whichever process is first.

        Each process copies under a name of its own, and takes its copy for good only if nobody has begun to bring
        the catalogue up to date meanwhile.
        """
        copy = self.path.with_suffix(f".v{before}.backup")
        if copy.exists():
            return
        mine = copy.with_name(f"{copy.name}.{os.getpid()}")
        mine.unlink(missing_ok=True)
        try:
            self.connection.execute("VACUUM INTO ?", (str(mine),))
            with closing(sqlite3.connect(mine)) as made:
                found: int = made.execute("PRAGMA user_version").fetchone()[0]
            if found == before:
                mine.replace(copy)
        finally:
            mine.unlink(missing_ok=True)

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A write transaction, begun at once (pitfall of a read that turns into a write: it fails without waiting).

        Rolled back on any exception.
        """
        if self.is_readonly:
            raise HomeError(
                f"{self.path} can't be written.", hint="Check the folder's permissions and the room on its disk."
            )
        with storage_errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
