"""`octavo add` and `octavo pending`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from octavo.cli.command import ExampleCommand, Settings, command
from octavo.cli.outcome import DONE, exit_code, tell
from octavo.cli.output import Page, clean, plural, write_json
from octavo.errors import (
    FormatError,
    OctavoError,
    PartlyAddedError,
    SourceError,
    StorageError,
    UnknownSourceError,
    UsageError,
)

if TYPE_CHECKING:
    from octavo.app import Octavo
    from octavo.views import AddView, WaitingView

_MOST_REASONS = 6
FEW_FAULTS = 3
"""Skipped entries that are named unless more are asked for."""


class AddCommand(ExampleCommand):
    """`add`, whose help lists the sources that are installed."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sources, then the examples."""
        from octavo.app import Octavo

        with formatter.section("Sources"):
            formatter.write_dl([(info.name, f"{info.title}: {info.reads}") for info in Octavo.sources()])
        super().format_epilog(ctx, formatter)


@command(
    "add",
    cls=AddCommand,
    short_help="Read files of papers into the catalogue.",
    examples=(
        ("octavo add mlanthology-2026-03.tar", "the kind of file is told from its content"),
        ("octavo add mlanthology icml-2025.json.gz neurips-2024.json.gz", "or named; several files at once"),
        ("octavo add page icml-list.txt", "a web page of papers, saved as text"),
        ("octavo add --faults arxiv-metadata-oai-snapshot.json", "name more of the entries that are skipped"),
    ),
)
@click.argument("words", nargs=-1, required=True, metavar="[SOURCE] PATH...")
@click.option("--faults", is_flag=True, help=f"Name up to 20 skipped entries, not {FEW_FAULTS}.")
def add(settings: Settings, words: tuple[str, ...], faults: bool) -> int:
    """Read files or folders into the catalogue. The same again changes nothing.

    SOURCE is the kind of the files; left out, it is told from their content. A first word that names a source
    is one where a path follows; write ./pmlr for a folder of that name. Packed files (.gz, .tar, .zip and
    others) are read as they are.

    A folder is read whole, every file in it that the source reads. An entry that can't be used is skipped,
    counted and named; a file that can't be read, or of which nothing can be used, does not stop the next one,
    but makes the exit code 3. Entries without a title, as saved pages have, are identified by their
    abstract among the papers that are there; `octavo pending` lists those that wait.

    With --json, one line a path.
    """
    if not all(words):
        raise UsageError("One of the paths is empty.", hint="Name a file or a folder; `.` is the folder you are in.")
    from octavo.cli.progress import ProgressBar

    with settings.open() as octavo:
        source, paths = _source_and_paths(octavo, words)
        try:
            last = len(paths) - 1
            code = max(
                _add_one(settings, octavo, source, path, with_all=faults, more_to_come=number < last)
                for number, path in enumerate(paths)
            )
            with ProgressBar("") as progress:
                octavo.link(progress)  # where the last path could not be read
        except KeyboardInterrupt:
            raise KeyboardInterrupt("What was read is in the catalogue; the same command adds the rest.") from None
    return code


def _source_and_paths(octavo: Octavo, words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """Tell whether the first word is a source.

    Raises:
        UsageError: it is one, and no path follows it.
        UnknownSourceError: it is neither a source nor a path, and paths follow.
    """
    first = words[0]
    if first in octavo.source_names():
        if len(words) > 1:
            return first, words[1:]
        if not Path(first).exists():
            raise UsageError(f"No file is named for the source {first}.", hint=f"Say `octavo add {first} PATH`.")
    elif len(words) > 1 and not Path(first).exists() and Path(first).name == first and "." not in first:
        return first, words[1:]  # a word that is no path: the facade says which sources there are
    return None, words


def _add_one(
    settings: Settings, octavo: Octavo, source: str | None, path: str, *, with_all: bool, more_to_come: bool
) -> int:
    """Add one path and tell what it did; returns its exit code. What stops all further paths is raised."""
    from octavo.cli.progress import ProgressBar

    failure: OctavoError | None = None
    n_waiting = len(octavo.waiting())
    try:
        with ProgressBar(clean(_name_of(path))) as progress:
            view = octavo.add(source, path, progress, more_to_come=more_to_come)
    except UnknownSourceError:
        raise
    except (PartlyAddedError, StorageError) as error:
        if error.added is None:  # nothing had begun
            raise
        failure, view = error, _as_view(error.added)
    except (SourceError, UsageError) as error:
        failure, view = error, _nothing_added(source, path, error)
    failure = failure or _of_nothing_used(view)
    if settings.as_json:
        write_json(view.to_dict())
    elif view.state == "complete" or view.added or view.updated or view.unchanged:
        most = len(view.faults) if with_all else FEW_FAULTS
        write_added(Page(), view, most_faults=most, n_waiting=n_waiting)
    if failure is None:
        return DONE
    tell(failure, as_json=settings.as_json, place=path)
    return exit_code(failure)


def _of_nothing_used(view: AddView) -> SourceError | None:
    """The failure that it is when a file was read to its end and every entry had to be skipped."""
    n_used = view.added + view.updated + view.unchanged + view.identified + view.waiting
    if n_used or not view.skipped or view.state != "complete":
        return None
    reason = clean(view.reasons[0][0]) if view.reasons else ""
    if len(view.reasons) == 1:
        why = f"it was skipped: {reason}" if view.skipped == 1 else f"all {view.skipped:,} were skipped: {reason}"
    else:
        why = f"all {view.skipped:,} were skipped, most often: {reason}"
    return FormatError(
        f"{_name_of(view.target)} has no entry that could be used; {why}.", hint="Is it the right source?"
    )


def _name_of(path: str) -> str:
    """The last part of a path, also of `.` and `..`, which have none."""
    return Path(path).name or Path(path).resolve().name or path


def _as_view(added: object) -> AddView:
    from octavo.views import AddView

    if not isinstance(added, AddView):
        raise TypeError(added)
    return added


def _nothing_added(source: str | None, path: str, error: OctavoError) -> AddView:
    from octavo.views import AddView

    return AddView(source=source or "", target=path, state="failed", problem=str(error))


def write_added(page: Page, view: AddView, *, most_faults: int = FEW_FAULTS, n_waiting: int = 0) -> None:
    """Write what adding a path did: a line of counts, the first that were skipped, and what entries wait.

    `n_waiting` is how many waited before.
    """
    is_whole = not page.is_terminal  # a line a path, for a log
    page.line((f"{clean(_name_of(view.target))}: ", "bold"), _counts(view), is_whole=is_whole)
    for place, reason, entry in view.faults[:most_faults]:
        what = f" ({clean(entry)[:80]})" if entry else ""
        page.line((f"skipped: {clean(place)}: {clean(reason)}{what}", "dim"), indent=2, is_whole=is_whole)
    if (rest := view.skipped - min(most_faults, len(view.faults))) and view.skipped:
        more = "; --faults names more" if most_faults < len(view.faults) else ""
        page.line((f"and {rest:,} more skipped{more}", "dim"), indent=2, is_whole=is_whole)
    if view.identified or view.waiting:
        page.line(_of_titleless(view, n_waiting), indent=2, is_whole=is_whole)


def _of_titleless(view: AddView, n_waiting: int) -> str:
    """What became of entries that came without a title."""
    parts = []
    if view.waiting == n_waiting and not (view.added or view.updated or view.unchanged or view.identified):
        parts.append("Nothing new: its entries without a title were there already and are unchanged.")
    if view.identified:
        parts.append(f"{plural(view.identified, 'entry', 'entries')} without a title identified.")
    if view.waiting:
        wait = "waits" if view.waiting == 1 else "wait"
        parts.append(
            f"{plural(view.waiting, 'entry', 'entries')} without a title {wait} in all to be identified: add files "
            "that have the papers, and it is tried again. `octavo pending` lists what waits."
        )
    return " ".join(parts)


def _counts(view: AddView) -> str:
    counts = [f"{view.added:,} added", f"{view.updated:,} updated", f"{view.unchanged:,} unchanged"]
    skipped = f"{view.skipped:,} skipped"
    if view.reasons:
        reasons = [f"{count:,} {clean(reason)}" for reason, count in view.reasons[:_MOST_REASONS]]
        reasons += ["others"] if len(view.reasons) > _MOST_REASONS else []
        skipped += f" ({', '.join(reasons)})"
    seconds = f"{view.seconds:.1f}" if view.seconds < 10 else f"{view.seconds:,.0f}"
    return f"{', '.join([*counts, skipped])} in {seconds} s"


@command(
    "pending",
    short_help="List entries without a title that wait to be identified.",
    examples=(
        ("octavo pending", "what waits, and since when"),
        ("octavo pending --json", "the same as JSON"),
    ),
)
def pending(settings: Settings) -> int:
    """List the entries without a title, from saved pages, that no paper of the catalogue could be found for.

    They are tried again whenever something is added.
    """
    with settings.open() as octavo:
        views = octavo.waiting()
    if settings.as_json:
        write_json({"total": len(views), "waiting": [view.to_dict() for view in views]})
        return DONE
    page = Page()
    if not views:
        page.line("Nothing waits to be identified.")
        return DONE
    for view in views:
        _write_waiting(page, view)
        page.blank()
    count = f"{plural(len(views), 'entry', 'entries')} {'waits' if len(views) == 1 else 'wait'}."
    page.line(count, " Add files that have these papers, and they are tried again.")
    return DONE


def _write_waiting(page: Page, view: WaitingView) -> None:
    from octavo.cli.layout import fold_authors

    page.line((f"{clean(view.source)} {clean(view.key)}", "bold"), (f" · since {view.added_at[:10]}", "dim"))
    if view.authors:
        page.line(fold_authors(view.authors, page.width - 2), indent=2)
    page.line(clean(view.text), indent=2, most=3)
