"""Search: which papers answer a query, in which order, and why.

The order of things, unless another is asked for:

1. papers with an identifier that the query is, then papers whose title the query is (letters and digits alone
compared) or, where hardly any match, nearly is;
2. papers that have the whole of a longer query in a row, papers by an author of that name, papers with all of the
words, each kind by words and meaning together (`rank.fuse`);
3. where fewer than a hundred have all the words, papers that have most of them or are near in meaning.

What has quotes, fields or operators in it and no plain word is exact: 3 does not come in, and the order is by words.
Step 3 and near titles only ever add what a strict reading would miss, and `notes` say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from octavo.asking import Sort, Way
from octavo.errors import UsageError
from octavo.explain import Explanation
from octavo.index.meaning import Sense
from octavo.index.text import Found, TextIndex
from octavo.query.parser import MAX_FREE_TEXT, parse_lenient, parse_strict
from octavo.query.topic_names import BUNDLED
from octavo.rank.chinese import chinese_notes
from octavo.rank.exactly import exact_notes
from octavo.rank.fuse import Fused
from octavo.rank.laps import Laps
from octavo.rank.plan import LibraryLookup, Plan, plan_of
from octavo.rank.why import explain, explain_fused, word_scores
from octavo.rank.widening import FEW, Lookup, widen
from octavo.rank.window import Compared, Window, beyond
from octavo.records.paper import Paper

MOST_VALUES = 1_000
"""Values of a facet that are told; a surface shows the first of them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A search as it is asked for."""

    text: str
    limit: int = 10
    offset: int = 0
    strict: bool = False
    """Whether a text that is no query is refused."""
    sort: Sort = "relevance"
    way: Way = "hybrid"
    facets: Sequence[str] = ()
    """The facets to count."""
    with_words: bool = False
    """Whether each hit says what each word adds."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A page of finds."""

    total: int
    """How many can be leafed through."""
    matching: int
    """How many of them match all of the query."""
    hits: tuple[tuple[Paper, float, Explanation], ...]
    notes: tuple[str, ...]
    words: tuple[str, ...]
    """The exact words that were looked for, for marking."""
    facets: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    by_meaning: bool = False
    """Whether meaning had a say."""


def find(
    index: TextIndex,
    lookup: Lookup,
    asked: Asked,
    *,
    sense: Sense | None = None,
    library: LibraryLookup = lambda _node: frozenset(),
    laps: Laps | None = None,
) -> Ranked:
    """Run a query.

    Args:
        index: The words.
        lookup: Papers by their keys.
        asked: What is asked for.
        sense: The vectors, where there are any.
        library: What the reader saved.
        laps: Told where the time goes.

    Raises:
        QueryError: `strict` and the text is no query.
        UsageError: search by meaning alone is asked for where there is no meaning to go by.
    """
    laps = laps or Laps()
    asked = replace(asked, text=asked.text[: MAX_FREE_TEXT + 1])  # what is longer is read no further anyhow
    with laps.lap("reading the query"):
        parsed = parse_lenient(asked.text, names=BUNDLED)
        if asked.strict:
            # Raises where the lenient reading took something for granted; the tree is the same.
            parse_strict(asked.text, names=BUNDLED)
        notes = [*parsed.notes, *chinese_notes(parsed)]
        plan = plan_of(parsed, asked.text, library)
    with laps.lap("editions that are named"):
        notes += exact_notes(index, parsed, asked.text, library)
    if asked.way == "meaning" and sense is None:
        raise UsageError("There are no vectors to search by meaning with.", hint="`octavo rebuild` makes them.")
    window: Window | None = None
    if asked.way == "meaning":
        window = Compared(index, plan, sense, laps).by_meaning()
        found = Found(window.total, [])
    else:
        with laps.lap("words, all of them"):
            found = index.search(plan.matches, asked.limit, asked.offset, *_order(asked))
        if asked.sort == "relevance":
            if found.total < FEW and not plan.chinese:
                with laps.lap("near titles and spelling"):
                    notes += widen(index, lookup, plan)
            if plan.is_vague:
                window = Compared(index, plan, sense if asked.way == "hybrid" else None, laps).window()
                notes += _widened(plan, window)
            elif plan.near:
                found = index.search(plan.matches, asked.limit, asked.offset)
    with laps.lap("facets"):
        facets = index.facets(plan.matches, asked.facets, MOST_VALUES) if asked.facets else {}
    hits = _page(index, lookup, asked, plan, window, found, laps)
    total, matching = (window.total, window.matching) if window else (found.total, found.total)
    by_meaning = bool(window and window.by_meaning)
    return Ranked(total, matching, tuple(hits), tuple(notes), plan.looked_for, facets, by_meaning)


def _order(asked: Asked) -> tuple[str, ...]:
    return () if asked.sort == "relevance" else (asked.sort,)


def _page(
    index: TextIndex, lookup: Lookup, asked: Asked, plan: Plan, window: Window | None, found: Found, laps: Laps
) -> list[tuple[Paper, float, Explanation]]:
    """The hits of a page, of the window first."""
    fused: dict[int, Fused] = {}
    scored = found.hits
    if window:
        fused = {one.pk: one for one in window.hits[asked.offset : asked.offset + asked.limit]}
        scored = [(pk, one.score) for pk, one in fused.items()]
        n_missing, at = asked.limit - len(scored), max(0, asked.offset - len(window.hits))
        if n_missing and window.total > len(window.hits):
            with laps.lap("beyond the first hundred"):
                rest = index.search(beyond(plan, window), n_missing, at).hits
            # By words alone, below everything that was compared.
            lowest = min((one.score for one in window.hits), default=0.0)
            scored += [(pk, lowest - 1 / (1 + max(score, 0.0))) for pk, score in rest]
    with laps.lap("reading the papers"):
        papers = lookup([pk for pk, _ in scored])
    looked_for = plan.looked_for
    with laps.lap("explaining"):
        detail = word_scores(index, plan, list(fused)) if asked.with_words else {}
        return [
            (papers[pk], score, explain_fused(papers[pk], fused[pk], looked_for, detail.get(pk)))
            if pk in fused
            else (papers[pk], score, explain(papers[pk], score, plan, looked_for))
            for pk, score in scored
            if pk in papers  # gone since the index was made; it catches up
        ]


def _widened(plan: Plan, window: Window) -> list[str]:
    """What a reader is told of papers that don't match all of the query."""
    n_more = window.total - window.matching
    if not n_more:
        return []
    what = "term" if plan.chinese else "word"
    having = f"this {what}" if plan.n_words == 1 else f"all of these {what}s"
    is_one = window.matching > 0 and n_more == 1
    ways = []
    if plan.n_words > 1:
        least = window.least
        have = "has" if is_one else "have"
        if least < plan.n_words:
            ways.append(f"{have} at least {least} of {plan.n_words}")
        elif plan.chinese:
            ways.append(f"{have} the words of a name apart")
    if window.by_meaning:
        ways.append(f"{'is' if is_one else 'are'} near in meaning")
    how = " or ".join(ways)
    if not window.matching:
        return [f"No paper has {having}; shown are papers that {how}."]
    first = "Only one paper has" if window.matching == 1 else f"{window.matching:,} papers have"
    return [f"{first} {having}; then {f'comes one that {how}' if is_one else f'come {n_more} that {how}'}."]
