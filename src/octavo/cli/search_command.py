"""`octavo search`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from octavo.asking import FACETS, SORTS, WAYS, Sort, Way
from octavo.cli.command import QueryCommand, Settings, command
from octavo.cli.complete_command import complete_query
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, clean, plural, write_json
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.cli.layout import Marker
    from octavo.explain import Explanation
    from octavo.records.paper import Paper
    from octavo.views import HitView, SearchView

SUMMARY = "Octavo's summary: "
"""What stands before a summary of Octavo's own, wherever one is shown."""
_SNIPPET_LINES = 2
_SHOWN_VALUES = 20
"""Values of a facet on a terminal."""
_SHOWN_QUERY = 200


@command(
    "search",
    cls=QueryCommand,
    short_help="Find papers by words, phrases, people, venues, years.",
    examples=(
        ("octavo search graph neural networks", "papers with all of these words, the best first"),
        ('octavo search "attention is all you need"', "an exact title comes first"),
        (
            "octavo search 'author:wu title:\"active collaborators\" year:2023..2025'",
            "by author, phrase in the title, years",
        ),
        (
            "octavo search 'diffusion -image (venue:icml OR venue:neurips)' --sort newest --facet year",
            "exclude a word; either of two venues; the newest first, and how many of each year",
        ),
        (
            "octavo search transformers -n 100 | cut -f2",
            "ids only: a pipe gets rank, id, year, venue, title, by tabs",
        ),
    ),
)
@click.argument("query", nargs=-1, required=True, shell_complete=complete_query)
@click.option("-n", "--limit", type=int, default=10, show_default=True, help="Hits to show, 1 to 1000.")
@click.option("--offset", type=int, default=0, show_default=True, help="Hits to pass over before these.")
@click.option("--strict", is_flag=True, help="Refuse a query with a mistake in it (exit 2) instead of guessing.")
@click.option("--sort", type=click.Choice(SORTS), default="relevance", show_default=True, help="Which come first.")
@click.option(
    "--facet", "facets", multiple=True, metavar="NAME", help=f"Count also, of all that match: {', '.join(FACETS)}."
)
@click.option(
    "--way", type=click.Choice(WAYS), default="hybrid", show_default=True, help="Search by words, meaning, both."
)
@click.option("--why", is_flag=True, help="Say under each hit why it is there, and how much each reason counts.")
@click.option("--profile", is_flag=True, help="Say where the time went.")
def search(
    settings: Settings,
    query: tuple[str, ...],
    limit: int,
    offset: int,
    strict: bool,
    sort: Sort,
    facets: tuple[str, ...],
    way: Way,
    why: bool,
    profile: bool,
) -> int:
    """Find papers, the best first.

    QUERY is words: papers with all of them come first; where those are few, papers follow that have most of them or
    are near in meaning. "Quotes" make an exact phrase, a minus excludes, OR and brackets combine. author:, title:,
    abstract:, venue:, year:, cat: and id: look in one field only. Word forms count as one (network, networks),
    accents and case do not matter. Where a query has quotes or brackets, put the whole of it into 'single quotes'.

    On a terminal each hit is shown with its authors and the place in its abstract where the words are. Into a
    pipe or a file goes one line a hit: rank, id, year, venue and title, parted by tabs. Exits with 1 where
    nothing is found.
    """
    from octavo.cli.progress import ProgressBar

    text = joined(query)
    with settings.open() as octavo, ProgressBar("") as progress:
        found = octavo.search(
            text, limit, offset, sort=sort, way=way, facets=facets, strict=strict, with_words=why, progress=progress
        )
    if settings.as_json:
        write_json(found.to_dict(with_seconds=profile))
        return DONE if found.hits else NOTHING_FOUND
    write_search(Page(), found, with_why=why, program=settings.program)
    if profile:
        _write_profile(found)
    return DONE if found.hits else NOTHING_FOUND


def joined(query: Sequence[str]) -> str:
    """The words of a query as one text.

    Raises:
        UsageError: they are empty.
    """
    text = " ".join(query)
    if query and not text.strip():
        raise UsageError("The query is empty.", hint="Say what to look for.")
    return text


def write_search(page: Page, found: SearchView, *, with_why: bool = False, program: str = "octavo") -> None:
    """Write a search's answer for a reader on a terminal, as tab-separated lines elsewhere."""
    if not page.is_terminal:
        for note in found.notes:
            click.echo(clean(note), err=True)
        if with_why or found.facets:
            click.echo("Reasons and facets are shown on a terminal; a program gets them with --json.", err=True)
        _write_rows(found)
        return
    for note in found.notes:
        page.line((note, "dim"))
    if found.notes and found.hits:
        page.blank()
    if not found.hits:
        page.line(_nothing(found))
        _write_facets(page, found)
        return
    from octavo.cli.layout import Marker

    marker = Marker.of(found.words)
    for hit in found.hits:
        write_hit(page, hit, marker, with_why=with_why)
        page.blank()
    _write_facets(page, found)
    page.line((_how_many(found, program), "dim"))


def _write_facets(page: Page, found: SearchView) -> None:
    """Write a line a facet: its most frequent values with their counts."""
    for name, values in found.facets.items():
        said = "  ".join(f"{clean(value)}\u00a0{n:,}" for value, n in values[:_SHOWN_VALUES]) or "none"
        more = f"  … and {len(values) - _SHOWN_VALUES:,} more" if len(values) > _SHOWN_VALUES else ""
        page.line((f"{name}: ", "bold"), said + more, indent=4)
    if found.facets:
        page.blank()


def _write_profile(found: SearchView) -> None:
    """Write where the time went, on stderr, so that it stands in the way of no pipe."""
    for stage, seconds in found.seconds.items():
        click.echo(f"{seconds * 1000:9.2f} ms  {stage}", err=True)
    click.echo(f"{sum(found.seconds.values()) * 1000:9.2f} ms  in all", err=True)


def _write_rows(found: SearchView) -> None:
    if not found.hits:
        click.echo(_nothing(found), err=True)
    for hit in found.hits:
        paper = hit.paper
        row = (str(hit.rank), paper.id, str(paper.year or ""), clean(paper.place), clean(paper.title))
        click.echo("\t".join(row))


def _nothing(found: SearchView) -> str:
    if found.total:
        return f"The query has {plural(found.total, 'hit')}, and none so far down."
    query = clean(found.query)
    return f"Nothing found for {query[:_SHOWN_QUERY]}{'…' if len(query) > _SHOWN_QUERY else ''}."


def _how_many(found: SearchView, program: str) -> str:
    """`1–10 of 2,345`, and the command for the next ones."""
    first, last = found.hits[0].rank, found.hits[-1].rank
    if first == 1 and last >= found.total:
        return plural(found.total, "hit")
    shown = f"{first:,}–{last:,}" if last > first else f"{first:,}"
    shown = f"{shown} of {found.total:,} hits"
    if last >= found.total:
        return shown
    query = shlex.quote(clean(found.query))
    return f"{shown}. More: {program} search {query} -n {last - first + 1} --offset {last}"


def write_hit(page: Page, hit: HitView, marker: Marker, *, with_why: bool = False) -> None:
    """Write one hit: rank and title, where and ids, authors, and what it is about."""
    from octavo.cli.layout import fold_authors, where_and_ids

    paper, rank = hit.paper, f"{hit.rank:>2}  "
    indent = len(rank)
    page.line(*marker.spans(clean(paper.title), "bold"), label=(rank, "dim"), indent=indent)
    width = page.width - indent
    page.line(*where_and_ids(paper, width), indent=indent)
    if paper.authors:
        authors = fold_authors(paper.authors, width, is_incomplete=paper.authors_incomplete)
        page.line(*marker.spans(authors), indent=indent)
    write_about(page, paper, marker, indent)
    if with_why:
        write_why(page, hit.why, indent)


def write_why(page: Page, why: Explanation, indent: int) -> None:
    """Write what a score is made of, a line a reason with what it counts."""
    page.line((f"{why.value:9.2f}  score", "italic"), indent=indent)
    for part in why.parts:
        page.line((f"{part.value:9.2f}  {clean(part.reason)}", "italic"), indent=indent)
        words = [f"{clean(one.reason)} {one.value:.2f}" for one in part.parts if one.value]
        if words:
            page.line((f"{'':9}  BM25 of each: {', '.join(words)}", "dim"), indent=indent)


def write_about(page: Page, paper: Paper, marker: Marker, indent: int) -> None:
    """Write two lines of what a paper is about: its abstract where the words are, else a summary."""
    from octavo.cli.layout import snippet

    width = (page.width - indent) * _SNIPPET_LINES - 8  # lines break at words, before they are full
    if paper.abstract:
        page.line(*snippet(paper.abstract, marker, width), indent=indent, most=_SNIPPET_LINES)
    elif paper.summary:
        text = snippet(paper.summary, marker, width - len(SUMMARY))
        page.line((SUMMARY, "italic"), *text, indent=indent, most=_SNIPPET_LINES)
    elif paper.tldr:
        page.line(*snippet(paper.tldr, marker, width), indent=indent, most=_SNIPPET_LINES)
