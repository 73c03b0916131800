"""`octavo stats` and `octavo rebuild`."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from octavo.cli.command import Settings, command
from octavo.cli.outcome import DONE
from octavo.cli.output import Page, clean, plural, write_json

if TYPE_CHECKING:
    from octavo.views import MeaningState, StatsView

_BAR = 24
_LEAST_BESIDE = 16
"""Columns that a value has at least beside its label; else it stands below."""
_RECENT_YEARS = 12


@command(
    "stats",
    short_help="Say what the catalogue holds.",
    examples=(
        ("octavo stats", "counts, sizes and the last runs"),
        ("octavo stats --json | jq .papers", "one number"),
    ),
)
@click.option("--all", "all_years", is_flag=True, help=f"Show all years, not the newest {_RECENT_YEARS}.")
def stats(settings: Settings, all_years: bool) -> int:
    """Say what the catalogue holds, how large it is, whether the index is up to date, and what was added
    last."""
    with settings.open() as octavo:
        view = octavo.stats()
    if settings.as_json:
        write_json(view.to_dict())
    else:
        write_stats(Page(), view, most_years=len(view.years) if all_years else _RECENT_YEARS)
    return DONE


def write_stats(page: Page, view: StatsView, *, most_years: int) -> None:
    """Write the tables of what a catalogue holds."""
    rows = [
        ("home", clean(view.home)),
        ("papers", f"{view.papers:,}"),
        ("with abstract", f"{view.with_abstract:,}"),
        ("with Octavo's summary", f"{view.with_summary:,}"),
        ("records of sources", f"{view.records:,}"),
        ("waiting for a title", f"{view.waiting:,}"),
        ("catalogue", _size(view.catalogue_bytes)),
        ("index", f"{_size(view.index_bytes)}, {view.index}"),
        ("search by meaning", _meaning(view.meaning)),
    ]
    label_width = max(len(label) for label, _ in rows) + 2
    for label, value in rows:
        if page.width >= label_width + _LEAST_BESIDE:
            page.line(value, label=(label, "dim"), indent=label_width)
        else:
            page.line((label, "dim"))
            page.line(value, indent=2)
    _write_table(page, "Sources", view.sources, "record")
    _write_table(page, "Venues, the largest", view.venues, "paper")
    _write_table(page, "Status", [(name or "not said", count) for name, count in view.statuses], "paper")
    years = view.years[:most_years]
    older = sum(count for _, count in view.years[most_years:])
    _write_table(page, "Years", [*years, *([("before", older)] if older else [])], "paper")
    if view.runs:
        page.blank()
        page.line(("Last runs", "bold"))
        for run in view.runs:
            page.line(*_run(run), indent=4)


def _write_table(page: Page, title: str, rows: Sequence[tuple[object, int]], noun: str) -> None:
    """Write (name, count) rows under a title, each with a bar of its share of the largest."""
    if not rows:
        return
    page.blank()
    page.line((title, "bold"), (f" ({noun}s)", "dim"))
    names = [clean(str(name)) for name, _ in rows]
    counts = [f"{count:,}" for _, count in rows]
    count_width = max(map(len, counts))
    name_width = min(max(map(len, names)), max(8, page.width - count_width - 4))
    bar_width = min(_BAR, page.width - name_width - count_width - 6)
    largest = max(count for _, count in rows)
    for name, count, (_, number) in zip(names, counts, rows, strict=True):
        bar = "█" * max(1, round(number / largest * bar_width)) if bar_width > 4 else ""
        *before, last = textwrap.wrap(name, name_width) or [""]
        for line in before:
            page.line(line, indent=2)
        page.line(f"{last:<{name_width}}  {count:>{count_width}}  ", (bar, "cyan"), indent=2, is_whole=True)


def _run(run: dict[str, Any]) -> list[tuple[str, str]]:
    """A run as spans: when, what, and what came of it."""
    started = str(run.get("started_at", ""))[:16].replace("T", " ")
    counts = ", ".join(
        f"{run[name]:,} {name}" for name in ("added", "updated", "unchanged", "skipped") if run.get(name)
    )
    state = str(run.get("state", ""))
    style = "" if state == "complete" else "bold red"
    return [
        (f"{started}  ", "dim"),
        (f"{clean(str(run.get('source', '')))} {clean(str(run.get('target', '')))}: ", ""),
        (state, style),
        (f", {counts}" if counts else "", ""),
    ]


def _meaning(view: MeaningState) -> str:
    """Which encoder made the vectors, of how many papers, and how far that is."""
    made = f"{clean(view.encoder)}, {plural(view.papers, 'paper')}, " if view.encoder else ""
    return f"{made}{clean(view.state)}"


def _size(count: int) -> str:
    """`1.2 MB`."""
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 10 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.2f} GB"


@command(
    "rebuild",
    short_help="Make the search index anew.",
    examples=(("octavo rebuild", "when `octavo stats` says that the index is behind, or after a fault"),),
)
@click.option("--meaning", is_flag=True, help="Make only the vectors of search by meaning that are missing.")
def rebuild(settings: Settings, meaning: bool) -> int:
    """Make the search index anew from the catalogue, which stays as it is. Searches go on with the old one
    meanwhile."""
    from time import perf_counter

    from octavo.cli.progress import ProgressBar

    started = perf_counter()
    with settings.open() as octavo, ProgressBar("rebuild") as progress:
        n_papers = octavo.encode(progress) if meaning else octavo.rebuild(progress)
    seconds = perf_counter() - started
    if settings.as_json:
        write_json({"papers": n_papers, "seconds": round(seconds, 2)})
    else:
        done = "Vectors were made" if meaning else "The index was made anew"
        Page().line(f"{done}: {plural(n_papers, 'paper')} in {seconds:.1f} s.")
    return DONE
