"""Kinds of identifiers of which a work has but one: two different ones of a kind name two works."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

_LAST_NUMBER = re.compile(r"^(.*?)(\d+)\D*$")
_VERSIONED = ("10.5281/", "10.6084/", "10.21203/", "10.20944/", "10.36227/")
"""DOI prefixes of archives that give each version of a work a DOI of its own."""


def kind_of(identifier: str) -> str:
    """The kind of an identifier, within which two different ones are two works'; empty where none is.

    >>> kind_of("arxiv:2101.00010"), kind_of("doi:10.5555/abc.2031.12"), kind_of("openreview:AbC12xYz90")
    ('arxiv', 'doi:10.5555/abc.2031.', '')
    """
    scheme, _, value = identifier.partition(":")
    if scheme == "arxiv":
        return scheme
    if scheme == "acl":
        return f"acl:{value[:3] if value[:1].isalpha() else value.rpartition('.')[0]}"
    if scheme == "pmlr":
        return f"pmlr:{value.partition('/')[0]}"
    if scheme == "doi" and not value.startswith(_VERSIONED) and (found := _LAST_NUMBER.match(value)):
        return f"doi:{found[1]}"
    return ""


def of_kinds(identifiers: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """(kind, identifier) of those that have a kind."""
    return tuple((sys.intern(kind), identifier) for identifier in identifiers if (kind := kind_of(identifier)))
