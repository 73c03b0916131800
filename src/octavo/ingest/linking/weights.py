"""What each level of evidence is worth: natural logarithms of odds, added up.

Fitted by `tools/linking/fit.py`; not to be changed by hand. A pair's score is the sum over its levels, and above 0 the
two records more likely are one work than not. +2.3 makes it ten times likelier, -2.3 ten times less likely. `year` and
`venue` tell publications of one work apart and count only where publications are asked for.

Learnt from the training halves of DBLP-ACM and its dirty variant, of preprints against published papers (once with all
fields, once with title and authors alone), and of pairs that `tools/linking/silver.py` drew from arXiv before 2020, the
ML Anthology and the ACL Anthology, labelled by their abstracts and without them. Where hardly any pair shows a level
(errata, parts, pages), its weight is mostly what `BELIEFS` in `fit.py` says.
"""

from __future__ import annotations

PRIOR = "any two that share a key"
"""The level that every pair has."""

WEIGHTS: dict[str, float] = {
    # abstract
    "abstract: another": -3.13,
    "abstract: few runs in common": -3.01,
    "abstract: much in common": 2.99,
    "abstract: some runs in common": 1.00,
    "abstract: the same": 4.36,
    # every pair
    "any two that share a key": 0.06,
    # authors
    "authors: all, in another order": 0.97,
    "authors: all, in order": 1.08,
    "authors: half and more": -0.00,
    "authors: hardly any": -0.54,
    "authors: nearly all, in another order": -0.53,
    "authors: nearly all, in order": 1.23,
    "authors: none in common": -3.09,
    "authors: one list within the other": -0.10,
    "authors: some": -1.68,
    "authors: unknown": -1.65,
    "authors: unknown on both sides": 0.30,
    # edition
    "edition: another of the series": -4.08,
    "edition: the same": -0.14,
    # first author
    "first author: another": 0.04,
    "first author: the same": 0.40,
    # form
    "form: named on one side only": 3.01,
    # name before the colon
    "name before the colon: the same": 0.70,
    # names in common
    "names in common: a common one": -0.65,
    "names in common: four and more": 0.72,
    "names in common: one": -0.84,
    "names in common: seven and more": 1.13,
    "names in common: two or three": 0.08,
    # notice
    "notice: on one side only": -5.20,
    # numbers
    "numbers: on one side only": 0.22,
    "numbers: other ones": -5.12,
    # pages
    "pages: other ones": -1.50,
    "pages: the same": 1.50,
    # part
    "part: named on one side only": -3.00,
    # preprint
    "preprint: after publication": 0.87,
    "preprint: earlier by three years or four": 0.20,
    "preprint: far earlier": -0.88,
    "preprint: of a fitting year": 1.52,
    # published twice
    "published twice: under two titles": -2.20,
    # title's beginning
    "title's beginning: another": -0.43,
    # title
    "title: another": -6.56,
    "title: both begin alike and lack fields": 0.73,
    "title: equal": 3.83,
    "title: equal, but generic": -1.40,
    "title: equal, of few words": 2.38,
    "title: generic both": -3.85,
    "title: half alike": -2.38,
    "title: near": -0.99,
    "title: nearly equal": 2.34,
    "title: one begins with the other": 1.26,
    "title: one begins with the other and lacks a field": 1.65,
    "title: one holds the other": -0.46,
    "title: remote": -5.19,
    "title: very near": 0.63,
    # venue
    "venue: another": -2.47,
    "venue: named otherwise": -1.68,
    "venue: the same": 0.16,
    # words of its own
    "words of its own: each title": -0.62,
    # year
    "year: another": -4.08,
    "year: next": -4.76,
    "year: the same": 1.07,
    # years
    "years: far apart": -1.53,
}
