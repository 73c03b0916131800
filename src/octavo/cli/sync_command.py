"""`octavo sync` and `octavo fetch`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from octavo.cli.command import QueryCommand, Settings, command
from octavo.cli.outcome import DONE, FAILURE
from octavo.cli.output import Page, clean, plural, write_json
from octavo.cli.search_command import joined
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.cli.progress import ProgressBar
    from octavo.views_sync import DayView, SyncView, WantView

FEW_FAULTS = 3
_MOST_DAYS = 5
"""Days in a row without fault that are told one by one; of more, only the first and the last are named."""
_KINDS = {"new": "new", "cross": "cross-listed", "replace": "replaced", "replace-cross": "replaced cross-lists"}
_COUNTS = ("added", "updated", "unchanged", "deleted", "skipped")
_GO_ON = "What was fetched is in the catalogue; the same command goes on from there."


@command(
    "sync",
    short_help="Bring the catalogue up to date over the network.",
    examples=(
        ("octavo sync", "all that the configuration names and that is due"),
        ("octavo sync --all arxiv", "arXiv, due or not"),
        ("octavo sync --quiet || echo look at octavo log", "for a timer: tells only what is not complete"),
    ),
)
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option("--all", "everything", is_flag=True, help="Also what is not due yet.")
@click.option("--wait", is_flag=True, help="Where another sync is at work, wait for it to end.")
@click.option("--quiet", "-q", is_flag=True, help="Tell only what is not complete.")
def sync(settings: Settings, sources: tuple[str, ...], everything: bool, wait: bool, quiet: bool) -> int:
    """Bring what the configuration names (`octavo config`) up to date, one source after the other.

    Each thing wanted ends as `complete`, or as `empty` (there is nothing, as on a day without announcement),
    `stale` (a feed still has an older day), `short` (it gave less than it has), `rate_limited` or `failed`. What
    has been fetched is kept in any case, and the next sync goes on from there. The exit code is 0 when all is
    complete or empty, else 3.

    With --json, one line for each thing wanted.
    """
    with settings.open() as octavo:
        views = _follow(
            settings, lambda progress: octavo.sync(sources, everything=everything, wait=wait, progress=progress), quiet
        )
        if not views and not settings.as_json and not quiet:
            _say_nothing_due(Page(), [want for source in octavo.source_states() for want in source.wants])
    return _ended(settings, views, quiet)


@command(
    "fetch",
    short_help="Fetch something from a source once.",
    examples=(
        ("octavo fetch arxiv 1706.03762", "papers of arXiv, by their ids"),
        ("octavo fetch pmlr v267", "a volume"),
        ("octavo fetch openreview ICLR.cc/2026/Conference", "what was submitted to a conference"),
        ('octavo fetch arxiv "query:cat:cs.LG AND ti:tiling"', "what a query at arXiv finds"),
    ),
)
@click.argument("source")
@click.argument("wants", nargs=-1, required=True, metavar="WHAT...")
@click.option("--wait", is_flag=True, help="Where a sync is at work, wait for it to end.")
def fetch(settings: Settings, source: str, wants: tuple[str, ...], wait: bool) -> int:
    """Ask SOURCE for something, once. `octavo sources` lists the sources and what can be asked of each.

    What is wanted again and again belongs into the configuration, for `octavo sync`. A fetch that was broken off is
    gone on with by the same command.

    With --json, one line for each thing wanted.
    """
    with settings.open() as octavo:
        views = _follow(
            settings, lambda progress: octavo.fetch(source, wants, wait=wait, progress=progress), quiet=False
        )
    return _ended(settings, views, quiet=False)


@command(
    "enrich",
    cls=QueryCommand,
    short_help="Look up what papers lack: abstracts, DOIs, citations.",
    examples=(
        ("octavo enrich venue:icml year:2025", "what a search finds, all of it"),
        ("octavo enrich --id arXiv:1706.03762 --from semanticscholar", "one paper, at Semantic Scholar"),
        ("octavo enrich --all --from crossref --from openalex", "every paper, at both; broken off, it goes on"),
    ),
)
@click.argument("query", nargs=-1)
@click.option(
    "--from",
    "sources",
    multiple=True,
    metavar="SOURCE",
    help="Where: crossref, openalex or semanticscholar; may be repeated. Default: as configured, else openalex.",
)
@click.option("--id", "names", multiple=True, metavar="ID", help="A paper, by any identifier; may be repeated.")
@click.option("--all", "everything", is_flag=True, help="Every paper of the catalogue.")
@click.option("--wait", is_flag=True, help="Where a sync is at work, wait for it to end.")
def enrich(
    settings: Settings,
    query: tuple[str, ...],
    sources: tuple[str, ...],
    names: tuple[str, ...],
    everything: bool,
    wait: bool,
) -> int:
    """Look papers up with a service that knows many: those that QUERY finds, those named with --id, or --all.

    What comes is added as that service's word, beside what the sources say: a DOI, where it appeared, an abstract
    where there is none, how often it is cited, and what it cites. A paper that lacks none of it, or that was looked
    up in the last 90 days, is passed over.

    With --json, one line for each service.
    """
    if sum(map(bool, (query, names, everything))) > 1:
        raise UsageError("A query, ids and --all can't be looked up together.", hint="Give one of them.")
    with settings.open() as octavo:
        views = _follow(
            settings,
            lambda progress: octavo.enrich(
                sources, query=joined(query) or None, names=names, everything=everything, wait=wait, progress=progress
            ),
            quiet=False,
        )
    return _ended(settings, views, quiet=False)


def _follow(settings: Settings, begin: Callable[[ProgressBar], Iterator[SyncView]], quiet: bool) -> list[SyncView]:
    """Tell each view as it comes; returns all of them."""
    from octavo.cli.progress import ProgressBar

    found: list[SyncView] = []
    try:
        with ProgressBar("") as progress:
            for view in begin(progress):
                found.append(view)
                progress.hide()
                if settings.as_json:
                    write_json(view.to_dict())
                elif not (quiet and view.is_good):
                    write_sync(Page(), view, is_quiet=quiet)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_GO_ON) from None
    return found


def _ended(settings: Settings, views: Sequence[SyncView], quiet: bool) -> int:
    bad = [view for view in views if not view.is_good]
    if len(views) > 1 and not settings.as_json and not (quiet and not bad):
        named = ", ".join(
            f"{clean(view.source)} {clean(view.want)} ({_state(view.state)})" for view in bad[:_MOST_DAYS]
        )
        more = f" and {len(bad) - _MOST_DAYS:,} more" if len(bad) > _MOST_DAYS else ""
        told = f"; not: {named}{more}" if bad else ""
        Page().line((f"{len(views) - len(bad):,} of {len(views):,} complete{told}.", "bold"))
    return FAILURE if bad else DONE


def _say_nothing_due(page: Page, wants: Sequence[WantView]) -> None:
    following = min((want.next_at for want in wants if want.next_at), default="")
    when = f" The next is at {local_minute(following)}." if following else ""
    page.line(f"Nothing is due.{when} `octavo sync --all` asks anyway.")


def write_sync(page: Page, view: SyncView, *, is_quiet: bool = False) -> None:
    """Write what came of one thing wanted: a line of counts, its days (only those that are not good, where quiet), and
    whatever was out of the usual."""
    is_whole = not page.is_terminal  # a line each, for a log
    page.line(
        (f"{clean(view.source)} {clean(view.want)}: ", "bold"),
        (_state(view.state), style_of(view.state)),
        f" · {counts_of(view.counts)} in {_seconds(view.seconds)}",
        is_whole=is_whole,
    )
    for line in day_lines([day for day in view.days if not (is_quiet and day.state in ("complete", "empty"))]):
        page.line(*line, indent=2, is_whole=is_whole)
    for note in view.notes:
        page.line(clean(note), indent=2, is_whole=is_whole)
    if view.problem:
        page.line((clean(f"{view.problem} {view.hint}".strip()), style_of(view.state)), indent=2, is_whole=is_whole)
    for place, reason, entry in view.faults[:FEW_FAULTS]:
        what = f" ({clean(entry)[:80]})" if entry else ""
        page.line((f"skipped: {clean(place)}: {clean(reason)}{what}", "dim"), indent=2, is_whole=is_whole)
    if (rest := view.counts.get("skipped", 0) - min(FEW_FAULTS, len(view.faults))) > 0:
        page.line((f"and {rest:,} more skipped; `octavo log` numbers the run, and names them", "dim"), indent=2)


def day_lines(days: Sequence[DayView]) -> Iterator[list[tuple[str, str]]]:
    """A line for each day, as spans; one for many days in a row without fault."""
    for _, group in groupby(days, lambda day: day.state in ("complete", "empty")):
        run = list(group)
        if len(run) > _MOST_DAYS and run[0].state in ("complete", "empty"):
            total: dict[str, int] = {}
            for day in run:
                for kind, count in day.counts.items():
                    total[kind] = total.get(kind, 0) + count
            without = sum(day.state == "empty" for day in run)
            parts = [f"{len(run) - without:,} days complete"] if len(run) > without else []
            parts += [f"{without:,} without announcement"] if without else []
            yield [
                (f"{run[0].day} to {run[-1].day}  ", "dim"),
                (", ".join(parts), style_of("complete")),
                (f"  {kinds_of(total)}", ""),
            ]
            continue
        for day in run:
            told = [kinds_of(day.counts), *day.notes]
            yield [
                (f"{day.day}  ", "dim"),
                (_state(day.state), style_of(day.state)),
                (f"  {'. '.join(clean(text) for text in told if text)}", ""),
            ]


def kinds_of(counts: Mapping[str, int]) -> str:
    """`230 new, 120 cross-listed`."""
    return ", ".join(f"{count:,} {_KINDS.get(kind, kind)}" for kind, count in counts.items() if count)


def counts_of(counts: Mapping[str, int]) -> str:
    """What became of the entries."""
    parts = [f"{counts[name]:,} {name}" for name in _COUNTS if counts.get(name)]
    new = [f"{plural(counts['new_papers'], 'new paper')}"] if counts.get("new_papers") else []
    return ", ".join([*new, *parts]) or "nothing new"


def style_of(state: str) -> str:
    """How a state is shown."""
    if state in ("complete", "empty"):
        return "green"
    return "yellow" if state in ("stale", "short", "stopped", "running") else "bold red"


def _state(state: str) -> str:
    return state.replace("_", " ")


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:,.0f} s"


def local_minute(moment: str) -> str:
    """A stored moment in the reader's own zone, to the minute."""
    from datetime import datetime

    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M}" if moment else ""
