"""`octavo similar`."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import click

from octavo.cli.command import Settings, command
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, clean, plural, write_json
from octavo.cli.search_command import write_about
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.cli.layout import Marker
    from octavo.views_similar import RelatedView, SimilarView

_MOST_NAMED = 3
_LONGEST = 60


@command(
    "similar",
    short_help="Find papers related to a paper, to several, or to a text.",
    examples=(
        ("octavo similar arXiv:1706.03762", "the papers nearest to one"),
        ("octavo similar arXiv:1706.03762 arXiv:1810.04805 --why", "to two taken together, and what relates each"),
        ("octavo similar arXiv:1706.03762 --sort newest -n 5", "the newest of its hundred nearest"),
        ("octavo similar --text - < my-abstract.txt", "to a text of your own"),
    ),
)
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option("--text", metavar="TEXT", help="Compare with a text, too; `-` reads it from standard input.")
@click.option("-n", "--limit", type=int, default=20, show_default=True, help="Papers to show, 1 to 100.")
@click.option("--offset", type=int, default=0, show_default=True, help="Papers to pass over before these.")
@click.option(
    "--sort",
    type=click.Choice(["relation", "newest"]),
    default="relation",
    show_default=True,
    help="The nearest first, or the newest of the nearest.",
)
@click.option("--why", is_flag=True, help="Say under each paper what relates it, and how much each tie counts.")
def similar(
    settings: Settings, names: tuple[str, ...], text: str | None, limit: int, offset: int, sort: str, why: bool
) -> int:
    """Find papers related to those named by ID, to a text, or to all of them together.

    Papers are compared by meaning, by their telling words, by authors and, where these are known, by
    references. ID is what `octavo search` shows, or any identifier or address of a paper. Other versions of what
    is given are left out, and of two versions of one paper the nearer one is shown.

    Into a pipe goes one line a paper: rank, id, year, venue and title, parted by tabs. Exits with 1 where
    nothing is related.
    """
    from octavo.cli.progress import ProgressBar

    pasted = _text(text)
    with settings.open() as octavo, ProgressBar("") as progress:
        found = octavo.similar(names, pasted, limit, offset, sort=sort, progress=progress)
    if settings.as_json:
        write_json(found.to_dict())
    else:
        write_similar(Page(), found, with_why=why, more=_more(settings.program, names, text, sort, found, limit))
    return DONE if found.hits else NOTHING_FOUND


def _text(text: str | None) -> str:
    """The text that was given or is sent."""
    if text != "-":
        if text is not None and not text.strip():
            raise UsageError("The text is empty.", hint="Give it after --text, or `-` to read it from standard input.")
        return text or ""
    if sys.stdin is None:
        raise UsageError("There is no text: standard input is closed.")
    pasted = sys.stdin.buffer.read().decode("utf-8", "replace")
    if not pasted.strip():
        raise UsageError("There is no text on standard input.", hint="`octavo similar --text - < abstract.txt`")
    return pasted


def write_similar(page: Page, found: SimilarView, *, with_why: bool = False, more: str = "") -> None:
    """Write the answer for a reader on a terminal, as tab-separated lines elsewhere."""
    if not page.is_terminal:
        for note in found.notes:
            click.echo(clean(note), err=True)
        _write_rows(found)
        return
    from octavo.cli.layout import Marker

    if of := _of(found):
        page.line((of, "dim"))
    for note in found.notes:
        page.line((clean(note), "dim"))
    if of or found.notes:
        page.blank()
    if not found.hits:
        page.line(_nothing(found))
        return
    marker = Marker.of(found.words)
    for hit in found.hits:
        write_related(page, hit, marker, with_why=with_why)
        page.blank()
    page.line((_how_many(found), "dim"))
    if more:
        page.line((more, "dim"))


def _write_rows(found: SimilarView) -> None:
    if not found.hits:
        click.echo(_nothing(found), err=True)
    for hit in found.hits:
        paper = hit.paper
        row = (str(hit.rank), paper.id, str(paper.year or ""), clean(paper.place), clean(paper.title))
        click.echo("\t".join(row))


def _of(found: SimilarView) -> str:
    """What they are related to."""
    titles = [clean(paper.title) for paper in found.papers]
    shown = [title if len(title) <= _LONGEST else f"{title[: _LONGEST - 1]}…" for title in titles[:_MOST_NAMED]]
    if len(titles) > _MOST_NAMED:
        shown.append(f"{len(titles) - _MOST_NAMED} more")
    if found.text and titles:
        shown.append("the text")
    return f"Related to {'; '.join(shown)}" if shown else ""


def _nothing(found: SimilarView) -> str:
    if found.total:
        return f"There are {plural(found.total, 'related paper')}, and none so far down."
    return "No paper is related to it." if len(found.papers) < 2 else "No paper is related to them."


def _how_many(found: SimilarView) -> str:
    """`1–20 of 100 related papers`, and what was left out."""
    first, last = found.hits[0].rank, found.hits[-1].rank
    shown = f"{first}–{last} of {found.total}" if (first, last) != (1, found.total) else f"{found.total}"
    said = f"{shown} related paper{'s' * (found.total != 1)}"
    if found.collapsed:
        said += f"; {plural(found.collapsed, 'other version')} of them left out"
    if found.left_out:
        said += f"; {plural(found.left_out, 'other version')} of what was given left out"
    return said


def _more(program: str, names: tuple[str, ...], text: str | None, sort: str, found: SimilarView, limit: int) -> str:
    """The command for the next papers; none where a text was sent, which is gone."""
    if not found.hits or found.hits[-1].rank >= found.total or text is not None:
        return ""
    named = " ".join(shlex.quote(clean(name)) for name in names)
    order = f" --sort {sort}" if sort != "relation" else ""
    return f"More: {program} similar {named}{order} -n {limit} --offset {found.hits[-1].rank}"


def write_related(page: Page, hit: RelatedView, marker: Marker, *, with_why: bool = False) -> None:
    """Write one related paper: rank and title, where and ids, authors, what it is about, and what relates it."""
    from octavo.cli.layout import fold_authors, where_and_ids

    paper, rank = hit.paper, f"{hit.rank:>2}  "
    indent = len(rank)
    page.line((clean(paper.title), "bold"), label=(rank, "dim"), indent=indent)
    width = page.width - indent
    page.line(*where_and_ids(paper, width), indent=indent)
    if paper.authors:
        page.line(fold_authors(paper.authors, width, is_incomplete=paper.authors_incomplete), indent=indent)
    if not with_why:
        write_about(page, paper, marker, indent)
        return
    for part in hit.why.parts:
        page.line((f"{part.value:+.2f}  ", "dim"), (clean(part.reason), "italic"), indent=indent)
    if hit.also:
        page.line((f"also {', '.join(hit.also)}", "dim"), indent=indent)
