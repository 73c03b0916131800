"""Errors become exit codes and messages in one place."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterator

import click
import pytest

from octavo import errors
from octavo.cli.outcome import exit_code, kind_of, run, tell, usable_width
from octavo.errors import NotFound, OctavoError, SourceError, StorageError, UsageError

KINDS = {
    "octavo", "usage", "identifier", "query", "unknown_source", "not_found", "source", "missing_file", "empty_file",
    "truncated_file", "compression", "encoding", "format", "limit", "partly_added", "storage", "home", "disk_full",
    "newer_catalogue", "damaged_catalogue", "catalogue_busy", "search_index", "busy", "config", "tree",
}  # fmt: skip


def tree(kind: type[OctavoError]) -> Iterator[type[OctavoError]]:
    yield kind
    for below in kind.__subclasses__():
        if below.__module__ == errors.__name__:
            yield from tree(below)


def made(kind: type[OctavoError]) -> OctavoError:
    return errors.PartlyAddedError("so far", None) if kind is errors.PartlyAddedError else kind()


@pytest.mark.parametrize("kind", sorted(tree(OctavoError), key=str))
def test_the_code_follows_the_class_when_octavo_raises(kind: type[OctavoError]) -> None:
    expected = 1 if issubclass(kind, NotFound) else 2 if issubclass(kind, UsageError) else 3
    assert exit_code(made(kind)) == expected
    assert (expected == 3) == (kind is OctavoError or issubclass(kind, SourceError | StorageError | errors.BusyError))


def test_the_kinds_are_stable_when_programs_read_them() -> None:
    kinds = [kind_of(made(kind)) for kind in tree(OctavoError)]
    assert set(kinds) == KINDS
    assert len(kinds) == len(KINDS)


def raising(error: BaseException) -> Callable[[], None]:
    def work() -> None:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (UsageError("That is odd.", hint="Say x."), 2, "octavo: That is odd. Say x."),
        (NotFound("There is no paper 'x'."), 1, "octavo: There is no paper 'x'."),
        (StorageError("Full."), 3, "octavo: Full."),
        (KeyboardInterrupt(), 130, "octavo: Stopped. Nothing was changed."),
        (click.Abort(), 130, "octavo: Stopped. Nothing was changed."),
        (KeyboardInterrupt("Half of it is there."), 130, "octavo: Stopped. Half of it is there."),
        (click.UsageError("No such option: -x"), 2, "octavo: No such option: -x."),
        (OSError(errno.ENOSPC, "No space left on device"), 3, "octavo: The output can't be written: No space left on device."),
        (PermissionError(errno.EACCES, "Permission denied", "a.bib"), 3, "octavo: a.bib: Permission denied."),
        (
            KeyError("x"), 3,
            "octavo: This is a fault of Octavo: KeyError: 'x'. Set OCTAVO_DEBUG=1 to see where, and please report it.",
        ),
        (UsageError("Two\nlines \x1b[31mred"), 2, "octavo: Two lines [31mred"),
    ],
)  # fmt: skip
def test_one_line_tells_what_went_wrong(
    error: BaseException, code: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(raising(error), as_json=False) == code
    out, err = capsys.readouterr()
    assert (out, err) == ("", line + "\n")


@pytest.mark.parametrize(
    ("error", "code", "value"),
    [
        (UsageError("Odd.", hint="Say x."), 2, {"kind": "usage", "message": "Odd.", "hint": "Say x."}),
        (errors.DiskFullError("Full."), 3, {"kind": "disk_full", "message": "Full.", "hint": None}),
        (KeyboardInterrupt(), 130, {"kind": "stopped", "message": "Stopped.", "hint": "Nothing was changed."}),
        (click.UsageError("No."), 2, {"kind": "usage", "message": "No.", "hint": None}),
        (
            OSError(errno.EIO, "Bad"),
            3,
            {"kind": "system", "message": "The output can't be written: Bad.", "hint": None},
        ),
    ],
)
def test_errors_are_json_when_json_is_asked_for(
    error: BaseException, code: int, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(raising(error), as_json=True) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert json.loads(err) == {"error": value}


@pytest.mark.parametrize(
    ("message", "place", "line"),
    [
        ("a.json is empty.", "a.json", "octavo: a.json is empty."),
        ("a.json is empty.", "lists/a.json", "octavo: lists/a.json is empty."),
        ("a.json: line 3 breaks off.", "../a.json", "octavo: ../a.json: line 3 breaks off."),
        ("There is no file x/a.json.", "x/a.json", "octavo: There is no file x/a.json."),
        ("It is odd.", "x/a.json", "octavo: x/a.json: It is odd."),
        ("It is odd.", "x/", "octavo: x/: It is odd."),
        ("It is odd.", "", "octavo: It is odd."),
    ],
)
def test_the_path_is_in_a_message_once(message: str, place: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    tell(SourceError(message), as_json=False, place=place)
    assert capsys.readouterr().err == line + "\n"


@pytest.mark.parametrize(("columns", "width"), [(0, 80), (-1, 80), (19, 80), (20, 20), (300, 300)])
def test_a_width_that_can_not_be_meant_is_the_usual_one(columns: int, width: int) -> None:
    assert usable_width(columns) == width


def test_a_fault_is_json_with_its_class_when_json_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(ZeroDivisionError("by zero")), as_json=True) == 3
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["kind"] == "fault"
    assert "ZeroDivisionError: by zero" in error["message"]


def test_a_closed_pipe_is_silent_when_its_reader_left(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(BrokenPipeError(errno.EPIPE, "Broken pipe")), as_json=False) == 0
    assert capsys.readouterr() == ("", "")


def test_the_traceback_is_shown_when_it_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(raising(KeyError("x")), as_json=False) == 3
    assert "Traceback" not in capsys.readouterr().err
    monkeypatch.setenv("OCTAVO_DEBUG", "1")
    assert run(raising(KeyError("x")), as_json=False) == 3
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_no_traceback_is_shown_when_octavo_raises_on_purpose(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OCTAVO_DEBUG", "1")
    run(raising(StorageError()), as_json=False)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(("returned", "code"), [(None, 0), (0, 0), (1, 1), (3, 3)])
def test_the_code_is_what_the_command_returns_when_nothing_is_raised(returned: int | None, code: int) -> None:
    assert run(lambda: returned, as_json=False) == code
