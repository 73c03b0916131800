"""Shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from octavo.app import Octavo
from octavo.records.codec import encode_record
from tests.world import RECORDS

# The gate tries the same inputs each time, on however slow a machine: a change is judged by what it changed. New inputs
# are looked for by `make explore`, and what that finds becomes a test.
settings.register_profile("gate", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", deadline=None)
settings.load_profile("explore" if os.environ.get("OCTAVO_EXPLORE") else "gate")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout; the test is skipped where there is none."""
    if not (SHARED / "data").is_dir():
        pytest.skip("no real data beside the checkout")
    return SHARED


@pytest.fixture(scope="session")
def world_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up world as a file of Octavo's own lines."""
    path = tmp_path_factory.mktemp("world") / "world.jsonl"
    path.write_text("".join(encode_record(record) + "\n" for record in RECORDS), encoding="utf-8")
    return path


@pytest.fixture
def octavo(tmp_path: Path) -> Iterator[Octavo]:
    """An empty home."""
    with Octavo(tmp_path / "home") as octavo:
        yield octavo


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory, world_file: Path) -> Iterator[Octavo]:
    """A home with the made-up world in it; not to be written to."""
    with Octavo(tmp_path_factory.mktemp("library") / "home") as octavo:
        octavo.add("jsonl", world_file)
        yield octavo
