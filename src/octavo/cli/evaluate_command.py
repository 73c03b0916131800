"""`octavo evaluate`: measure on labelled data, so that a figure can be had by anyone."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from octavo.cli.command import ExampleGroup, Settings, command
from octavo.cli.outcome import DONE
from octavo.cli.output import Page, clean, plural, write_json

if TYPE_CHECKING:
    from octavo.views import MeasureView

_FIELDS = ("title", "authors", "abstract", "venue", "year", "pages")


@command(
    "evaluate",
    cls=ExampleGroup,
    short_help="Measure linking on labelled pairs.",
    invoke_without_command=True,
    examples=(("octavo evaluate linking pairs.jsonl.gz", "precision, recall and F1"),),
)
@click.pass_context
def evaluate(ctx: click.Context, _settings: Settings) -> None:
    """Measure what Octavo does on labelled data. Nothing of the catalogue is read or changed."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command(
    "linking",
    short_help="Precision, recall and F1 on labelled pairs of records.",
    examples=(
        ("octavo evaluate linking pairs.jsonl.gz --split valid", "one split of the file"),
        ("octavo evaluate linking pairs.jsonl.gz --fields title,authors", "by title and authors alone"),
    ),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--fields", metavar="LIST", help=f"What of the records counts, parted by commas: {','.join(_FIELDS)}.")
@click.option("--split", "splits", multiple=True, metavar="NAME", help="Only pairs of this split; may be repeated.")
@click.option("--threshold", default=0.0, show_default=True, help="Log odds above which a pair counts as joined.")
@click.option("--vetoes", is_flag=True, help="Also keep apart what linking never joins by its text alone.")
@click.option("--wrong", default=0, metavar="N", help="Name N pairs that were told wrongly.")
def linking(
    settings: Settings,
    file: str,
    fields: str | None,
    splits: tuple[str, ...],
    threshold: float,
    vetoes: bool,
    wrong: int,
) -> int:
    """Measure how well linking tells whether two records are one work, on the labelled pairs of FILE: JSON lines,
    gzipped or not, each `{"left": {...}, "right": {...}, "label": 0 or 1}`, whose records have title, authors and,
    where known, abstract, venue, year and pages.
    """
    asked = tuple(filter(None, (name.strip() for name in (fields or "").split(","))))
    if unknown := [name for name in asked if name not in _FIELDS]:
        raise click.UsageError(f"There is no field {unknown[0]}: known are {', '.join(_FIELDS)}.")
    with settings.open() as octavo:
        views = octavo.evaluate_linking(
            file, fields=asked, splits=splits, threshold=threshold, with_vetoes=vetoes, most_wrong=wrong
        )
    if settings.as_json:
        write_json({"file": file, "measures": [view.to_dict() for view in views]})
        return DONE
    page = Page()
    for view in views:
        _write(page, view)
    return DONE


cast("click.Group", evaluate).add_command(linking)


def _write(page: Page, view: MeasureView) -> None:
    page.line(
        (f"{clean(view.kind)}: ", "bold"),
        f"precision {view.precision:.4f}, recall {view.recall:.4f}, F1 {view.f1:.4f}",
        (f" · {plural(view.pairs, 'pair')}, {view.same:,} the same", "dim"),
        is_whole=True,
    )
    told = "; ".join(f"recall {value:.4f} at precision {level}" for level, value in view.recall_at.items())
    page.line((told, "dim"), indent=2, is_whole=True)
    for line, label, score, title, other in view.wrong:
        what = "not joined" if label else "joined"
        page.line((f"line {line}, {what} at {score:+.2f}: ", "yellow"), clean(f"{title} / {other}"), indent=2)
