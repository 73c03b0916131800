"""`octavo sources` and `octavo log`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from octavo.cli.command import Settings, command
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, clean, plural, write_json
from octavo.cli.sync_command import counts_of, day_lines, local_minute, style_of

if TYPE_CHECKING:
    from octavo.views_sync import RunView, SourceView, WantView

_LABEL = 12
_MOST_RUNS = 1000


@command(
    "sources",
    short_help="List the sources, and how each stands.",
    examples=(
        ("octavo sources", "all sources: what they cover, what is wanted of them, how that stands"),
        ("octavo sources arxiv", "one, with its terms and what can be asked of it"),
        ("octavo sources --json | jq '.sources[] | select(.wants != [])'", "those that are kept up with"),
    ),
)
@click.argument("name", required=False)
def sources(settings: Settings, name: str | None) -> int:
    """List every source: what it covers, its terms, how many of its records are here; and of what the configuration
    wants of it, how that stands, when it was asked last and when it is due.

    A source without "asks" reads files only: see `octavo add`.
    """
    with settings.open() as octavo:
        found = octavo.source_states()
        if name is not None:
            octavo.source(name)  # says which there are where there is none of that name
            found = tuple(view for view in found if view.name == name)
    if settings.as_json:
        write_json({"sources": [view.to_dict() for view in found]})
        return DONE
    page = Page()
    for number, view in enumerate(found):
        if number:
            page.blank()
        _write_source(page, view, is_whole=name is not None)
    return DONE


def _write_source(page: Page, view: SourceView, *, is_whole: bool) -> None:
    held = f" · {plural(view.records, 'record')} here" if view.records else ""
    page.line((clean(view.name), "bold"), f" · {clean(view.covers)}", (held, "green"))
    rows = [("asks", view.asks), ("reads", view.reads), ("terms", view.terms)]
    if is_whole:
        pace = view.seconds_between_requests
        rows += [("pace", f"one request in {pace:g} s" if pace else ""), ("example", view.example)]
    for label, value in rows:
        if value:
            page.line(clean(value), label=(f"  {label}", "dim"), indent=_LABEL)
    for want in view.wants:
        page.line(*_want(want), label=("  wanted", "dim"), indent=_LABEL)


def _want(want: WantView) -> list[tuple[str, str]]:
    state = want.state.replace("_", " ") or "never asked for"
    last = f" · last {local_minute(want.last_at)}" if want.last_at else ""
    due = f" · due {local_minute(want.next_at)}" if want.next_at else " · asked for by hand only"
    return [
        (f"{clean(want.want)}  ", ""),
        (state, style_of(want.state) if want.state else "dim"),
        (f"{last}{due}", "dim"),
    ]


@command(
    "log",
    short_help="Show what was added and fetched, and what came of it.",
    examples=(
        ("octavo log", "the newest runs"),
        ("octavo log 42", "one run, with each entry that it skipped"),
        ("octavo log --limit 100 --json", "more of them, for a program"),
    ),
)
@click.argument("run", required=False, type=click.IntRange(min=1))
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, _MOST_RUNS), help="Runs to show.")
def log(settings: Settings, run: int | None, limit: int) -> int:
    """Show the runs of `octavo add`, `octavo sync` and `octavo fetch`, newest first; or one of them whole."""
    with settings.open() as octavo:
        found = octavo.log(limit, run)
    if settings.as_json:
        write_json({"runs": [view.to_dict() for view in found]})
        return DONE
    page = Page()
    if not found:
        page.line("Nothing was added or fetched yet: `octavo add` files, or `octavo sync`.")
        return NOTHING_FOUND
    for view in found:
        _write_run(page, view, is_whole=run is not None)
    return DONE


def _write_run(page: Page, view: RunView, *, is_whole: bool) -> None:
    page.line(
        (f"{view.run:>5}  {local_minute(view.started_at)}  ", "dim"),
        f"{clean(view.source)} {clean(view.target)}: ",
        (view.state.replace("_", " "), style_of(view.state)),
        f" · {counts_of(view.counts)}",
        indent=2,
    )
    if not is_whole and view.state in ("complete", "empty"):
        return
    for line in day_lines(
        view.days if is_whole else [day for day in view.days if day.state not in ("complete", "empty")]
    ):
        page.line(*line, indent=9)
    for note in view.notes:
        page.line(clean(note), indent=9)
    for place, reason, entry in view.faults:
        page.line(
            (f"skipped: {clean(place)}: {clean(reason)}{f' ({clean(entry)[:80]})' if entry else ''}", "dim"), indent=9
        )
