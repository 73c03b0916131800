"""The encoders that a reader can choose beside the static one, and what is done where the chosen one can't be had.

    chosen = choose_meaning(home, folder, environ)
    chosen.meaning, chosen.notes

Transformers are read by libraries that are loaded with the first text that is encoded, which takes seconds; what has to
be known before (`id`, `fingerprint`) is read from the model's files. Nothing is asked of any server, but by `fetch`.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np

from octavo.config import settings_path
from octavo.errors import ConfigError, OctavoError, SearchIndexError
from octavo.index.encoder import Encoder, Vectors
from octavo.index.meaning import Meaning, static_encoder
from octavo.index.model_files import fetch_model, folder_of, hub_folder, is_path, source_of
from octavo.index.prompts import Prompts, prompts_for
from octavo.index.vectors import load_vector_manifest
from octavo.settings.encoders import NONE, STATIC, EncoderSpec, offered_encoders, parse_encoder_spec, what_is_missing
from octavo.settings.loading import SearchSettings, load_search_settings

BATCH = 32
"""Texts of about the same length that go through a model together."""
FEW = 20
"""So many papers are encoded by a slow encoder while somebody waits."""
_FORM = 1
"""Of how texts are made ready: another number makes all vectors anew."""
_OFF = "Search by meaning is off, papers are found by their words alone"


class Model(Protocol):
    """What runs a model: texts in, vectors out, in order and of any length."""

    dimension: int

    def run(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension)."""


class Careful(ABC):
    """An encoder around a model of somebody else: checks what comes out of it, and never lets a search fail.

    A query that can't be encoded has the vector zero, as one that the encoder knows nothing of; `fault` then says why.
    Threads may share it; one at a time encodes.
    """

    at_once = FEW
    """So many papers are encoded while somebody waits; more in the background."""

    def __init__(self, name: str, fingerprint: str, dimension: int) -> None:
        """`name` is the `id`; `dimension` 0 where only the loaded model can tell."""
        self.id = name
        self.fingerprint = fingerprint
        self.fault = ""
        self._dimension = dimension
        self._lock = Lock()

    @property
    def dimension(self) -> int:
        """How long a vector is.

        Raises:
            SearchIndexError: the model had to be loaded to tell, and can't be.
        """
        return self._dimension or self._checked([""]).shape[1]

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension), each of length one, or zero for a text without any letters.

        Raises:
            SearchIndexError: the model can't be loaded or run, or gives what are no vectors.
        """
        return self._encoded(texts, is_query=False)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """The same for queries; all zero where the model can't be loaded or run."""
        try:
            found = self._encoded(texts, is_query=True)
        except SearchIndexError as fault:
            self.fault = f"{_OFF}: {fault.message}"
            return np.zeros((len(texts), self._dimension or 1), np.float32)
        self.fault = ""
        return found

    @abstractmethod
    def _run(self, texts: Sequence[str], *, is_query: bool) -> Any:
        """The vectors of some texts, as the model gives them."""

    def _encoded(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        with_text = [n for n, text in enumerate(texts) if text.strip()]
        order = sorted(with_text, key=lambda n: len(texts[n]), reverse=True)
        out = np.zeros((len(texts), self.dimension), np.float32)
        for at in range(0, len(order), BATCH):
            some = order[at : at + BATCH]
            out[some] = self._checked([texts[n] for n in some], is_query=is_query)
        lengths = np.sqrt(np.einsum("ij,ij->i", out, out))
        lengths[lengths < 1e-9] = 1
        out /= lengths[:, None]
        return out

    def _checked(self, texts: Sequence[str], *, is_query: bool = False) -> Vectors:
        """What the model gives.

        Raises:
            SearchIndexError: it fails, or that is not a row of finite numbers for each text.
        """
        try:
            with self._lock:
                found = np.asarray(self._run(texts, is_query=is_query), np.float32)
        except Exception as fault:  # another package's code may raise anything
            raise SearchIndexError(
                f"the encoder {self.id} fails: {type(fault).__name__}: {str(fault).strip().partition(chr(10))[0]}",
                hint="docs/encoders.md says what each encoder needs.",
            ) from fault
        if found.ndim != 2 or len(found) != len(texts) or not found.shape[1] or not np.isfinite(found).all():
            raise SearchIndexError(f"the encoder {self.id} gives what are no vectors")
        if self._dimension not in (0, found.shape[1]):
            raise SearchIndexError(f"the encoder {self.id} gives {found.shape[1]} numbers, not {self._dimension}")
        self._dimension = int(found.shape[1])
        return found


class PackageEncoder(Careful):
    """An encoder of another package."""

    def __init__(self, spec: EncoderSpec) -> None:
        """Load it by its entry point.

        Raises:
            SearchIndexError: it can't be loaded, or is no encoder.
        """
        try:
            inner = offered_encoders()[spec.name].load()()
            fits = isinstance(inner, Encoder) and isinstance(inner.fingerprint, str) and int(inner.dimension) > 0
        except Exception as fault:  # another package's code may raise anything
            raise SearchIndexError(f"The encoder {spec} of another package can't be loaded: {fault!r}.") from fault
        if not fits:
            raise SearchIndexError(f"What another package offers as {spec} is no encoder.")
        super().__init__(str(inner.id), inner.fingerprint, int(inner.dimension))
        self.at_once = int(getattr(inner, "at_once", FEW))
        self._inner = inner

    def coverage(self, text: str) -> float:
        """What share of a text's words the encoder knows; 1 where it can't tell."""
        tell = getattr(self._inner, "coverage", None)
        return float(tell(text)) if tell else 1.0

    def _run(self, texts: Sequence[str], *, is_query: bool) -> Any:
        return self._inner.encode_queries(texts) if is_query else self._inner.encode_documents(texts)


class ModelEncoder(Careful):
    """An encoder that runs the files of a model, with what the model wants to read before texts."""

    def __init__(self, spec: EncoderSpec, source: str, prompts: Prompts, dimension: int = 0) -> None:
        """`source` says what the model's files are."""
        decides = {"kind": spec.kind, "source": source, "prompts": prompts.told(), "form": _FORM, "size": dimension}
        fingerprint = hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()
        super().__init__(str(spec), fingerprint, dimension)
        self._spec = spec
        self.prompts = prompts

    @cached_property
    def _model(self) -> Model:
        return self._load()

    @abstractmethod
    def _load(self) -> Model:
        """The model, from its files.

        Raises:
            SearchIndexError: it can't be loaded.
        """

    def _run(self, texts: Sequence[str], *, is_query: bool) -> Any:
        ready = self.prompts.of_query if is_query else self.prompts.of_document
        return self._model.run([ready(text) for text in texts])


class FolderEncoder(ModelEncoder):
    """A model in a folder, run by sentence-transformers or by onnxruntime."""

    def __init__(self, spec: EncoderSpec, folder: Path, prompts: Prompts) -> None:
        """Use the model in `folder`."""
        from octavo.index.models import dimension_of

        super().__init__(spec, source_of(folder), prompts, dimension_of(folder))
        self.folder = folder

    def _load(self) -> Model:
        from octavo.index.models import OnnxModel, SentenceModel

        return OnnxModel(self.folder) if self._spec.kind == "onnx" else SentenceModel(self.folder)


class FastembedEncoder(ModelEncoder):
    """A model of fastembed, in its cache."""

    def __init__(self, spec: EncoderSpec, prompts: Prompts) -> None:
        """Use the model that has been fetched.

        Raises:
            SearchIndexError: fastembed has no such model.
        """
        from octavo.index.models import FastembedModel

        self._opened = FastembedModel(spec.name)
        super().__init__(spec, source_of(self._opened.folder), prompts, self._opened.dimension)

    def _load(self) -> Model:
        return self._opened


@dataclass(slots=True)
class ChosenMeaning:
    """The encoder that a reader chose, or what there is instead."""

    meaning: Meaning
    note: str = ""
    """What a reader of a search's hits should know: why it is not the encoder that was chosen."""
    fault: OctavoError | None = None
    """The same, for whoever asked for vectors to be made."""
    fetches: EncoderSpec | None = None
    """The model that was named and is not on this machine yet."""

    @property
    def at_once(self) -> int | None:
        """So many papers the encoder encodes while somebody waits; None for one that is quick."""
        return getattr(self.meaning.encoder, "at_once", None) if self.meaning.is_possible else None


def choose_meaning(home: Path, folder: Path, environ: Mapping[str, str]) -> ChosenMeaning:
    """The vectors in `folder` with the encoder that the configuration of `home` names. It never fails: where that can't
    be had, papers are found by words, or by the static encoder, and the note says so."""
    try:
        settings = load_search_settings(home, environ)
    except ConfigError as fault:
        return _without_settings(folder, fault)
    spec = parse_encoder_spec(settings.encoder)
    if spec.kind == NONE:
        return ChosenMeaning(Meaning(folder, None))
    told, hint = what_is_missing(spec)
    if told:
        return _by_words(folder, SearchIndexError(told, hint=hint))
    if spec.kind == STATIC:
        return ChosenMeaning(Meaning(folder))
    try:
        if is_absent(spec):
            return _by_words(folder, _not_here(spec), spec)
        encoder = open_encoder(spec, settings, home)
    except SearchIndexError as fault:
        return _by_words(folder, fault)
    return ChosenMeaning(Meaning(folder, lambda: encoder))


def _by_words(folder: Path, fault: SearchIndexError, fetches: EncoderSpec | None = None) -> ChosenMeaning:
    return ChosenMeaning(Meaning(folder, None), f"{_OFF}: {_lower(str(fault))}", fault, fetches)


def _not_here(spec: EncoderSpec) -> SearchIndexError:
    return SearchIndexError(
        f"The model {spec.name} is not on this machine.",
        hint="`octavo rebuild --meaning` fetches it, and makes the vectors.",
    )


def _without_settings(folder: Path, fault: ConfigError) -> ChosenMeaning:
    """The static encoder; but vectors that another one made, perhaps in days, are not given up for a slip of the
    pen."""
    note = f"{settings_path(Path()).name} can't be used, so that {{}}. {fault}"
    made = load_vector_manifest(folder)
    if made is not None and made.fingerprint != static_encoder().fingerprint:
        return ChosenMeaning(Meaning(folder, None), note.format("papers are found by their words alone"), fault)
    return ChosenMeaning(Meaning(folder), note.format("the static encoder is used"), fault)


def is_absent(spec: EncoderSpec) -> bool:
    """Whether a model that is named has to be fetched first."""
    if spec.kind == "st" and not is_path(spec.name):
        return hub_folder(spec.name) is None
    if spec.kind == "fastembed":
        from octavo.index.models import FastembedModel

        return not FastembedModel.is_there(spec.name)
    return False


def fetch(spec: EncoderSpec) -> None:
    """Fetch the model of a name.

    Raises:
        SearchIndexError: it can't be had.
    """
    if spec.kind == "fastembed":
        from octavo.index.models import FastembedModel

        FastembedModel.fetch(spec.name)
    else:
        fetch_model(spec.name)


@lru_cache(maxsize=4)
def open_encoder(spec: EncoderSpec, settings: SearchSettings, home: Path) -> Encoder:
    """The encoder of a name, one for all threads of a process; its model is loaded with the first text.

    Raises:
        SearchIndexError: it can't be had; it says what to do.
    """
    if spec.kind == STATIC:
        return static_encoder()
    if spec.kind == "package":
        return PackageEncoder(spec)
    if spec.kind == "fastembed":
        return FastembedEncoder(spec, prompts_for(spec.name, None, settings.query_prefix, settings.document_prefix))
    named = is_path(spec.name) or spec.kind == "onnx"
    folder = folder_of(spec.name, home) if named else hub_folder(spec.name)
    if folder is None:
        raise _not_here(spec)
    return FolderEncoder(spec, folder, prompts_for(spec.name, folder, settings.query_prefix, settings.document_prefix))


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
