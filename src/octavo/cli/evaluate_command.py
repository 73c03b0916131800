"""`octavo evaluate`: measure on labelled or judged data, so that a figure can be had by anyone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

import click

from octavo.cli.command import ExampleGroup, Settings, command
from octavo.cli.outcome import DONE
from octavo.cli.output import Page, clean, plural, write_json

if TYPE_CHECKING:
    from octavo.topics.evaluate import Rate
    from octavo.views import MeasureView
    from octavo.views_evaluate import EstimateView, EvaluationView, GroupView, LeftOutView, NamedView
    from octavo.views_topics import TopicMeasuresView

WAYS = ("hybrid", "words", "meaning", "rrf")
"""What `evaluate search` can measure."""
_TITLES = {
    "ndcg@10": "nDCG@10",
    "ndcg%20": "NDCG%20",
    "recall@10": "recall@10",
    "recall@100": "recall@100",
    "mrr": "MRR",
    "map": "MAP",
}
_MEANT = {
    "hybrid": "hybrid",
    "words": "words: BM25 alone",
    "meaning": "meaning alone",
    "rrf": "rrf: reciprocal rank fusion of words and meaning, k = 60",
    "related": "related",
}
_NAMED = 5
"""Ids that are named of each kind that was left out; --json has more."""
_FIELDS = ("title", "authors", "abstract", "venue", "year", "pages")


@command(
    "evaluate",
    cls=ExampleGroup,
    short_help="Measure search and linking on judged data.",
    invoke_without_command=True,
    examples=(
        ("octavo evaluate search scifact", "nDCG, recall and MRR of search, beside BM25 alone"),
        ("octavo evaluate linking pairs.jsonl.gz", "precision, recall and F1"),
    ),
)
@click.pass_context
def evaluate(ctx: click.Context, settings: Settings) -> None:
    """Measure what Octavo does on labelled or judged data. Nothing of the catalogue is read or changed."""
    if ctx.invoked_subcommand is None:
        if settings.as_json:
            raise click.UsageError(f"Name what to measure: {', '.join(sorted(_commands))}.", ctx)
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


_QUERIES = click.option(
    "-n", "--queries", "most", type=click.IntRange(min=1), metavar="N", help="Only N queries, drawn by --seed."
)
_SPLIT = click.option(
    "--split", default="", metavar="NAME", help="Judgements of qrels/NAME.tsv. Default: test, or the only one."
)
_SEED = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Of the draw of queries and of the intervals.",
)


@command(
    "search",
    short_help="nDCG, recall and MRR of search on judged queries.",
    examples=(
        ("octavo evaluate search scifact", "hybrid search, words alone, meaning alone, and plain fusion of these"),
        ("octavo evaluate search beir/nfcorpus --split dev -n 200", "another split; 200 of its queries"),
        ("octavo evaluate search scifact --way hybrid --way words", "these two only, and their difference"),
        ("octavo evaluate search scifact --json | jq '.groups[0].ways[0].measures'", "for a script"),
    ),
)
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@click.option(
    "--way",
    "ways",
    type=click.Choice(WAYS),
    multiple=True,
    help="How to rank; may be repeated. All are measured where none is named.",
)
@_QUERIES
@_SPLIT
@_SEED
def search(settings: Settings, folder: str, ways: tuple[str, ...], most: int | None, split: str, seed: int) -> int:
    """Measure how well search answers the judged queries of FOLDER, which holds corpus.jsonl, queries.jsonl and
    qrels.tsv, or the same in BEIR's layout; docs/evaluating.md shows their lines.

    The documents go into a temporary catalogue, each a paper of its own, and each query is asked as a reader would
    ask it. Shown are means over the queries with 95 % intervals (bootstrap), and how much each way has more than BM25
    alone.
    """
    from octavo.app import Octavo
    from octavo.cli.progress import ProgressBar

    chosen = tuple(dict.fromkeys(ways)) or WAYS
    with ProgressBar("") as progress:
        view = Octavo.evaluate_search(folder, ways=chosen, most=most or 0, split=split, seed=seed, progress=progress)
    return _shown(settings, view)


@command(
    "related",
    short_help="NDCG and MAP of related papers on judged ones.",
    examples=(
        ("octavo evaluate related csfcube", "how well the papers related to a paper are found"),
        ("octavo evaluate related csfcube --json | jq '.groups[0].ways[0].measures'", "for a script"),
    ),
)
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@_QUERIES
@_SPLIT
@_SEED
def related(settings: Settings, folder: str, most: int | None, split: str, seed: int) -> int:
    """Measure how well the papers related to a paper are found, on the judged set in FOLDER, which has the layout of
    `octavo evaluate search`.

    A query is the document of its id, or of what stands before the last colon in it; where there is none, its text.
    NDCG%20 ranks the judged documents of a query alone, and counts the first fifth of them, as CSFCube does.
    """
    from octavo.app import Octavo
    from octavo.cli.progress import ProgressBar

    with ProgressBar("") as progress:
        view = Octavo.evaluate_related(folder, most=most or 0, split=split, seed=seed, progress=progress)
    return _shown(settings, view)


@command(
    "topics",
    short_help="How well topics are told, on labelled papers.",
    examples=(
        ("octavo evaluate topics benchmarks/topics/labels.jsonl --split test", "area, topic, within three guesses"),
        ("octavo evaluate topics labels.jsonl --wrong", "with the papers that were told wrongly"),
        ("octavo evaluate topics labels.jsonl --json | jq .ways.all.topic.value", "for a script"),
    ),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--split", default="", metavar="NAME", help="Only the papers of this split.")
@click.option("--wrong", is_flag=True, help="Name papers whose topic was told wrongly.")
def topics(settings: Settings, file: str, split: str, wrong: bool) -> int:
    """Measure how well the topics of papers are told that were labelled by hand: FILE has a line of JSON a paper,
    `{"identifiers": [...], "title": "...", "passes": [{"area": "...", "topic": "...", "also": [...]}, ...]}`.

    Papers are looked up in the catalogue, which has to hold them; a line may have an `abstract` instead. Nothing is
    changed, and your own corrections do not count.
    """
    from octavo.cli.progress import ProgressBar

    with settings.open() as octavo, ProgressBar("") as progress:
        view = octavo.evaluate_topics(file, split=split, progress=progress)
    if settings.as_json:
        write_json(view.to_dict())
    else:
        _write_topics(Page(), view, with_wrong=wrong)
    return DONE


_RATES = {
    "area": "area",
    "topic": "topic, first guess",
    "within_three": "topic, within three",
    "fits": "first guess fits (a reader's other topics count too)",
    "said": "sure enough to be said",
    "said_right": "right where said",
    "below_right": "tasks and methods: right where said",
    "below_found": "tasks and methods: said where labelled",
}


def _write_topics(page: Page, view: TopicMeasuresView, *, with_wrong: bool) -> None:
    split = f", split {clean(view.split)}" if view.split else ""
    page.line((clean(view.file), "bold"), f"{split}: {plural(view.papers, 'paper')}", is_whole=True)
    if view.missing:
        told = f"{len(view.missing):,} labelled papers are not in the catalogue: "
        page.line((told, "yellow"), clean(_listed(view.missing, len(view.missing))))
    if agreed := view.agreement:
        page.line(
            f"Two readers agree on {_rate(agreed.area)} of areas (kappa {agreed.area_kappa:.2f}) and "
            f"{_rate(agreed.topic)} of topics (kappa {agreed.topic_kappa:.2f})."
        )
    for way, rates in view.ways.items():
        page.line((_TOLD_FROM[way], "bold"))
        for name, meaning in _RATES.items():
            page.line(f"{_rate(rates[name]):<16}  ", meaning, indent=2, is_whole=True)
    if view.confusions:
        page.line(("Areas that are mistaken most often", "bold"))
    for right, told, count in view.confusions:
        page.line(f"{count:>3}  {right} told as {told or 'nothing'}", indent=2)
    for line, title, right, told in view.wrong if with_wrong else ():
        page.line((f"line {line}: ", "dim"), clean(title), (f"  {right}, told as {told or 'nothing'}", "dim"), indent=2)


_TOLD_FROM = {"all": "From all that is known", "text": "From title and abstract alone"}


def _rate(rate: Rate) -> str:
    low, high = rate.interval
    return f"{_short(rate.value)} {_short(low)}-{_short(high)}"


_commands: dict[str, click.Command] = {"linking": linking, "search": search, "related": related, "topics": topics}
for _one in _commands.values():
    cast("click.Group", evaluate).add_command(_one)


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


def _shown(settings: Settings, view: EvaluationView) -> int:
    if settings.as_json:
        write_json(view.to_dict())
    else:
        _write_evaluation(Page(), view)
    return DONE


def _write_evaluation(page: Page, view: EvaluationView) -> None:
    page.line(
        (clean(view.folder), "bold"),
        f": {plural(view.documents, 'document')}, {plural(view.queries, 'query', 'queries')}, "
        f"{plural(view.judgements, 'judgement')}",
        is_whole=True,
    )
    for group in view.groups:
        page.blank()
        _write_group(page, group)
    if view.speed:
        page.blank()
    for speed in view.speed:
        page.line(
            f"{speed.way + ':':<8} {speed.per_second:,.0f} queries a second, median {speed.median_ms:.1f} ms, "
            f"95th percentile {speed.slow_ms:.1f} ms",
            is_whole=True,
        )
    page.blank()
    page.line((_how(view), "dim"))
    _write_left_out(page, view.left_out)


def _write_group(page: Page, group: GroupView) -> None:
    """A table: a row a way, and one for what it has more than BM25 alone."""
    titles = [_TITLES[name] for name in group.ways[0].measures]
    if group.name:
        page.line(
            (clean(group.name), "bold"), (f" · {plural(group.queries, 'query', 'queries')}", "dim"), is_whole=True
        )
    page.line((_row("", titles), "dim"), is_whole=True)
    for way in group.ways:
        page.line(_row(way.way, map(_estimate, way.measures.values())), is_whole=True)
        if way.differences:
            page.line((_row(" -words", map(_difference, way.differences.values())), "dim"), is_whole=True)


def _row(label: str, cells: Iterable[str]) -> str:
    return f"{label:<8}{''.join(f'{cell:<17} ' for cell in cells)}".rstrip()  # four of them fit into 80 columns


def _estimate(one: EstimateView) -> str:
    return f"{_short(one.value)} {_short(one.low)}-{_short(one.high)}"


def _difference(one: EstimateView) -> str:
    """With a star where the interval leaves 0 out."""
    star = "*" if one.low > 0 or one.high < 0 else ""
    return f"{_short(one.value, '+')} {_short(one.low)} {_short(one.high)}{star}"


def _short(value: float, sign: str = "") -> str:
    """Three decimals without the nought before them; `1.000` keeps its one."""
    return f"{value:{sign}.3f}".replace("0.", ".", 1) if abs(value) < 0.9995 else f"{value:{sign}.3f}"


def _how(view: EvaluationView) -> str:
    ways = ", ".join(_MEANT[way.way] for way in view.groups[0].ways)
    text = f"Ways: {ways}. Means with 95 % intervals ({view.resamples:,} bootstrap resamples, seed {view.seed})"
    if any(way.differences for way in view.groups[0].ways):
        text += "; -words: what a way has more than BM25 alone, paired, with a star where the interval leaves 0 out"
    return (
        f"{text}. The first {view.depth} hits count; gains are linear, as in trec_eval. "
        f"Stored and indexed in {view.build_seconds:.1f} s."
    )


def _write_left_out(page: Page, left_out: LeftOutView) -> None:
    for reason, count in left_out.reasons:
        at = [f"{place}{f' ({entry})' if entry else ''}" for place, why, entry in left_out.faults if why == reason]
        page.line((f"Skipped: {plural(count, 'line')}, {reason}: ", "yellow"), clean(_listed(at, count)))
    for what, named in (
        ("queries without a judged answer, not measured", left_out.unjudged),
        ("judged queries that are not there", left_out.unknown_queries),
        ("judged answers that are not in the corpus, which every way misses", left_out.unknown_documents),
    ):
        _write_named(page, what, named)


def _write_named(page: Page, what: str, named: NamedView) -> None:
    if named.count:
        page.line((f"{named.count:,} {what}: ", "yellow"), clean(_listed(named.first, named.count)))


def _listed(names: Sequence[str], count: int) -> str:
    shown = ", ".join(names[:_NAMED])
    return f"{shown}, and {count - _NAMED:,} more" if count > _NAMED else shown
