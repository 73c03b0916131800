"""The progress bar: on a terminal, on stderr, and only for work that lasts."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

_OTHER_COLUMNS = 57
"""What the bar, the counts, the rate and the time take beside the title."""
_PATIENCE = 0.4
"""Seconds of work before a bar appears."""


class ProgressBar:
    """What `octavo.app` reports its progress to; shows nothing where stderr is no terminal.

    To be used in a `with`, at whose end the bar is gone.
    """

    def __init__(self, title: str) -> None:
        """`title` says what is being worked on."""
        self._title = title
        self._begun_at = monotonic()
        self._is_shown = sys.stderr.isatty()
        self._bar: Progress | None = None
        self._stage = ""

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far the work is: bytes while `reading`, papers in any other stage."""
        if not self._is_shown or (self._bar is None and monotonic() - self._begun_at < _PATIENCE):
            return
        if self._bar is None or stage != self._stage:
            self._begin(stage)
        if self._bar:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total or None)

    def hide(self) -> None:
        """Take the bar away until there is more progress, so that something can be written in its place."""
        if self._bar:
            self._bar.stop()
            self._bar = None

    def _begin(self, stage: str) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            MofNCompleteColumn,
            Progress,
            ProgressColumn,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        from octavo.cli.layout import clip
        from octavo.cli.outcome import usable_width

        if self._bar:
            self._bar.stop()
        columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False), BarColumn(bar_width=16)]
        if stage == "reading":
            columns += [DownloadColumn(), TransferSpeedColumn()]
        else:
            columns += [MofNCompleteColumn()]
        console = Console(stderr=True, highlight=False, markup=False)
        console.width = usable_width(console.width)
        self._stage = stage
        self._bar = Progress(*columns, TimeRemainingColumn(compact=True), console=console, transient=True)
        title = clip(self._title, max(8, console.width - len(stage) - _OTHER_COLUMNS))
        self._bar.add_task(f"{title}: {stage}" if title else stage, total=None)
        self._bar.start()
