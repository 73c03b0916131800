"""Telling from the first bytes of a file which source it is of."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from octavo.errors import SourceError
from octavo.sources.base import Page
from octavo.sources.streams import has_few_zeros, is_wide

_SEEN = 64 * 1024
"""Letters of a line whose keys are looked at, those inside it too."""
_LINES = 50
"""Lines of a file of JSON lines that are looked at."""


def tell(head: bytes, *, is_page: bool) -> str | None:
    """The name of the source that a file beginning with `head` is plainly of; None where nothing tells.

    `is_page` lets it be a saved page, which has no mark of its own.
    """
    if is_wide(head[:4]) or not has_few_zeros(head.count(0), len(head)):
        return None
    text = head.decode("utf-8-sig", "replace").lstrip()
    for begins, rule in _RULES:
        if text.startswith(begins):
            return rule(text)
    if _RIS.search(text):
        return "ris"
    if _BIBTEX.search(text):
        return "bibtex"
    if _TAGGED.match(text):
        return "ris"  # which says what it is, and how to get RIS instead
    return _source_of_prose(text) if is_page else None


def fields_in(head: bytes) -> str:
    """The first names of fields in JSON, for a message; empty where it is none.

    >>> fields_in(b'{"id": "1", "abs": "x"}')
    'id, abs'
    """
    text = head.decode("utf-8-sig", "replace").lstrip()
    if not text.startswith(("{", "[")):
        return ""
    names = [name for name in dict.fromkeys(_KEY.findall(text)) if name.isprintable()]
    return ", ".join(names[:_SHOWN_FIELDS]) + (" …" if len(names) > _SHOWN_FIELDS else "")


_SHOWN_FIELDS = 5
_KEY = re.compile(r'"([^"\\]{1,40})"\s*:')


def _source_of_object(text: str) -> str | None:
    """The source of a JSON object, or of JSON lines, of which the first may be broken."""
    is_lines = False
    for number, line in enumerate(text.split("\n", _LINES)[:_LINES]):
        try:
            entry = json.loads(line, strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            is_lines = is_lines or number == 0
            inside = set(_KEY.findall(line[:_SEEN]))  # an answer of a service wraps what it holds
            if found := _source_of_keys(set(entry), line) or _service_of(inside, line[:_SEEN]):
                return found
    # An object over many lines, or longer than what was looked at, is told by the keys that can be seen.
    if is_lines:
        return None
    found = _source_of_keys(set(_KEY.findall(text)), text)
    return None if found == "jsonl" and not text.startswith(('{"source"', '{"id"')) else found


def _source_of_keys(keys: set[str], text: str) -> str | None:
    if "papers" in keys and '"bibtex_key"' in text:
        return "mlanthology"
    if {"id", "authors_parsed", "categories"} <= keys:
        return "arxiv-snapshot"
    if service := _service_of(keys, text):
        return service
    return "jsonl" if {"source", "key", "title"} <= keys or {"id", "records"} <= keys else None


def _service_of(keys: set[str], text: str) -> str | None:
    """The service whose answer shows these keys; seen before what lists of papers have, since answers have that too."""
    if {"forum", "content"} <= keys:
        return "openreview"
    if "message-type" in keys or (
        {"DOI", "title"} <= keys and "type" in keys and {"is-referenced-by-count", "reference-count"} & keys
    ):
        return "crossref"
    if '"id": "https://openalex.org/W' in text or '"id":"https://openalex.org/W' in text or {"meta", "results"} <= keys:
        return "openalex"
    if "paperId" in keys:
        return "semanticscholar"
    if {"result", "hits"} <= keys and "dblp.org/rec/" in text:
        return "dblp"
    is_reference = {"title", "type"} <= keys and {"issued", "container-title", "DOI", "author"} & keys
    return "csl" if is_reference and not {"status", "track", "site"} & keys else None


def _source_of_array(text: str) -> str | None:
    keys = set(_KEY.findall(text))
    if service := _service_of(keys, text):
        return service
    known = "title" in keys and ("author" in keys or "authors" in keys) and {"status", "track", "site"} & keys
    return "paperlists" if known else None


def _source_of_post(text: str) -> str | None:
    return "pmlr" if re.search(r"^layout: *inproceedings *\r?$", text, re.MULTILINE) else None


def _source_of_markup(text: str) -> str | None:
    """The source of XML; other markup is no page of prose either."""
    if re.search(r"<collection\s+id=", text):
        return "acl"
    if re.search(r"<dblp(?:person)?[\s>]", text):
        return "dblp"
    from octavo.sources.arxiv_answer import is_arxiv_answer  # late: it brings an XML parser

    return "arxiv" if is_arxiv_answer(text) else None


_BIBTEX = re.compile(r"^[ \t]*@\w+[ \t]*[{(]", re.MULTILINE)
_RIS = re.compile(r"^TY {1,2}-", re.MULTILINE)
_TAGGED = re.compile(r"(?:FN |VR 1\.|PT [JBSP]\b)|PMID ?-|%[0A-Z] ")
"""The formats of Web of Science, MEDLINE and EndNote."""


_RULES: tuple[tuple[str, Callable[[str], str | None]], ...] = (
    ("{", _source_of_object),
    ("[", _source_of_array),
    ("---\n", _source_of_post),
    ("---\r\n", _source_of_post),
    ("<", _source_of_markup),
)


def _source_of_prose(text: str) -> str | None:
    """Saved pages have no mark of their own, so the source of pages is asked whether it knows this one."""
    try:
        from octavo.sources.page import PageSource

        return "page" if any(True for _ in PageSource().parse(Page(text.encode(), "page"))) else None
    except SourceError:
        return None
