"""`octavo show`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from octavo.cli.command import Settings, command
from octavo.cli.complete_command import complete_id
from octavo.cli.outcome import DONE, exit_code, tell
from octavo.cli.output import Page, clean, write_json
from octavo.errors import NotFound

if TYPE_CHECKING:
    from octavo.records.paper import Paper
    from octavo.views import PaperView

MOST_AUTHORS = 10
"""Authors that are shown unless all are asked for."""
_LABEL = 13
Claims = tuple[Mapping[str, Any], ...]
"""What each source said (`views.PaperView.claims`)."""
_GONE = ("withdrawn", "retracted")
_PREPRINT_GONE = "the preprint was withdrawn"
_DATES = (
    ("submitted_on", "submitted"),
    ("announced_on", "announced"),
    ("published_on", "published"),
    ("updated_on", "updated"),
)


@command(
    "show",
    short_help="Show all that is known of a paper.",
    examples=(
        ("octavo show arXiv:1706.03762", "by an identifier"),
        ("octavo show 'https://openreview.net/forum?id=jYmGi1175R'", "by a web address"),
        ("octavo show $(octavo search diffusion -n 3 | cut -f2)", "the first three hits of a search"),
        ("octavo show --json --records v267/wu25i", "as JSON, with what each source said"),
    ),
)
@click.argument("names", nargs=-1, required=True, metavar="ID...", shell_complete=complete_id)
@click.option("--all", "all_authors", is_flag=True, help=f"Show all authors, not the first {MOST_AUTHORS}.")
@click.option("--records", is_flag=True, help="With --json: add what each source said, as it said it.")
def show(settings: Settings, names: tuple[str, ...], all_authors: bool, records: bool) -> int:
    """Show papers whole.

    ID is what `octavo search` shows, or any identifier or address of the paper: arXiv, DOI, OpenReview, PMLR,
    ACL, DBLP. With --json, one line a paper. Exits with 1 where one of the papers is not in the catalogue;
    the others are shown nevertheless.
    """
    code = DONE
    page = Page()
    n_shown = 0
    with settings.open() as octavo:
        for name in names:
            try:
                view = octavo.get(name, claims=records or not settings.as_json)
            except NotFound as error:
                tell(error, as_json=settings.as_json)
                code = exit_code(error)
                continue
            if settings.as_json:
                write_json(view.to_dict())
                continue
            if n_shown:
                page.blank()
                page.line(("─" * min(page.width, 60), "dim"))
            write_paper(page, view, most_authors=0 if all_authors else MOST_AUTHORS)
            n_shown += 1
    return code


def write_paper(page: Page, view: PaperView, *, most_authors: int = MOST_AUTHORS) -> None:
    """Write all that is known of a paper; its first authors only, unless `most_authors` is 0."""
    paper = view.paper
    page.line((clean(paper.title), "bold"))
    if paper.authors:
        page.line(_authors(paper, most_authors))
    page.blank()
    for label, values in _facts(paper, view.claims):
        style = "bold red" if label == "status" and paper.status in _GONE else ""
        for n, value in enumerate(values):
            shown = ("" if n else label, "dim")
            page.line((clean(value), style), label=shown, indent=_LABEL, is_whole=label == "links")
    for title, text in _texts(paper):
        page.blank()
        page.line((f"{title}: ", "italic"), clean(text))


def _authors(paper: Paper, most: int) -> str:
    shown = paper.authors[:most] if most else paper.authors
    text = ", ".join(map(clean, shown))
    if rest := len(paper.authors) - len(shown):
        text += f" … and {rest:,} more (--all shows them)"
    return f"{text} et al. (the source names no more)" if paper.authors_incomplete else text


def _facts(paper: Paper, claims: Claims) -> Iterator[tuple[str, Iterable[str]]]:
    """(label, values) of each fact; without values where nothing is known."""
    yield "id", (paper.id,)
    yield "status", _joined((_status(paper), paper.award, _PREPRINT_GONE * paper.is_preprint_withdrawn), " · ")
    yield "appeared", _appearances(paper, claims)
    yield "dates", _dates(claims) or _joined((str(paper.date or paper.year or ""),))
    addresses = {address for _, address in paper.links}
    yield "identifiers", _joined(str(name) for name in paper.identifiers if name.value not in addresses)
    yield "links", (f"{kind:<7} {address}" for kind, address in paper.links)
    yield "categories", _joined(paper.categories)
    yield "topics", (" › ".join(trail) for trail in paper.topics)
    yield "keywords", _joined(paper.keywords)
    yield "comment", _joined((paper.comment,))
    yield "reference", _joined((paper.journal_ref,))
    yield "cited", _cited(paper)
    if n_works := len(paper.references):
        yield "cites", (f"{n_works:,} {'work' if n_works == 1 else 'works'} with an identifier (--json names them)",)
    yield "sources", _joined(paper.sources)


def _status(paper: Paper) -> str:
    """What became of the paper, with the venue that it did not appear at."""
    if paper.status in ("rejected", "submitted") and paper.venue and not paper.venue_claimed_in:
        return f"{paper.status} {'at' if paper.status == 'rejected' else 'to'} {paper.venue}"
    return "erratum: a notice about another paper" if paper.status == "erratum" else paper.status


def _cited(paper: Paper) -> Iterator[str]:
    """How often the paper is cited, and who counted."""
    if paper.citations is not None:
        source = dict(paper.origins).get("citations", "").partition(":")[0]
        times = "once" if paper.citations == 1 else f"{paper.citations:,} times"
        yield f"{times}, as {source} counts" if source else times


def _joined(values: Iterable[str], separator: str = ", ") -> tuple[str, ...]:
    """The values on one line; no line where there are none."""
    line = separator.join(filter(None, values))
    return (line,) if line else ()


def _appearances(paper: Paper, claims: Claims) -> Iterator[str]:
    """Where the sources say that the paper appeared: a line a venue, with all that is known of it."""
    if field := paper.venue_claimed_in:
        yield f"{paper.venue}, as the authors say in the {'reference' if field == 'journal_ref' else field} on arXiv"
    known: dict[tuple[str, str], dict[str, None]] = {}
    for claim in claims:
        venue = claim.get("venue") or {}
        short, name, year = venue.get("short", ""), venue.get("name", ""), str(venue.get("year") or "")
        place = short or name
        if not place:
            continue
        status = claim.get("status", "")
        first = place if year in place else f"{place} {year}"
        details = known.setdefault((first, "" if status == "accepted" else status), {})
        details.update(dict.fromkeys([name] if name and name != place else []))
        details.update(dict.fromkeys(f"{part} {venue[part]}" for part in _VENUE_PARTS if venue.get(part)))
        details.update(dict.fromkeys(filter(None, [venue.get("track")])))
    for (first, status), details in known.items():
        yield ", ".join([first, *details]) + (f" ({status})" if status else "")


_VENUE_PARTS = ("volume", "number", "pages")


def _dates(claims: Claims) -> tuple[str, ...]:
    """The dates that the sources give, each once, and the latest version of a preprint."""
    said: dict[str, None] = {}
    for field, label in _DATES:
        for date in sorted({str(claim[field]) for claim in claims if claim.get(field)}):
            said[f"{label} {date}"] = None
    versions = [version["number"] for claim in claims for version in claim.get("versions", ())]
    if versions:
        said[f"version {max(versions)} is the latest"] = None
    return _joined(said)


def _texts(paper: Paper) -> Iterator[tuple[str, str]]:
    if paper.abstract:
        yield "Abstract", paper.abstract
    if paper.tldr:
        yield "In a sentence", paper.tldr
    if paper.summary:
        yield "Octavo's summary", paper.summary
    if not (paper.abstract or paper.summary or paper.tldr):
        yield "Abstract", "none of the sources has one."
