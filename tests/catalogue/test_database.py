"""Opening, migrating, transactions and SQLite's faults."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from octavo.catalogue import Database
from octavo.catalogue.runs import Runs
from octavo.catalogue.schema import MIGRATIONS, Migration
from octavo.errors import DamagedCatalogueError, HomeError, NewerCatalogueError


def names(database: Database) -> set[str]:
    return {row[0] for row in database.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_a_new_catalogue_is_made_when_there_is_none(tmp_path: Path) -> None:
    database = Database(tmp_path / "deep" / "catalogue.db")
    assert {"papers", "records", "identifiers", "waiting", "runs"} <= names(database)
    assert database.connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    database.close()


def test_steps_run_once_when_it_is_opened_again(tmp_path: Path) -> None:
    for _ in range(2):
        database = Database(tmp_path / "catalogue.db")
        applied = database.connection.execute("SELECT number FROM migrations").fetchall()
        assert applied == [(step.number,) for step in MIGRATIONS]
        database.close()


def test_an_old_catalogue_is_copied_and_brought_up_to_date(tmp_path: Path) -> None:
    """H06: forward steps, a copy before, nothing lost."""
    path = tmp_path / "catalogue.db"
    Database(path).close()
    more = (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "one more", ("CREATE TABLE extra (x)",)))
    database = Database(path, migrations=more)
    assert "extra" in names(database)
    database.close()
    copy = sqlite3.connect(tmp_path / f"catalogue.v{len(MIGRATIONS)}.backup")
    assert "papers" in {row[0] for row in copy.execute("SELECT name FROM sqlite_master")}
    copy.close()


def test_a_step_that_fails_leaves_the_old_form(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    Database(path).close()
    broken = Migration(len(MIGRATIONS) + 1, "broken", ("CREATE TABLE half (x)", "CREATE TABLE nonsense oops("))
    with pytest.raises(Exception, match="catalogue"):
        Database(path, migrations=(*MIGRATIONS, broken))
    database = Database(path)
    assert "half" not in names(database)
    database.close()


def test_a_newer_catalogue_is_refused_and_left_alone(tmp_path: Path) -> None:
    """H06."""
    path = tmp_path / "catalogue.db"
    database = Database(path)
    database.connection.execute("PRAGMA user_version = 9999")
    database.close()
    before = path.read_bytes()
    with pytest.raises(NewerCatalogueError, match="later Octavo"):
        Database(path)
    assert path.read_bytes() == before


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (x)")
    other.commit()
    other.close()
    with pytest.raises(DamagedCatalogueError, match="some other program"):
        Database(path)


@pytest.mark.parametrize(
    "content", [b"not a database at all, just words " * 40, b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "catalogue.db"
    path.write_bytes(content)
    with pytest.raises(DamagedCatalogueError):
        Database(path)
    assert path.read_bytes() == content


def test_a_home_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("I am a file", encoding="utf-8")
    with pytest.raises(HomeError):
        Database(tmp_path / "home" / "catalogue.db")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_without_permission_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(HomeError):
            Database(tmp_path / "home" / "catalogue.db")
    finally:
        tmp_path.chmod(0o700)


def test_a_transaction_is_undone_when_its_body_raises(tmp_path: Path) -> None:
    database = Database(tmp_path / "catalogue.db")

    def fail() -> None:
        with database.write() as connection:
            connection.execute("INSERT INTO meta VALUES ('x', 'y')")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert database.connection.execute("SELECT count(*) FROM meta WHERE key = 'x'").fetchone() == (0,)
    database.close()


def test_two_writers_wait_for_each_other_when_both_read_first(tmp_path: Path) -> None:
    """H03: a read that turns into a write would fail at once; BEGIN IMMEDIATE waits."""
    path = tmp_path / "catalogue.db"
    Database(path).close()
    n_each, failures = 25, []

    def count() -> None:
        database = Database(path)
        try:
            for _ in range(n_each):
                with database.write() as connection:
                    seen = int(connection.execute("SELECT value FROM meta WHERE key = 'seq'").fetchone()[0])
                    connection.execute("UPDATE meta SET value = ? WHERE key = 'seq'", (str(seen + 1),))
        except Exception as error:
            failures.append(error)
        finally:
            database.close()

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    database = Database(path)
    assert database.connection.execute("SELECT value FROM meta WHERE key = 'seq'").fetchone() == (str(4 * n_each),)
    database.close()


def test_two_processes_can_make_one_catalogue_at_once(tmp_path: Path) -> None:
    code = f"from octavo.catalogue import Database; from pathlib import Path; Database(Path({str(tmp_path / 'c.db')!r})).close()"
    runs = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) for _ in range(4)]
    assert [run.communicate()[1] for run in runs] == [b""] * 4
    assert [run.returncode for run in runs] == [0] * 4


def test_several_processes_can_bring_an_old_catalogue_up_to_date_at_once(tmp_path: Path) -> None:
    """One copy of the old form, whole, and nothing beside it."""
    path = tmp_path / "c.db"
    Database(path, migrations=MIGRATIONS[:3]).close()
    code = f"from octavo.catalogue import Database; from pathlib import Path; Database(Path({str(path)!r})).close()"
    runs = [subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) for _ in range(4)]
    assert [run.communicate()[1] for run in runs] == [b""] * 4
    assert [kept.name for kept in tmp_path.glob("*.backup*")] == ["c.v3.backup"]
    with closing(sqlite3.connect(tmp_path / "c.v3.backup")) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (3,)


def test_a_copy_is_not_taken_of_what_another_process_has_begun_to_change(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    Database(path, migrations=MIGRATIONS[:3]).close()
    late = Database(path, migrations=MIGRATIONS[:3])
    Database(path, migrations=MIGRATIONS[:4]).close()
    (tmp_path / "c.v3.backup").unlink()
    late._migrate(MIGRATIONS, 3)
    late.close()
    assert list(tmp_path.glob("*.backup*")) == []


def test_a_catalogue_whose_folder_cannot_be_written_is_read(tmp_path: Path) -> None:
    """What a read-only medium or a full disk leaves: opened to read, with every write refused by name."""
    path = tmp_path / "catalogue.db"
    Database(path).close()
    database = to_read(path)
    assert database.connection.execute("SELECT count(*) FROM papers").fetchone() == (0,)

    def write() -> None:
        with database.write():
            pass

    with pytest.raises(HomeError, match="can't be written"):
        write()
    database.close()


def to_read(path: Path) -> Database:
    """A database as it is opened where nothing can be written."""
    database = Database.__new__(Database)
    database.path = path
    database._open_to_read(len(MIGRATIONS))
    return database


def test_many_read_a_catalogue_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    Database(path).close()
    readers = [to_read(path) for _ in range(3)]
    for reader in readers:
        assert reader.connection.execute("SELECT count(*) FROM papers").fetchone() == (0,)
        reader.close()


def test_what_is_in_the_log_is_read_where_nothing_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    database = Database(path)
    with database.write() as connection:
        connection.execute("INSERT INTO meta VALUES ('left', 'in the log')")
    for name in ("catalogue.db", "catalogue.db-wal"):  # as a killed process leaves them
        (tmp_path / "killed").mkdir(exist_ok=True)
        (tmp_path / "killed" / name).write_bytes((tmp_path / name).read_bytes())
    database.close()
    reader = to_read(tmp_path / "killed" / "catalogue.db")
    assert reader.connection.execute("SELECT value FROM meta WHERE key = 'left'").fetchone() == ("in the log",)
    reader.close()


def test_a_catalogue_without_a_form_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    database = Database(path)
    database.connection.execute("PRAGMA user_version = 0")
    database.close()
    with pytest.raises(DamagedCatalogueError, match="form"):
        Database(path)


def test_a_run_of_a_dead_process_was_killed(tmp_path: Path) -> None:
    database = Database(tmp_path / "catalogue.db")
    run = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True
    )
    with database.write() as connection:
        connection.execute(
            "INSERT INTO runs (source, target, pid, started_at, state, counts) VALUES ('a', 'b', ?, '', 'running', '{}')",
            (int(run.stdout),),
        )
    assert Runs(database).last()[0]["state"] == "killed"
    assert not Runs(database).is_any_running()
    Runs(database).begin("a", "c")
    assert [one["state"] for one in Runs(database).last()] == ["running", "killed"]
    database.close()
