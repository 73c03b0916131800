"""Papers as files for other programs.

    bibtex   an entry a paper, for a bibliography; `octavo.export.bibtex` says what is in it
    ris      a reference a paper, for programs that keep references; `octavo.export.ris`
    csl      CSL-JSON, an array of items for citation processors; `octavo.export.csl`
    jsonl    a line a paper with all that its sources said; `octavo add` reads it back without loss

A form is made piece by piece, so a large export is written while it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.records.paper import Paper, Record

FORMATS = ("bibtex", "ris", "csl", "jsonl")
"""The forms that `export_papers` knows."""


def export_papers(form: str, papers: Iterable[tuple[Paper, list[Record]]]) -> Iterator[str]:
    """Give `papers`, each with its records, in a form of FORMATS: pieces of text, to be joined as they are.

    Raises:
        UsageError: there is no such form.
    """
    # The forms are imported late: a surface reads FORMATS at its start and may never export.
    if form == "bibtex":
        from octavo.export.bibtex import bibtex_entries

        return bibtex_entries(papers)
    if form == "ris":
        from octavo.export.ris import ris_references

        return ris_references(papers)
    if form == "csl":
        from octavo.export.csl import csl_items

        return csl_items(papers)
    if form == "jsonl":
        from octavo.export.jsonl import jsonl_lines

        return jsonl_lines(papers)
    raise UsageError(f"There is no export format {form!r}.", hint=f"Known are {', '.join(FORMATS)}.")
