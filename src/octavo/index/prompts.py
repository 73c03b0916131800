"""What encoders want to read before a query and before a paper.

A model that says so itself is believed (`config_sentence_transformers.json`); for others there is a table of families,
known by a model's name; and the reader has the last word.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path

_TASK = "Given a search query, retrieve scientific papers that answer it"
_INSTRUCT = f"Instruct: {_TASK}\nQuery: "


@dataclass(frozen=True, slots=True)
class Prompts:
    """What is put before and between the parts of a text."""

    query: str = ""
    document: str = ""
    between: str = "\n"
    """Between title and abstract."""

    def of_query(self, text: str) -> str:
        """A query as the model reads it."""
        return f"{self.query}{text}"

    def of_document(self, text: str) -> str:
        """A paper as the model reads it. Octavo gives the title twice (`meaning.text_for_meaning`), which helps a model
        that adds up words; a model that reads sentences gets it once."""
        title, _, rest = text.partition("\n")
        again, _, abstract = rest.partition("\n")
        if again == title:
            rest = abstract
        return f"{self.document}{title}{self.between}{rest}" if rest.strip() else f"{self.document}{title}"

    def told(self) -> dict[str, str]:
        """For a fingerprint."""
        return asdict(self)


_FAMILIES = (
    (r"\be5\b.*\binstruct\b", Prompts(_INSTRUCT)),
    (r"\be5\b", Prompts("query: ", "passage: ")),
    (r"\bqwen3\b.*\bembedding\b", Prompts(_INSTRUCT)),
    (r"\bspecter", Prompts(between="[SEP]")),
    (r"\bbge\b.*\ben\b", Prompts("Represent this sentence for searching relevant passages: ")),
    (r"\bbge\b.*\bzh\b", Prompts("为这个句子生成表示以用于检索相关文章：")),
    (r"\bembedding-?gemma\b", Prompts("task: search result | query: ", "title: none | text: ")),
    (r"\bnomic-embed\b", Prompts("search_query: ", "search_document: ")),
)
"""By what a model's name has in it, the first that fits."""


def family_prompts(name: str) -> Prompts:
    """What the family of that name wants; nothing for one that is not known."""
    folded = name.lower().replace("_", "-")
    return next((prompts for pattern, prompts in _FAMILIES if re.search(pattern, folded)), Prompts())


def prompts_for(name: str, folder: Path | None, query: str | None, document: str | None) -> Prompts:
    """What is to be put before texts for a model; `query` and `document` are the reader's word, if any."""
    found = family_prompts(name)
    own = _own_prompts(folder) if folder else {}
    if own.get("query"):
        found = replace(found, query=own["query"], document=own.get("document") or own.get("passage") or "")
    return replace(
        found,
        query=found.query if query is None else query,
        document=found.document if document is None else document,
    )


def _own_prompts(folder: Path) -> dict[str, str]:
    try:
        said = json.loads((folder / "config_sentence_transformers.json").read_text(encoding="utf-8"))["prompts"]
        return {key: value for key, value in said.items() if isinstance(value, str)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
