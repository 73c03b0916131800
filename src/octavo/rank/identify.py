"""Identify: which paper a text is about.

The text may be an identifier or a web address, a title with typing errors, a line of a reference list, an abstract,
or a piece of one. Candidates come from the index; each is then held against the text itself, and what speaks for it
becomes a confidence:

    identifier   the text is, or holds, an identifier that the paper has
    title        the text is the title, nearly
    reference    the title stands in the text, with the authors' names or the year beside it
    wording      runs of three words that the text shares with the paper's abstract
    subject      words of the paper's title and summary that the text has, weighed by rarity: the only evidence where
    a paper has no
                 abstract, and never enough against an abstract that differs

No candidate above `ACCEPT` is an honest "not here".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from rapidfuzz import fuzz

from octavo.errors import IdentifierError
from octavo.explain import Explanation
from octavo.index.text import TextIndex
from octavo.index.text_query import any_of, boosted, identified, phrase, term, titled
from octavo.query.words import STOP_WORDS, analyse, exact_words, query_words, stem_words
from octavo.rank.background import share_of
from octavo.rank.spelling import correct
from octavo.rank.widening import Lookup
from octavo.records.fold import fold, title_key
from octavo.records.ids import Identifier, find_identifiers, parse_identifier
from octavo.records.names import parse_author
from octavo.records.paper import Paper
from octavo.records.text import Text

ACCEPT = 0.5
"""Confidence from which a candidate is the answer."""
SURE = 0.9
"""Confidence from which an entry is joined to a paper without asking."""
MOST_LETTERS = 20_000
"""Letters of a text that are read; an abstract has 1,500."""
_QUERY_STEMS = 24
_CANDIDATES = 30
_ENOUGH_PAPERS = 1000
"""Papers from which the best by subject may be sure: among few, the nearest leads however far off it is."""
_RUN = 6
_MOST_RUNS = 8
_SHORTEST_QUOTE = 5
"""Words from which a text can be told by its wording."""
_SHORTEST_SUBJECT = 8
_WHOLE_ABSTRACT = 80
"""Words from which a text is taken for a whole abstract."""
_LINE = 600
"""Letters up to which a text may be a reference or a title."""


@dataclass(frozen=True, slots=True)
class Match:
    """The best candidate; `paper` is None where nothing is likely enough."""

    paper: Paper | None
    confidence: float
    why: Explanation
    pk: int = 0


@dataclass(frozen=True, slots=True)
class _Given:
    """A text, taken apart once."""

    plain: str
    folded: str
    words: list[str]
    stems: set[str]
    shingles: set[tuple[str, ...]]
    weights: dict[str, float]
    """Rarity of each stem: log(papers / papers that have it)."""
    authors: frozenset[str]
    """Folded family names that came with the text."""


def identify(index: TextIndex, lookup: Lookup, text: str, authors: Sequence[str] = ()) -> Match:
    """Find the paper that `text` is about; `authors` are names that came with it, if any."""
    plain = Text.of(text[:MOST_LETTERS], "mixed").plain
    if not plain:
        return Match(None, 0.0, Explanation(0.0, "the text is empty"))
    if known := _by_identifier(index, lookup, text.strip(), plain):
        return known
    given = _taken_apart(index, plain, authors)
    pks = _candidates(index, given)
    papers = lookup(pks)
    subject = subject_of(given, papers, most=1.0 if index.n_papers >= _ENOUGH_PAPERS else SURE - 0.05)
    judged = [(pk, papers[pk], judge(given, papers[pk], subject.get(pk))) for pk in pks if pk in papers]
    if not judged:
        return Match(None, 0.0, Explanation(0.0, "no paper shares its words"))
    judged.sort(key=lambda one: (-one[2].value, one[0]))
    pk, paper, why = judged[0]
    if len(judged) > 1 and judged[1][2].value >= why.value > 0 and not _may_be_one_work(judged[1][1], paper):
        why = Explanation(why.value / 2, "two papers fit equally well", (why, judged[1][2]))
    if not why.value:
        return Match(None, 0.0, Explanation(0.0, "not found, and nothing in the catalogue is near"))
    if why.value < ACCEPT:
        return Match(
            None,
            why.value,
            Explanation(why.value, f"not found; the nearest is “{paper.title}” ({why.reason})", (why,)),
            pk,
        )
    return Match(paper, min(why.value, 1.0), why, pk)


def _may_be_one_work(one: Paper, other: Paper) -> bool:
    """Whether two papers may be one that was not joined: the same title, and a name in common where both have names."""
    if title_key(one.title) != title_key(other.title):
        return False
    names, others = (_families(paper.authors) for paper in (one, other))
    return not names or not others or not names.isdisjoint(others)


def _families(authors: Sequence[str]) -> frozenset[str]:
    return frozenset(fold(parse_author(name).family) for name in authors)


def _by_identifier(index: TextIndex, lookup: Lookup, text: str, plain: str) -> Match | None:
    """The paper that an identifier in the text names."""
    try:
        whole: list[Identifier] = [parse_identifier(text)[0]] if len(text) < 300 else []
    except IdentifierError:
        whole = []
    inside = [] if whole or len(text) > _LINE else [found for found, _ in find_identifiers(text)]
    for identifier in whole + inside:
        for pk, paper in lookup([pk for pk, _ in index.search(identified(identifier), 2).hits]).items():
            if whole:
                return Match(paper, 1.0, Explanation(1.0, f"the identifier {identifier}"), pk)
            likeness = fuzz.partial_ratio(fold(paper.title), fold(plain)) / 100
            if likeness > 0.6 or len(plain) < 80:
                return Match(paper, 0.98, Explanation(0.98, f"holds the identifier {identifier}"), pk)
    if whole:
        return Match(None, 0.0, Explanation(0.0, f"no paper with the identifier {whole[0]} is in the catalogue"))
    return None


def _taken_apart(index: TextIndex, plain: str, authors: Sequence[str]) -> _Given:
    exact, stems = (joined.split() for joined in analyse(plain))
    weights = {stem: weight for stem in dict.fromkeys(stems) if (weight := _weight(index, stem))}
    return _Given(plain, fold(plain), exact, set(stems), _shingles(exact), weights, _families(authors))


def _weight(index: TextIndex, stem: str) -> float:
    """How much a stem tells: -log of the share of papers that have it, here or at large; 0 for one that nothing here
    has."""
    count = index.document_frequency(stem)
    return -log(max(share_of(stem), count / (index.n_papers + 1))) if count and stem not in STOP_WORDS else 0.0


def _shingles(words: Sequence[str]) -> set[tuple[str, ...]]:
    return set(zip(words, words[1:], words[2:], strict=False))


def _runs(words: Sequence[str]) -> list[Sequence[str]]:
    """Runs of words from all over the text, to be looked for word for word: common words are rare in a row."""
    if len(words) < _SHORTEST_QUOTE:
        return []
    starts = range(0, max(1, len(words) - _RUN + 1), max(_RUN, len(words) // _MOST_RUNS))
    return [words[start : start + _RUN] for start in starts]


def _candidates(index: TextIndex, given: _Given) -> list[int]:
    """Papers worth a closer look: those with the title, and those that share the rarest words."""
    if len(given.plain) < _LINE:
        for word in query_words(given.plain):
            if better := correct(index, word):
                for stem in {stem for way in better.alternatives for stem in way}:
                    if weight := _weight(index, stem):
                        given.weights[stem] = weight
    rare = sorted(given.weights, key=lambda stem: (-given.weights[stem], stem))[:_QUERY_STEMS]
    ways = [titled(title_key(given.plain))]
    for stem in rare:
        ways += [term("all", stem), boosted(term("title", stem), 1.5)]
    pks = [pk for pk, _ in index.search(any_of(ways), _CANDIDATES).hits]
    if runs := _runs(given.words):
        quoted = any_of([phrase(text, run) for run in runs for text in ("abstract", "title")])
        pks += [pk for pk, _ in index.search(quoted, _CANDIDATES).hits]
    if len(given.plain) < _LINE and rare:
        pks += [pk for pk, _ in index.search(any_of([term("title", stem) for stem in rare]), _CANDIDATES).hits]
    if given.authors:
        ways = [term("authors", word) for name in given.authors for word in name.split()]
        both = any_of([any_of(ways), any_of([term("title", stem) for stem in rare] or ways)])
        pks += [pk for pk, _ in index.search(both, _CANDIDATES).hits]
    return list(dict.fromkeys(pks))


def judge(given: _Given, paper: Paper, subject: Explanation | None = None) -> Explanation:
    """How likely the text is about the paper (0 to 1), by the strongest evidence; agreeing authors add to it."""
    folded = fold(paper.title)
    told = (_title(given, folded), _reference(given, folded, paper), _wording(given, paper))
    evidence = [reason for reason in told if reason]
    if subject and all(reason.value < ACCEPT for reason in evidence):  # the weakest kind: only where no other speaks
        evidence.append(subject)
    if not evidence:
        return Explanation(0.0, "nothing in common")
    best = max(evidence, key=lambda reason: reason.value)
    if given.authors and paper.authors:
        return _with_authors(given, paper, best)
    return Explanation(best.value, best.reason, (best,))


def _title(given: _Given, title: str) -> Explanation | None:
    """The text is the title, with typing errors."""
    if len(given.folded) > 2 * len(title) + 20:
        return None
    if title_key(given.plain) == title_key(title):
        return Explanation(0.99, "the title")
    likeness = max(fuzz.ratio(given.folded, title), fuzz.token_sort_ratio(given.folded, title) - 2) / 100
    # Two titles on one subject are up to 0.8 alike; one with two typing errors in 40 letters is 0.95 alike.
    return Explanation((likeness - 0.7) / 0.3, f"the title, {likeness:.0%} alike") if likeness > 0.7 else None


def _reference(given: _Given, title: str, paper: Paper) -> Explanation | None:
    """The title stands in the text, as in a line of a reference list."""
    if len(given.plain) > _LINE or len(title) < 12 or len(given.folded) < len(title):
        return None
    likeness = fuzz.partial_ratio(title, given.folded) / 100
    if likeness < 0.85:
        return None
    text = set(given.words)
    families = [fold(parse_author(name).family) for name in paper.authors]
    named = [family for family in families if family and set(family.split()) <= text]
    dated = paper.year is not None and str(paper.year) in text
    support = (0.4 if named else 0.0) + (0.1 if dated else 0.0) + (0.1 if len(title.split()) >= 5 else 0.0)
    value = min(0.98, likeness**2 * (0.42 + support))
    parts = [f"the title stands in it ({likeness:.0%})"]
    parts += [f"with {named[0]}"] if named else []
    parts += [f"and {paper.year}"] if dated else []
    return Explanation(value, " ".join(parts))


def _wording(given: _Given, paper: Paper) -> Explanation | None:
    """Runs of three words that stand in the paper's texts too."""
    if len(given.words) < _SHORTEST_QUOTE:
        return None
    words = analyse(f"{paper.title} . {paper.abstract}")[0]
    if f" {' '.join(given.words)} " in f" {words} ":
        return Explanation(0.97, "stands in the paper, word for word")
    theirs = _shingles(words.split())
    theirs |= _shingles(analyse(paper.summary)[0].split())
    share = len(given.shingles & theirs) / len(given.shingles)
    if not share:
        return None
    # Of a whole abstract a third is proof, since others share a tenth at most; a title shares its stock phrases with
    # many.
    length = min(1.0, len(given.shingles) / 60)
    return Explanation(
        1 - (1 - share) ** (1 + 2 * length) - 0.1 * (1 - length), f"{share:.0%} of its wording is the paper's"
    )


def subject_of(given: _Given, papers: dict[int, Paper], most: float = 1.0) -> dict[int, Explanation]:
    """What the subject says, for papers without an abstract to compare: evidence for the best of them, by its key.

    A paper's score is the log-likelihood ratio of "the text is its abstract" against "it is some abstract", over the
    stems of its title and of Octavo's summary; the confidence is a logistic function of the best score and of its
    lead over the second. The constants were fitted on 500 abstracts of ICML 2025, whose papers were in a catalogue
    of titles, and 500 of arXiv, whose were not.
    """
    if len(given.words) < _SHORTEST_SUBJECT:
        return {}
    scores = sorted(((_likeness(given, paper), pk) for pk, paper in papers.items() if not paper.abstract), reverse=True)
    if not scores or scores[0][0] <= 0:
        return {}
    best, pk = scores[0]
    lead = best - scores[1][0] if len(scores) > 1 else best
    confidence = 1 / (1 + exp(3.8 - 0.126 * best - 0.48 * min(10.0, lead)))
    words = {
        stem: word for word in exact_words(f"{papers[pk].summary} {papers[pk].title}") for stem in stem_words(word)
    }
    common = sorted(words.keys() & given.stems - STOP_WORDS, key=lambda stem: (share_of(stem), stem))
    told = dict.fromkeys(words[stem] for stem in common[:5])
    confidence = min(most, confidence)
    return {pk: Explanation(confidence, f"the subject: {', '.join(told)}")}


def _likeness(given: _Given, paper: Paper) -> float:
    title = _stems(paper.title)
    summary = _stems(paper.summary) - title
    # A part of an abstract leaves out more of the title than a whole one does.
    in_title = 0.8 if len(given.words) >= _WHOLE_ABSTRACT else 0.5
    score = 0.0
    for stem in title:
        share = min(0.9, share_of(stem))
        score += 0.7 * (log(in_title / share) if stem in given.stems else log((1 - in_title) / (1 - share)))
    for stem in summary:
        share = min(0.5, share_of(stem))
        score += 0.5 * (max(0.0, log(0.45 / share)) if stem in given.stems else log(0.55 / (1 - share)))
    return score


def _stems(*texts: str) -> set[str]:
    return {stem for text in texts for stem in analyse(text)[1].split()} - STOP_WORDS


def _with_authors(given: _Given, paper: Paper, best: Explanation) -> Explanation:
    """Weigh the names that came with the text: agreement lifts what other evidence leaves open, contradiction takes
    from it."""
    families = _families(paper.authors)
    common = given.authors & families
    share = len(common) / min(len(given.authors), len(families))
    names = Explanation(share, f"{len(common)} of {len(given.authors)} authors agree")
    value = 1 - (1 - best.value) * (1 - 0.9 * share) if share >= 0.5 else best.value * 0.5
    return Explanation(value, f"{best.reason}; {names.reason}", (best, names))
