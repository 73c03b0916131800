"""What relatives are sought of, made ready: its words in English, and where it is in the space of meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from octavo.index.meaning import text_for_meaning
from octavo.query.chinese import Piece, has_chinese, read_chinese
from octavo.rank.similar import Given
from octavo.records.paper import Paper

if TYPE_CHECKING:
    # At run time late: where numpy is not installed, papers are compared by all else.
    from octavo.index.encoder import Encoder
    from octavo.index.vectors import VectorIndex, Vectors

MOST_LETTERS = 20_000
"""Letters of a text that are read: a paper's first pages say what it is about."""
LEAST_KNOWN = 0.4
"""The share of a text's words that the encoder must know; of German prose it knows a third, of English nearly all."""
_MOST_TERMS = 12

NO_MEANING = "There are no vectors of meaning yet: compared by words, authors and references alone."
_STRANGE = "The meaning of this text is not known here, as of one in another language: compared by its words alone."


def given(
    papers: Mapping[int, Paper], text: str, vectors: VectorIndex | None, encoder: Encoder | None
) -> tuple[Given, list[str]]:
    """Make papers, or a text, or both ready for `similar.related`; and what a reader should know."""
    notes = []
    bare = [paper.title for paper in papers.values() if not (paper.abstract or paper.summary or paper.tldr)]
    if bare:
        said = f"{len(bare)} of the papers have no abstract: their titles were compared."
        notes.append(said if len(bare) > 1 else f"“{bare[0]}” has no abstract: its title was compared.")
    if len(text) > MOST_LETTERS:
        notes.append(f"The first {MOST_LETTERS:,} letters of the text were compared.")
    english, translated = in_english(text[:MOST_LETTERS].strip())
    notes += translated
    if vectors is None or encoder is None:
        return Given(papers, english), [*notes, NO_MEANING]
    rows = _of_papers(papers, vectors, encoder)
    if english:
        if _knows(encoder, english):
            rows += list(encoder.encode_queries([english]))
        else:
            notes.append(_STRANGE)
    rows = [row for row in rows if row.any()]
    return Given(papers, english, _mean(rows)), notes


def in_english(text: str) -> tuple[str, list[str]]:
    """A text with its Chinese terms in English, which is what papers have; and what a reader is told of them."""
    if not has_chinese(text):
        return text, []
    pieces = [piece for piece in read_chinese(text) if not piece.is_filler]
    known: dict[Piece, None] = dict.fromkeys(piece for piece in pieces if piece.english)
    if not known:
        return text, ["No English is known for the Chinese words: compared as written."]
    terms = list(dict.fromkeys(piece.english[0] for piece in known))
    more = f", and {len(terms) - _MOST_TERMS} more" if len(terms) > _MOST_TERMS else ""
    english = " ".join(piece.english[0] if piece.english else piece.text for piece in pieces)
    return english, [f"Compared in English: {', '.join(terms[:_MOST_TERMS])}{more}."]


def _of_papers(papers: Mapping[int, Paper], vectors: VectorIndex, encoder: Encoder) -> list[Vectors]:
    """The stored vectors; made now of papers whose is still to be made."""
    import numpy as np

    pks = list(papers)
    rows = list(vectors.vectors(np.array(pks, np.int64)))
    missing = [n for n, row in enumerate(rows) if not row.any()]
    if missing:
        made = encoder.encode_documents([in_english(text_for_meaning(papers[pks[n]]))[0] for n in missing])
        for n, row in zip(missing, made, strict=True):
            rows[n] = row
    return rows


def _knows(encoder: Encoder, text: str) -> bool:
    """Whether an encoder knows enough of a text's words; one that can't tell is trusted."""
    coverage = getattr(encoder, "coverage", None)
    return coverage is None or coverage(text) >= LEAST_KNOWN


def _mean(rows: list[Vectors]) -> Vectors | None:
    """The mean direction; None where there is none."""
    if not rows:
        return None
    middle: Vectors = sum(rows[1:], start=rows[0].copy())
    length = float(middle @ middle) ** 0.5
    return middle / length if length > 1e-9 else None
