"""Running transformers: by sentence-transformers, by fastembed, or a plain ONNX file. Each is loaded when it is used,
from files that are there; only `FastembedModel.fetch` asks a server."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from octavo.errors import SearchIndexError
from octavo.index.encoder import Vectors

_LONGEST = 512
"""Tokens of a text that an ONNX model reads, where nothing says how many."""


def dimension_of(folder: Path) -> int:
    """How long a model's vectors are, as far as its files say; 0 where they don't."""
    for path, key in (("2_Dense/config.json", "out_features"), ("1_Pooling/config.json", "word_embedding_dimension")):
        found = _read(folder / path).get(key)
        if isinstance(found, int) and found > 0:
            return found
    return 0


class SentenceModel:
    """A model of sentence-transformers."""

    def __init__(self, folder: Path) -> None:
        """Load what is in `folder`, onto a GPU where there is one."""
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # a search's output is not its place
        # Code that a model brings is not run, and a folder is all that is looked at.
        self._model = SentenceTransformer(str(folder), local_files_only=True, trust_remote_code=False)
        self.dimension = dimension_of(folder)

    def run(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension)."""
        found: Vectors = self._model.encode(
            list(texts),
            prompt="",  # what stands before a text is there already
            batch_size=len(texts),
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return found


class FastembedModel:
    """A model of fastembed."""

    def __init__(self, name: str, *, may_fetch: bool = False) -> None:
        """Open the model in the cache; it is loaded with the first text.

        Raises:
            SearchIndexError: fastembed doesn't know it, or it is not there.
        """
        try:
            opened = _fastembed()(name, cache_dir=_fastembed_cache(), lazy_load=True, local_files_only=not may_fetch)
            self.folder = Path(opened.model._model_dir)
            self.dimension = int(opened.embedding_size)
        except Exception as fault:  # it raises ValueError for all that can be wrong, and others for what can't
            said = str(fault).strip().partition("\n")[0] or type(fault).__name__
            raise SearchIndexError(
                f"fastembed's model {name} can't be had: {said}", hint="docs/encoders.md says how models are named."
            ) from fault
        self._model = opened

    @staticmethod
    def is_there(name: str) -> bool:
        """Whether the model is in the cache. One that fastembed does not know is told when it is opened."""
        if name.lower() not in {one["model"].lower() for one in _fastembed().list_supported_models()}:
            return True
        try:
            FastembedModel(name)
        except SearchIndexError:
            return False
        return True

    @staticmethod
    def fetch(name: str) -> None:
        """Fetch a model into the cache.

        Raises:
            SearchIndexError: it can't be had.
        """
        FastembedModel(name, may_fetch=True)

    def run(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension)."""
        return np.stack(list(self._model.embed(list(texts), batch_size=len(texts))))


class OnnxModel:
    """A transformer as an ONNX file, with its tokenizer; the mean of its tokens' vectors, or the first of them where
    `1_Pooling/config.json` wants that."""

    def __init__(self, folder: Path) -> None:
        """Load `model.onnx` (in `folder` or in `onnx/`) and `tokenizer.json`.

        Raises:
            SearchIndexError: one of them is not there.
        """
        paths = [path for path in (folder / "model.onnx", folder / "onnx" / "model.onnx") if path.is_file()]
        if not paths or not (folder / "tokenizer.json").is_file():
            raise SearchIndexError(f"There are no model.onnx and tokenizer.json in {folder}.")
        import onnxruntime
        from tokenizers import Tokenizer

        self._session: Any = onnxruntime.InferenceSession(str(paths[0]), providers=["CPUExecutionProvider"])
        self._wanted = {one.name for one in self._session.get_inputs()}
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        most = _read(folder / "sentence_bert_config.json").get("max_seq_length")
        self._tokenizer.enable_truncation(most if isinstance(most, int) and most > 0 else _LONGEST)
        self._tokenizer.enable_padding(pad_id=_read(folder / "config.json").get("pad_token_id") or 0)
        self._is_first = bool(_read(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token"))
        self.dimension = dimension_of(folder)

    def run(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension)."""
        read = self._tokenizer.encode_batch(list(texts))
        mask = np.array([one.attention_mask for one in read], np.int64)
        given = {
            "input_ids": np.array([one.ids for one in read], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        found = self._session.run(None, {key: rows for key, rows in given.items() if key in self._wanted})[0]
        if found.ndim == 3:
            found = found[:, 0] if self._is_first else (found * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        pooled: Vectors = np.asarray(found, np.float32)
        return pooled


def _fastembed() -> Any:
    """Its class of models. It logs to the terminal what it tells by exceptions as well."""
    from fastembed import TextEmbedding

    with suppress(ImportError):
        from loguru import logger

        logger.disable("fastembed")
    return TextEmbedding


def _fastembed_cache() -> str:
    """Its own choice is the system's folder of temporary files, which is emptied."""
    if given := os.environ.get("FASTEMBED_CACHE_PATH"):
        return given
    from platformdirs import user_cache_path

    return str(user_cache_path("octavo", appauthor=False) / "fastembed")


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
