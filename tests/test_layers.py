"""The architecture, held to: who may import whom, and where each foreign library lives."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo

ROOT = Path(octavo.__file__).parent

LAYERS = {
    "asking": 0, "errors": 0, "explain": 0, "data": 0,
    "config": 1, "locks": 1, "records": 1,
    "topics": 2,  # a query names them
    "query": 3, "sources": 3, "export": 3,
    "catalogue": 4, "settings": 4,
    "ingest": 5, "index": 5,
    "rank": 6,
    "views": 7, "views_sync": 7, "views_completion": 7,
    "views_pages": 8, "views_topics": 8, "views_venues": 8, "views_people": 8, "views_library": 8, "views_publishing": 8, "views_similar": 8, "views_trends": 9,
    "filling": 8, "judging": 8, "library_file": 8, "views_evaluate": 7, "evaluating": 8,
    "sync": 9,
    "app": 10,
    "web": 11, "rest": 11, "mcp": 11,
    "cli": 12,  # it starts the others
}  # fmt: skip
"""DESIGN: a module imports only from lower layers or its own package."""

HOMES = {
    "sqlite3": {"catalogue"},
    "numpy": {"index", "rank", "topics"},
    "faiss": {"index/nearest.py"},
    "fastembed": {"index/models.py"},
    "sentence_transformers": {"index/models.py"},
    "onnxruntime": {"index/models.py"},
    "tokenizers": {"index/models.py"},
    "huggingface_hub": {"index/model_files.py"},
    "tantivy": {"index/text.py", "index/text_query.py"},
    "httpx": {"sources/http.py", "sources/http_addresses.py", "sources/http_body.py", "sources/http_connection.py"},
    "httpcore": {"sources/http_connection.py"},
    "click": {"cli"},
    "rich": {"cli"},
    "yaml": {"sources/pmlr.py", "sources/acl_volumes.py"},
    "lxml": {"sources/xml_stream.py", "sources/arxiv_answer.py"},
    "nh3": {"records"},
    "latex2mathml": {"records"},
    "Stemmer": {"query/words.py"},
    "starlette": {"web", "rest"},
    "uvicorn": {"web"},
    "jinja2": {"web"},
    "argon2": {"web/password.py"},
    "pagefind": {"web/publish/finding.py"},
    "babel": set(),  # for the tests only: at run time gettext of the standard library reads the catalogues
}
"""Each library has one home."""


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Every module that a file imports, wherever in it, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import hides what a module depends on"
            yield node.module or "", node.lineno


def package(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", modules(), ids=name)
def test_imports_go_down_when_a_module_uses_another(path: Path) -> None:
    here = package(path)
    if here in ("__init__", "__main__"):
        return
    assert here in LAYERS, f"{name(path)} is in no layer: add its package to LAYERS and to ARCHITECTURE.md"
    for imported, line in imports(path):
        parts = imported.split(".")
        if parts[0] != "octavo" or len(parts) < 2 or parts[1] == here:
            continue
        there = parts[1]
        assert LAYERS[there] < LAYERS[here], f"{name(path)}:{line} imports {imported}, which is not below it"


@pytest.mark.parametrize("path", modules(), ids=name)
def test_a_library_is_imported_in_its_home_only(path: Path) -> None:
    for imported, line in imports(path):
        homes = HOMES.get(imported.split(".")[0])
        if homes:
            assert name(path) in homes or package(path) in homes, (
                f"{name(path)}:{line} imports {imported}; its home is {homes}"
            )


def test_the_layer_test_sees_an_upward_import(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def late():\n    from octavo.app import Octavo\n", encoding="utf-8")
    assert list(imports(wrong)) == [("octavo.app", 2)]
    assert LAYERS["app"] > LAYERS["records"]


def test_octavo_itself_imports_nothing_when_it_is_imported() -> None:
    assert list(imports(ROOT / "__init__.py")) == []
