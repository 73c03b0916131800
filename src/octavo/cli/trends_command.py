"""`octavo trends`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from octavo.cli.command import Settings, command
from octavo.cli.layout import clip, width_of
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, Span, clean, plural, write_json
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.rank.trends import Change
    from octavo.views_trends import ShareView, TrendsView, TrendView

_BARS = "▁▂▃▄▅▆▇█"
_GAP = "·"
_NAME_COLUMNS = 34
_DIRECTION_STYLES = {"rising": "green", "falling": "red"}
COLUMNS = ("kind", "slug", "name", "name_zh", "of", "papers", "total", "share", "low", "high", "rate", "rate_low",
    "rate_high", "q", "direction")  # fmt: skip
"""Of the table that --csv writes: a line a share."""


@command(
    "trends",
    short_help="Show how topics and terms rise and fall over years and venues.",
    examples=(
        ("octavo trends", "the areas over the last ten years"),
        ("octavo trends --topic LLM --topic 'graph neural networks' --from 2015", "topics beside each other"),
        ("octavo trends --rising", "topics that grow beyond chance, the surest first"),
        ("octavo trends --terms --falling --venue icml", "terms that ICML speaks of less and less"),
        ("octavo trends --term 'diffusion model' --by venue", "where a term is spoken of most"),
        ("octavo trends --area 'reinforcement learning' --csv > rl.csv", "a table for another program"),
    ),
)
@click.option("--topic", "topics", multiple=True, metavar="NAME", help="A topic, by any name; may be repeated.")
@click.option("--term", "terms", multiple=True, metavar="NAME", help="A term of the glossary; may be repeated.")
@click.option("--terms", "all_terms", is_flag=True, help="All terms of the glossary instead of topics.")
@click.option("--area", metavar="NAME", default="", help="Only what is below this topic, as shares of its papers.")
@click.option("--venue", metavar="NAME", default="", help="Only papers that appeared at this venue.")
@click.option("--from", "since", type=int, metavar="YEAR", help="The first year.")
@click.option("--to", "until", type=int, metavar="YEAR", help="The last year.")
@click.option("--by", type=click.Choice(["year", "venue"]), default="year", show_default=True, help="What is compared.")
@click.option("--rising", is_flag=True, help="Only what grows beyond chance, the surest growth first.")
@click.option("--falling", is_flag=True, help="Only what shrinks beyond chance.")
@click.option("-n", "--limit", type=int, default=25, show_default=True, help="Topics or terms to show.")
@click.option("--csv", "as_csv", is_flag=True, help="Write a table with commas, a line a share.")
def trends(
    settings: Settings,
    topics: tuple[str, ...],
    terms: tuple[str, ...],
    all_terms: bool,
    area: str,
    venue: str,
    since: int | None,
    until: int | None,
    by: str,
    rising: bool,
    falling: bool,
    limit: int,
    as_csv: bool,
) -> int:
    """Show what share of the papers is about each topic, or speaks of each term, over years or venues.

    A change is told where it is more than noise: the slope of a logistic regression with its interval of 95 %,
    widened by how much shares scatter, and corrected for how many topics were asked about (docs/trends.md).

    Into a pipe goes one line a topic: name, papers, and the share of each year or venue, parted by tabs. Exits with 1
    where nothing is shown.
    """
    from octavo.cli.progress import ProgressBar

    if rising and falling:
        raise UsageError("Nothing rises and falls at once.", hint="Leave out --rising or --falling.")
    if as_csv and settings.as_json:
        raise UsageError("A table and JSON can't be written at once.", hint="Leave out --csv or --json.")
    with settings.open() as octavo, ProgressBar("") as progress:
        found = octavo.trends(
            topics=topics,
            terms=terms,
            kind="term" if all_terms else "topic",
            venue=venue,
            area=area,
            since=since,
            until=until,
            by=by,
            direction="rising" if rising else "falling" if falling else "",
            limit=limit,
            progress=progress,
        )
    if settings.as_json:
        write_json(found.to_dict())
    elif as_csv:
        click.echo(table(found), nl=False)
    else:
        write_trends(Page(), found)
    return DONE if any(one.n for one in found.trends) else NOTHING_FOUND


def table(found: TrendsView) -> str:
    """All shares as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in found.trends:
        change = one.change
        told = (change.rate, change.low, change.high) if change else ("", "", "")
        for share in one.shares:
            known = share.to_dict()
            values = [
                "" if known[name] is None else known[name] for name in ("papers", "total", "share", "low", "high")
            ]
            q = "" if one.q is None else f"{one.q:.3g}"
            rates = [f"{rate:.6g}" if rate != "" else "" for rate in told]
            row = (one.kind, one.slug, one.name, one.name_zh, share.of, *values, *rates, q, one.direction)
            writer.writerow(row)
    return out.getvalue()


def write_trends(page: Page, found: TrendsView) -> None:
    """Write the answer for a reader on a terminal, as tab-separated lines elsewhere."""
    for note in found.notes:
        click.echo(clean(note), err=True)
    if not any(one.n for one in found.trends):
        click.echo(_nothing(found), err=True)
        return
    if not page.is_terminal:
        for one in found.trends:
            shares = (f"{share.of} {percent(share.share)}" for share in one.shares)
            click.echo("\t".join((clean(one.name), str(one.n), *shares)))
        return
    page.line((_about(found), "dim"))
    page.blank()
    width = min(_NAME_COLUMNS, max(width_of(clean(one.name)) for one in found.trends))
    for one in found.trends:
        if found.by == "venue":
            _write_venues(page, one)
        else:
            page.line(*_row(one, width), is_whole=page.width >= 80)
    page.blank()
    page.line((_how_told(found), "dim"))


def _nothing(found: TrendsView) -> str:
    if found.direction:
        among = f"among {plural(found.n_tested, found.kind)} that could be told"
        return f"Nothing is {found.direction} beyond chance, {among}."
    years = f" of {found.since} to {found.until}" if found.until else ""
    return f"There is no paper{years} to be counted."


def _about(found: TrendsView) -> str:
    among = "papers with a topic" if found.kind == "topic" else "papers with an abstract"
    if found.area:
        among = f"the papers of {found.area}"
    where = f" at {found.venue}" if found.venue else ""
    return f"{found.since} to {found.until}: shares of {among}{where}"


def _row(one: TrendView, width: int) -> Iterator[Span]:
    """`Large Language Models  22,832  ▁▁▁▁▁▁▂▄█▇  0.1 % → 28.9 %  +72 % a year (25 to 137)`."""
    from octavo.views_trends import telling

    name = clip(clean(one.name), width)
    yield name + " " * (width - width_of(name)), ""
    yield f" {one.n:>7,}  ", "dim"
    yield spark(one.shares), "bold"
    known = [share.share for share in telling(one.shares)]
    if known:
        yield f"  {percent(known[0]):>6} → {percent(known[-1]):<6}", ""
    if one.change:
        yield f"  {yearly(one.change)}", _DIRECTION_STYLES.get(one.direction, "dim")
    elif one.is_short:
        yield "  too few years to tell", "dim"


def spark(shares: tuple[ShareView, ...]) -> str:
    """A line of bars, the highest share being the full one; a dot where there are no papers to be counted among,
    or too few."""
    from octavo.views_trends import telling

    sure = telling(shares)
    highest = max((one.share or 0 for one in sure), default=0) or 1.0
    return "".join(
        _BARS[round((one.share or 0) / highest * (len(_BARS) - 1))] if one in sure else _GAP for one in shares
    )


def percent(share: float | None) -> str:
    """`28.9 %`, `0.04 %`; a dash where there is nothing to be a share of."""
    if share is None:
        return "–"
    number = 100 * share
    return (
        f"{number:.0f} %"
        if number >= 99.5 or not number
        else f"{number:.1f} %"
        if number >= 0.095
        else f"{number:.2f} %"
    )


def yearly(change: Change) -> str:
    """`+72 % a year (+25 to +137)`."""
    low, high = "<" * change.is_below + _signed(change.low), ">" * change.is_above + _signed(change.high)
    return f"{_signed(change.rate)} % a year ({low} to {high})"


def _signed(rate: float) -> str:
    return f"{100 * rate:+,.0f}"


def _write_venues(page: Page, one: TrendView) -> None:
    page.line((clean(one.name), "bold"), (f"  {plural(one.n, 'paper')}", "dim"))
    highest = max((share.share or 0 for share in one.shares), default=0)
    for share in (share for share in one.shares if share.n):
        bar = "█" * max(1, round(20 * (share.share or 0) / highest))
        page.line(
            f"{clip(clean(share.of), 16):<16} {percent(share.share):>7}  ",
            (f"{percent(share.low):>7} to {percent(share.high):<7}  {share.n:>6,} of {share.total:<7,} ", "dim"),
            bar,
            indent=2,
        )
    page.blank()


def _how_told(found: TrendsView) -> str:
    if found.by == "venue":
        return "Beside each share its interval of 95 % (Wilson). Venues with fewer than 20 papers are left out."
    shown = f"{len(found.trends)} of {found.total} shown. " if len(found.trends) < found.total else ""
    return (
        f"{shown}Growth of the odds a year with its interval of 95 %; coloured where it is more than noise "
        f"among {plural(found.n_tested, found.kind)} (Benjamini and Hochberg, 5 %)."
    )
