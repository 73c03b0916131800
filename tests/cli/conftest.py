"""Running the command line, in this process or in one of its own."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from octavo.app import Octavo
from octavo.cli.program import octavo as program

APART: dict[str, Any] = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
"""Before click 8.2 a runner had to be told to keep stdout and stderr apart."""
Invoke = Callable[..., Result]
Start = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the tester's own: no home, no colours, a set width."""
    for name in ("NO_COLOR", "FORCE_COLOR", "OCTAVO_DEBUG", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OCTAVO_HOME", str(tmp_path / "own-home"))
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def invoke() -> Invoke:
    """Run a command line in this process."""

    def run(*args: str | Path, stdin: str | bytes = "", **env: str) -> Result:
        result = CliRunner(**APART).invoke(program, [str(arg) for arg in args], input=stdin, env=env)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return run


@pytest.fixture
def in_world(invoke: Invoke, library: Octavo) -> Invoke:
    """Run a command line on the made-up world, which it must not change."""

    def run(*args: str | Path, **options: Any) -> Result:
        return invoke("--home", library.home, *args, **options)

    return run


@pytest.fixture
def start() -> Start:
    """Run a command line in a process of its own."""

    def run(*args: str | Path, stdin: bytes = b"", text: str = "", **env: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", text] if text else [sys.executable, "-m", "octavo"]
        return subprocess.run(
            [*command, *map(str, args)],
            input=stdin,
            capture_output=True,
            env={**os.environ, "PYTHONWARNINGS": "error", **env},
            timeout=60,
            check=False,
        )

    return run


def json_lines(text: str) -> Iterator[Any]:
    """Each line of an output as JSON."""
    return map(json.loads, text.splitlines())
