"""`octavo complete`, and completion in the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from octavo.cli.command import QueryCommand, Settings, command
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, clean, plural, write_json
from octavo.errors import OctavoError

if TYPE_CHECKING:
    from octavo.views_completion import CompletionView, ItemView

_SHOWN_KIND = 10
"""Columns of the kind of a completion."""
_IN_SHELL = 20
"""Completions that a shell is given."""


@command(
    "complete",
    cls=QueryCommand,
    short_help="Complete a title, a name, a venue, a field that is being typed.",
    examples=(
        ("octavo complete attention is al", "papers, authors, venues, topics and terms that begin so"),
        ("octavo complete au:yoshua be", "the value of a field"),
        ("octavo complete --json venue:ic", "as JSON, for an editor or a launcher"),
    ),
)
@click.argument("text", nargs=-1, required=True)
@click.option("-n", "--limit", type=int, default=10, show_default=True, help="Completions to show, 1 to 50.")
def complete(settings: Settings, text: tuple[str, ...], limit: int) -> int:
    """Complete TEXT, a query that is not finished yet.

    The last word may be a beginning. A title is found by words anywhere in it, a name by its parts in any order;
    accents and case do not matter, and a typing error in a word of five letters or more is forgiven. After
    author:, venue:, topic:, cat:, status:, has: and the like the value is completed.

    Into a pipe or a file goes one line a completion, parted by tabs: kind, text, the query that it makes, the
    papers that this finds (where they were counted), and a paper's id. Exits with 1 where nothing begins so.
    """
    from octavo.cli.progress import ProgressBar

    with settings.open() as octavo, ProgressBar("") as progress:
        octavo.bring_up_to_date(progress)
        octavo.make_completions(progress)
        view = octavo.complete(" ".join(text), limit)
    page = Page()
    if settings.as_json:
        write_json(view.to_dict())
    elif page.is_terminal:
        write_completions(page, view)
    else:
        for one in view.items:
            click.echo("\t".join(_row(one)))
    return DONE if view.items else NOTHING_FOUND


def write_completions(page: Page, view: CompletionView) -> None:
    """Write completions for a reader on a terminal."""
    if view.read_as:
        page.line((f"Read as {clean(view.read_as)}.", "dim"))
    if not view.items:
        page.line(f"Nothing begins with {clean(view.text)}.")
    for one in view.items:
        count = plural(one.count, "paper") if one.count is not None else ""
        beside = " · ".join(filter(None, (clean(one.detail), count)))
        page.line(
            clean(one.text),
            *((f"  {beside}", "dim"),) * bool(beside),
            label=(f"{one.kind:<{_SHOWN_KIND}}", "dim"),
            indent=_SHOWN_KIND,
        )


def _row(one: ItemView) -> tuple[str, ...]:
    count = "" if one.count is None else str(one.count)
    return one.kind, clean(one.text), clean(one.query), count, one.paper or ""


def complete_query(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """For a shell: the values of the field that is being typed (`venue:ic`), and the fields."""
    found = (one for one in _items(ctx, incomplete) if one.kind in ("venue", "category", "value", "field", "topic"))
    return [_of(one.query, incomplete, one.detail) for one in found if " " not in one.query]


def complete_id(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """For a shell: the papers whose identifiers begin so, and whose titles do; each as its identifier."""
    return [
        _of(one.query if one.query.startswith(incomplete) else one.paper, incomplete, one.text)
        for one in _items(ctx, incomplete)
        if one.kind == "paper" and one.paper
    ]


def _of(value: str, incomplete: str, help_text: str) -> CompletionItem:
    is_same = value.lower().startswith(incomplete.lower())
    return CompletionItem(incomplete + value[len(incomplete) :] if is_same else value, help=clean(help_text))


def _items(ctx: click.Context, incomplete: str) -> tuple[ItemView, ...]:
    """What completes a word in the shell; nothing where it can't be told, since a shell has no room for errors."""
    from octavo.app import Octavo

    try:
        settings = ctx.find_object(Settings)
        with Octavo(settings.home if settings else None) as octavo:
            return octavo.complete(incomplete, _IN_SHELL).items
    except OctavoError:
        return ()
