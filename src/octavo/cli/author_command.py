"""`octavo author`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from octavo.cli.command import Settings, command
from octavo.cli.outcome import DONE
from octavo.cli.output import Page, clean, plural, write_json

if TYPE_CHECKING:
    from octavo.records.paper import Paper
    from octavo.views_people import AuthorView, GroupView

MOST_SHOWN = 10
"""Papers of a group that are shown unless all are asked for."""
MOST_GROUPS = 20
"""Groups that are shown unless all are asked for."""
MOST_NAMES = 8
"""Variants of a name that are shown."""
UNTOLD = "-"
"""What stands in the place of a group's number, where a paper is in none."""
RARE_NAME = "The family name is rare, so these groups are likely one person's; nothing here says so."
REST = "Nothing says whether these are by one of them, by one other, or by several."
_INDENT = 4


@command(
    "author",
    short_help="Show the papers of a name, and whose they are.",
    examples=(
        ('octavo author "Yoshua Bengio"', "the papers of a name with its variants, by whom they are"),
        ('octavo author "Wei Wang" --all', "of a common name: whom evidence tells apart, and the rest"),
        ('octavo author "Y. Bengio" | cut -f1,3,5', "into a pipe: group (- for none), id, year, venue, title"),
        ('octavo author --json "Bengio, Y."', "as JSON, with the reasons"),
    ),
)
@click.argument("name", nargs=-1, required=True, metavar="NAME...")
@click.option("--all", "show_all", is_flag=True, help=f"Show all papers, not the first {MOST_SHOWN} of each group.")
def author(settings: Settings, name: tuple[str, ...], show_all: bool) -> int:
    """Show the papers of a name and its variants (initials, accents, order), in groups of one person each.

    Papers are one person's where an ORCID, a DBLP key or number, an OpenReview profile or an ACL Anthology id says so,
    or where co-authors are shared and the family name is uncommon. What nothing tells apart is listed last, and nothing
    is guessed: of a common name that is most. Two groups may still be one person's, unless they have different ids.

    Into a pipe or a file goes one line a paper: group, id, year, venue and title, parted by tabs. Exits with 1 where no
    paper has such an author.
    """
    from octavo.cli.progress import ProgressBar

    with settings.open() as octavo, ProgressBar("") as progress:
        view = octavo.author(" ".join(name), progress)
    page = Page()
    if settings.as_json:
        write_json(view.to_dict())
    elif page.is_terminal:
        write_author(page, view, show_all=show_all)
    else:
        _write_rows(view)
    return DONE


def write_author(page: Page, view: AuthorView, *, show_all: bool = False) -> None:
    """Write a name's papers by group for a reader on a terminal."""
    page.line((clean(view.name), "bold"))
    page.line((_summary(view), "dim"))
    page.line(("written ", "dim"), names_line(view.names))
    if len(view.groups) > 1 and view.is_rare:
        page.line((RARE_NAME, "dim"))
    shown = view.groups if show_all else view.groups[:MOST_GROUPS]
    for number, group in enumerate(shown, 1):
        page.blank()
        _write_group(page, number, group, show_all=show_all)
    if hidden := len(view.groups) - len(shown):
        page.blank()
        page.line((f"and {plural(hidden, 'more group')} (--all shows them)", "dim"))
    if view.rest:
        page.blank()
        page.line(("Not told apart", "bold"), f" · {plural(len(view.rest), 'paper')}")
        page.line((REST, "dim"), indent=_INDENT)
        _write_papers(page, view.rest, show_all=show_all)
    if view.unsure:
        page.blank()
        page.line(("Not counted, since the initial fits others too: ", "dim"), names_line(view.unsure))
    if view.left_out:
        page.blank()
        page.line((f"{plural(view.left_out, 'older paper')} of this name were too many to be read.", "dim"))


def _write_group(page: Page, number: int, group: GroupView, *, show_all: bool) -> None:
    page.line((f"{number}. ", "dim"), (clean(group.name), "bold"), f" · {plural(len(group.papers), 'paper')}")
    if len(group.names) > 1:
        page.line(("written ", "dim"), names_line(group.names), indent=_INDENT)
    for reason in group.why.parts:
        page.line((clean(reason.reason), "italic"), indent=_INDENT)
    _write_papers(page, group.papers, show_all=show_all)


def _write_papers(page: Page, papers: Sequence[Paper], *, show_all: bool) -> None:
    shown = papers if show_all else papers[:MOST_SHOWN]
    for paper in shown:
        place = " ".join(filter(None, (clean(paper.venue), _year(paper))))
        page.line(clean(paper.title), *((f"  {place}", "dim"),) * bool(place), indent=_INDENT)
    if rest := len(papers) - len(shown):
        page.line((f"and {plural(rest, 'more paper')} (--all shows them)", "dim"), indent=_INDENT)


def _year(paper: Paper) -> str:
    return "" if paper.year is None or str(paper.year) in paper.venue else str(paper.year)


def names_line(names: Mapping[str, int]) -> str:
    """Variants of a name with the number of papers of each."""
    shown = [f"{clean(name)} ({n:,})" for name, n in names.items()]
    rest = len(shown) - MOST_NAMES
    return ", ".join(shown[:MOST_NAMES]) + (f" and {rest:,} more" if rest > 0 else "")


def _summary(view: AuthorView) -> str:
    papers = plural(view.total, "paper")
    if not view.groups:
        return f"{papers} by people of this name; nothing tells them apart"
    if len(view.groups) == 1 and not view.rest:
        return f"{papers}, all of one person"
    groups = f"{plural(len(view.groups), 'group')} of one person each"
    rest = f", {plural(len(view.rest), 'paper')} not told apart" if view.rest else ""
    return f"{papers} by people of this name: {groups}{rest}"


def _write_rows(view: AuthorView) -> None:
    for number, group in enumerate(view.groups, 1):
        for paper in group.papers:
            click.echo("\t".join((str(number), *_row(paper))))
    for paper in view.rest:
        click.echo("\t".join((UNTOLD, *_row(paper))))


def _row(paper: Paper) -> tuple[str, ...]:
    return paper.id, str(paper.year or ""), clean(paper.venue), clean(paper.title)
