"""The index that the browser searches: made by Pagefind, which need not be there."""

from __future__ import annotations

import asyncio
import gzip
import re
import shutil
from hashlib import blake2b
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from octavo.errors import OctavoError
from octavo.web.publish.writing import STUBS

HOW = "pip install 'octavo[publish]'"
_FOLDER = "pagefind"
_UNUSED = ("pagefind-ui.*", "pagefind-modular-ui.*", "pagefind-component-ui.*", "pagefind-highlight.js")
"""What only Pagefind's own pages need."""
_FILTER = re.compile(rb"\x82(?:[\x60-\x77]|\x78.)(?:topic|venue|year)-[a-z0-9-]+[\x60-\x77]en_[0-9a-f]+", re.DOTALL)
"""In the list of what there is, which is CBOR: a filter and its file."""
_PATIENCE = 1_800
"""Seconds that an index may take."""


def is_possible() -> bool:
    """Whether Pagefind is installed, with its program."""
    if find_spec("pagefind") is None:
        return False
    from pagefind.service import get_executable

    try:
        return get_executable() is not None
    except OSError:
        return False


def index(out: Path) -> None:
    """Make the index of the texts in `out`, which are taken away then.

    Raises:
        OctavoError: Pagefind failed.
    """
    stubs = out / STUBS
    try:
        asyncio.run(asyncio.wait_for(_index(stubs, out / _FOLDER), _PATIENCE))
    except OctavoError:
        raise
    except Exception as error:  # Pagefind raises bare ones, and what its program dies of
        raise OctavoError(
            f"Pagefind could not make the index: {type(error).__name__}: {error}".rstrip(": ")[:400] + ".",
            hint="`octavo publish --no-search` writes the pages without it.",
        ) from error
    shutil.rmtree(stubs)
    for pattern in _UNUSED:
        for path in (out / _FOLDER).glob(pattern):
            path.unlink()
    _settle(out / _FOLDER)


def _settle(folder: Path) -> None:
    """Let the same papers give the same bytes: Pagefind lists its filters in another order each time. What is not of
    the form that is known is left as it is, for it works as well."""
    entry = folder / "pagefind-entry.json"
    for path in folder.glob("pagefind.en_*.pf_meta"):
        data = gzip.decompress(path.read_bytes())
        found = list(_FILTER.finditer(data))
        if not found or any(one.end() != other.start() for one, other in pairwise(found)):
            continue
        data = data[: found[0].start()] + b"".join(sorted(one[0] for one in found)) + data[found[-1].end() :]
        old = path.name.removeprefix("pagefind.").removesuffix(".pf_meta")
        new = f"en_{blake2b(data, digest_size=5).hexdigest()}"
        (folder / f"pagefind.{new}.pf_meta").write_bytes(gzip.compress(data, 9, mtime=0))
        entry.write_text(entry.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        if new != old:
            path.unlink()


async def _index(stubs: Path, out: Path) -> None:
    from pagefind.index import IndexConfig, PagefindIndex

    config = IndexConfig(force_language="en", keep_index_url=True, output_path=str(out))
    async with PagefindIndex(config=config) as made:
        await made.add_directory(str(stubs))
