"""Where the files of a named model are, what they are, and the only place that fetches any.

Nothing is asked of any server unless `fetch_model` is called. A model of the Hugging Face hub lies in the hub's own
cache, in a folder that is named by its revision; what the revision names does not change, so that large files need not
be read through to know a model again.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path

from octavo.errors import SearchIndexError

_WEIGHTS = frozenset({".safetensors", ".bin", ".onnx"})
_DECIDING = _WEIGHTS | {".json", ".txt", ".model", ".npy", ".jinja", ".onnx_data", ".py"}
"""Endings of files that decide what vectors come out."""
_UNUSED = ("onnx/*", "openvino/*", "*.h5", "*.msgpack", "*.ot", "*.onnx", "*.tflite", "*.gguf", "coreml/*")
"""What other programs read of a model: not fetched."""
_BLOCK = 1 << 20
_REVISION = re.compile(r"[0-9a-f]{40}")


def is_path(name: str) -> bool:
    """Whether a model is named by its folder: `/`, `~` or `.` at the beginning, or a drive."""
    return name.startswith(("/", "~", ".", "\\")) or Path(name).is_absolute()


def folder_of(name: str, home: Path) -> Path:
    """The folder that a path means; one that begins with `.` is seen from the home folder.

    Raises:
        SearchIndexError: there is none.
    """
    folder = home / Path(name).expanduser()
    if not folder.is_dir():
        raise SearchIndexError(f"There is no folder {folder} of an encoder.", hint="Correct `encoder` in [search].")
    return folder.resolve()


def hub_folder(name: str) -> Path | None:
    """The folder of a model of the hub (`org/model`, or `org/model@revision`) in the hub's cache; None where it has
    not been fetched."""
    repository, _, revision = _hub_name(name).partition("@")
    folder = _hub_cache() / f"models--{repository.replace('/', '--')}"
    if not _REVISION.fullmatch(revision):
        try:
            revision = (folder / "refs" / (revision or "main")).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return None
    snapshot = folder / "snapshots" / revision
    has_weights = snapshot.is_dir() and any(path.suffix in _WEIGHTS for path in snapshot.rglob("*"))
    return snapshot if has_weights else None


def fetch_model(name: str) -> Path:
    """Fetch a model of the hub into the hub's cache. This is the only use of the network here.

    Raises:
        SearchIndexError: it can't be had; it says why.
    """
    from huggingface_hub import HfApi, snapshot_download

    repository, _, revision = _hub_name(name).partition("@")
    try:
        there = HfApi().list_repo_files(repository, revision=revision or None)
        twice = ("*.bin",) if any(path.endswith(".safetensors") for path in there) else ()
        found = snapshot_download(repository, revision=revision or None, ignore_patterns=[*_UNUSED, *twice])
    except Exception as fault:  # of the network, the hub or the disk, in classes of several libraries
        raise SearchIndexError(
            f"The model {name} can't be fetched: {_first_line(fault)}",
            hint="Check the name and the connection, and give `octavo rebuild --meaning` again.",
        ) from fault
    return Path(found)


def source_of(folder: Path) -> str:
    """What a model's files are, as text that changes whenever they do: the revision of one of the hub, else the SHA-256
    of all its files.

    Raises:
        SearchIndexError: a file can't be read.
    """
    if folder.parent.name == "snapshots" and _REVISION.fullmatch(folder.name):
        return f"{folder.parent.parent.name}@{folder.name}"
    try:
        paths = sorted(path for path in folder.rglob("*") if path.suffix in _DECIDING and path.is_file())
        states = tuple((str(path), (stat := path.stat()).st_size, stat.st_mtime_ns) for path in paths)
        return _digest(folder, states)
    except OSError as fault:
        raise SearchIndexError(f"The encoder in {folder} can't be read: {fault}.") from fault


@lru_cache(maxsize=8)
def _digest(folder: Path, states: tuple[tuple[str, int, int], ...]) -> str:
    whole = hashlib.sha256()
    for path, size, _ in states:
        whole.update(f"{Path(path).relative_to(folder).as_posix()}\0{size}\0".encode())
        with Path(path).open("rb") as file:
            while block := file.read(_BLOCK):
                whole.update(block)
    return whole.hexdigest()


def _hub_name(name: str) -> str:
    return name if "/" in name else f"sentence-transformers/{name}"


def _hub_cache() -> Path:
    """As the hub's library finds it, which takes half a second to load."""
    if given := os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE"):
        return Path(given).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    home = os.environ.get("HF_HOME") or str(Path(cache) / "huggingface")
    return Path(home).expanduser() / "hub"


def _first_line(fault: Exception) -> str:
    line = next(iter(str(fault).strip().splitlines()), "") or type(fault).__name__
    return line if line.endswith(".") else f"{line}."
