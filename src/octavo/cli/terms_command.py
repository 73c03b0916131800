"""`octavo terms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from octavo.cli.command import Settings, command
from octavo.cli.layout import clip, width_of
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, Span, clean, plural, write_json
from octavo.cli.trends_command import percent, spark, yearly

if TYPE_CHECKING:
    from octavo.records.paper import Paper
    from octavo.views_trends import GlossaryView, TermPageView

_NAME_COLUMNS = 36


@command(
    "terms",
    short_help="Look up a word of the field, and what is written about it.",
    examples=(
        ("octavo terms", "the glossary, with how many papers speak of each term"),
        ("octavo terms distillation", "what a term means, its papers, years and company"),
        ("octavo terms 强化学习", "by its Chinese name, an abbreviation or any other"),
        ("octavo terms --like attention", "all terms with that in a name"),
        ("octavo terms --part theory --json", "a part of the glossary as JSON"),
    ),
)
@click.argument("term", required=False, default="")
@click.option("--like", metavar="TEXT", default="", help="List the terms that have this in a name.")
@click.option("--part", metavar="NAME", default="", help="List one part of the glossary, such as `theory`.")
def terms(settings: Settings, term: str, like: str, part: str) -> int:
    """Look up TERM in the glossary: what it means in English and Chinese, what it is called, how often it is spoken of,
    and which terms stand beside it. Without TERM, list the glossary.

    Find papers with `octavo search term:NAME`, however they write it. Into a pipe the list goes as slug, papers,
    English and Chinese name, parted by tabs.
    """
    from octavo.cli.progress import ProgressBar

    with settings.open() as octavo, ProgressBar("") as progress:
        octavo.bring_up_to_date(progress)
        found = octavo.term_page(term) if term else None
        listed = None if found else octavo.glossary(like, part)
    if settings.as_json:
        write_json((found or listed).to_dict())  # type: ignore[union-attr]
    elif found:
        write_term(Page(), found)
    elif listed:
        write_glossary(Page(), listed)
    return DONE if found or (listed and listed.terms) else NOTHING_FOUND


def write_glossary(page: Page, found: GlossaryView) -> None:
    """Write a list of terms."""
    if not page.is_terminal:
        for one, n in found.terms:
            click.echo("\t".join((one.slug, str(n), one.english, one.chinese)))
        return
    for note in found.notes:
        page.line((clean(note), "yellow"))
    for one, n in found.terms:
        name = clip(one.english, _NAME_COLUMNS)
        page.line(name + " " * (_NAME_COLUMNS - width_of(name)), (f" {n:>7,}  {one.chinese}", "dim"))
    page.line((f"{plural(len(found.terms), 'term')} of {found.total}.", "dim"))


def write_term(page: Page, found: TermPageView) -> None:
    """Write all that is told of a term."""
    term = found.term
    page.line((term.english, "bold"), (f"  {term.chinese}", "bold"), (f"  {found.field}", "dim"))
    page.line(term.meaning)
    page.line((term.meaning_chinese, "dim"))
    if others := [name for name in term.names if name not in (term.english, term.chinese)]:
        page.line(("also ", "dim"), ", ".join(others))
    if found.see:
        page.line(("see ", "dim"), ", ".join(one.english for one in found.see))
    for name, paper in found.first:
        page.line(("first ", "dim"), f"{name}  {clean(paper.title) if paper else ''}")
    page.blank()
    if not found.n:
        page.line(("No paper of the catalogue speaks of it.", "dim"))
        return
    shares = [one for one in found.trend.shares if one.share is not None]
    spans: list[Span | str] = [f"{plural(found.n, 'paper')}  ", (spark(found.trend.shares), "bold")]
    if shares:
        spans.append((f"  {shares[0].of} to {shares[-1].of}, last {percent(shares[-1].share)}", "dim"))
    page.line(*spans)
    if change := found.trend.change:
        said = {"rising": "rising", "falling": "falling"}.get(found.trend.direction, "no change beyond noise")
        page.line((f"{said}: {yearly(change)}, over the last ten years", "dim"))
    if found.together:
        page.blank()
        page.line(("Beside it, more often than by chance", "bold"))
        for one in found.together[:10]:
            name = clip(one.term.english, _NAME_COLUMNS)
            page.line(
                name + " " * (_NAME_COLUMNS - width_of(name)),
                (f" {one.n:>6,}  {one.bond.lift:,.1f} times", "dim"),
                indent=2,
            )
    for title, papers in (("Most cited", found.cited[:5]), ("Newest", found.newest[:5])):
        _write_papers(page, title, papers)
    page.blank()
    page.line((f"octavo search term:{term.slug}", "dim"), is_whole=True)


def _write_papers(page: Page, title: str, papers: tuple[Paper, ...]) -> None:
    if not papers:
        return
    page.blank()
    page.line((title, "bold"))
    for paper in papers:
        page.line(
            clean(paper.title), (f"  {clean(paper.place or str(paper.year or ''))} · {paper.id}", "dim"), indent=2
        )
