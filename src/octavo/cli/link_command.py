"""`octavo why`, `doubts`, `join`, `split` and `undo`: how papers are put together, and the reader's word on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from octavo.cli.command import Settings, command
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, clean, plural, write_json

if TYPE_CHECKING:
    from octavo.views import AppearanceView, DoubtView, JudgedView, WhyView

_MOST_TOLD = 20
"""Papers that are named after an act; the others are counted."""


@command(
    "why",
    short_help="Say how a paper was put together.",
    examples=(
        ("octavo why arXiv:1706.03762", "its records, and what ties them"),
        ("octavo why v267/wu25i --json", "the same as JSON"),
    ),
)
@click.argument("paper")
def why(settings: Settings, paper: str) -> int:
    """Say of PAPER, named by any id, which records it is made of, and why they are taken for one work: a common
    identifier, your own word, or what their titles, authors, years, venues and abstracts have in common."""
    with settings.open() as octavo:
        view = octavo.why(paper)
    if settings.as_json:
        write_json(view.to_dict())
    else:
        _write_why(Page(), view)
    return DONE


def _write_why(page: Page, view: WhyView) -> None:
    page.line((clean(view.paper.title), "bold"))
    page.line((f"{view.paper.id} · {plural(len(view.appearances), 'record')}", "dim"))
    page.blank()
    for one in view.appearances:
        _write_appearance(page, one)
    if view.bonds:
        page.blank()
        page.line(("What ties them", "bold"))
    for bond in view.bonds:
        page.line(f"{clean(bond.one)} = {clean(bond.other)}: ", (clean(bond.reason), "green"), indent=2)
        if bond.parts:
            page.line((clean("; ".join(bond.parts)), "dim"), indent=4)
    _write_doubts(page, view.doubts)


def _write_appearance(page: Page, one: AppearanceView) -> None:
    told = [one.venue, one.on, " ".join(filter(None, (one.status, one.award))), one.link]
    page.line((clean(one.record), "bold"), f"  {clean(' · '.join(filter(None, told)))}", indent=2)
    page.line((clean(one.title), "dim"), indent=4)


def _write_doubts(page: Page, doubts: tuple[DoubtView, ...]) -> None:
    if not doubts:
        return
    page.blank()
    page.line(("In doubt", "bold"))
    for one in doubts:
        page.line(f"{clean(one.one)} ? {clean(one.other)}: {clean(one.reason)}", indent=2)


@command(
    "doubts",
    short_help="List records that may or may not be one work.",
    examples=(
        ("octavo doubts", "the nearest to certain first"),
        ("octavo doubts --limit 200 --json", "more of them, for a program"),
    ),
)
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 10_000), help="Pairs to show.")
def doubts(settings: Settings, limit: int) -> int:
    """List pairs of records on which the evidence does not agree, for you to settle with `octavo join` or
    `octavo split`. Left alone, they stay as they are: apart, unless an identifier joins them."""
    with settings.open() as octavo:
        total, found = octavo.doubts(limit)
    if settings.as_json:
        from dataclasses import asdict

        write_json({"total": total, "doubts": [asdict(one) for one in found]})
        return DONE
    page = Page()
    if not found:
        page.line("Nothing is in doubt.")
        return DONE
    for one in found:
        page.line((clean(one.reason), "yellow"))
        for record, title, paper in ((one.one, one.title, one.paper), (one.other, one.other_title, one.other_paper)):
            page.line((f"{clean(paper)}  ", "dim"), f"{clean(title)}  ", (clean(record), "dim"), indent=2)
    if total > len(found):
        page.line((f"{len(found):,} of {total:,}; --limit shows more.", "dim"))
    return DONE


@command(
    "join",
    short_help="Let papers be one.",
    examples=(("octavo join arXiv:2101.00010 v267/wu25i", "they are the same work, whatever it looks like"),),
)
@click.argument("papers", nargs=-1, required=True, metavar="PAPER PAPER...")
def join(settings: Settings, papers: tuple[str, ...]) -> int:
    """Let PAPERs, named by any of their ids, be one, for good: syncs and rebuilds keep to it. Their former ids lead on.

    `octavo undo` takes it back.
    """
    if len(papers) < 2:
        raise click.UsageError("Name two papers or more.", click.get_current_context())
    with settings.open() as octavo:
        return _tell(settings, octavo.join(papers))


@command(
    "split",
    short_help="Take records out of a paper.",
    examples=(
        ("octavo split p3hx7m2k4q9a --out dblp:conf/x/Bee31", "that record is of another work"),
        ("octavo why p3hx7m2k4q9a", "shows the records by the names that --out wants"),
    ),
)
@click.argument("paper")
@click.option("--out", required=True, multiple=True, metavar="RECORD", help="A record, as `octavo why` names it.")
def split(settings: Settings, paper: str, out: tuple[str, ...]) -> int:
    """Take records out of PAPER: they are a paper of their own from now on, for good.

    `octavo undo` takes it back.
    """
    with settings.open() as octavo:
        return _tell(settings, octavo.split(paper, out))


@command(
    "undo",
    short_help="Take back the last thing that you said.",
    examples=(("octavo undo", "the last one; again, the one before"),),
)
def undo(settings: Settings) -> int:
    """Take back the last thing that you said, and say what it was: a join or split, or what you saved, read, tagged,
    noted or imported. Given again, the one before."""
    with settings.open() as octavo:
        return _tell(settings, octavo.undo())


def _tell(settings: Settings, view: JudgedView) -> int:
    if settings.as_json:
        write_json(view.to_dict())
        return DONE
    page = Page()
    page.line((f"{clean(view.act)}: ", "bold"), _what(view))
    for paper in view.papers[:_MOST_TOLD]:
        page.line((f"{paper.id}  ", "dim"), clean(paper.title), indent=2)
    if len(view.papers) > _MOST_TOLD:
        page.line((f"… and {len(view.papers) - _MOST_TOLD:,} more", "dim"), indent=2)
    return DONE if view.papers or view.act.startswith("undo") else NOTHING_FOUND


def _what(view: JudgedView) -> str:
    """Of how many papers something else is said now, or which tags or searches it was about."""
    from octavo.views_library import UndoneView

    if not isinstance(view, UndoneView):
        return f"{plural(len(view.papers), 'paper')} now."
    values = f"“{clean(', '.join(view.values))}”" if view.values else ""
    n_papers = len(view.papers) + len(view.gone)
    return f"{', '.join(filter(None, (values, plural(n_papers, 'paper') if n_papers else '')))}."
