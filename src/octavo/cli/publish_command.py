"""`octavo publish`."""

from __future__ import annotations

from pathlib import Path

import click

from octavo.cli.command import Settings, command
from octavo.cli.outcome import DONE
from octavo.cli.output import Page, clean, plural, write_json
from octavo.cli.progress import ProgressBar
from octavo.errors import UsageError


@command(
    "publish",
    short_help="Write a list of papers as a site for any file host.",
    examples=(
        ('octavo publish icml --venue "ICML 2025"', "a conference's papers, with search"),
        ('octavo publish site --query "diffusion year:2024.." --title "Diffusion models"', "what a query matches"),
        ("octavo publish reading --tag 'to discuss' --with-notes", "a tag of the library, and what you noted"),
        ("python -m http.server --directory icml", "look at it: searching needs HTTP"),
    ),
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--venue", metavar="NAME", help='The papers of a venue\'s year: "ICML 2025".')
@click.option("--query", metavar="QUERY", help="The papers that match all of a query, the newest first.")
@click.option("--tag", metavar="TAG", help="The papers of the library with a tag.")
@click.option("--saved", is_flag=True, help="The papers that are saved in the library.")
@click.option("--all", "everything", is_flag=True, help="The whole catalogue.")
@click.option(
    "--title", metavar="TEXT", help="What the site is called; else as the list is (a tag's name stays yours)."
)
@click.option("--lang", "codes", multiple=True, type=click.Choice(("en", "zh")), help="In one language; else in both.")
@click.option(
    "--at", "address", metavar="URL", default="", help="Where the site will be: feeds name whole addresses then."
)
@click.option(
    "--with-notes", is_flag=True, help="Show your tags and notes, too. Without this nothing of them is written."
)
@click.option("--no-search", is_flag=True, help="Without an index for searching.")
@click.option(
    "--most", type=click.IntRange(1), default=50_000, show_default=True, help="Papers that the list may have."
)
def publish(
    settings: Settings,
    folder: Path,
    venue: str | None,
    query: str | None,
    tag: str | None,
    saved: bool,
    everything: bool,
    title: str | None,
    codes: tuple[str, ...],
    address: str,
    with_notes: bool,
    no_search: bool,
    most: int,
) -> int:
    """Write a list of papers as a site into DIR: a page a paper, lists by topic, venue and author, BibTeX, JSON and
    feeds, and a search that runs in the browser. The files can be put on any host, under any address; the pages ask
    for nothing elsewhere.

    DIR is replaced whole, at the end and at once; a folder that Octavo did not write is left alone. The same
    catalogue gives the same files. Searching needs Pagefind (`pip install 'octavo[publish]'`).
    """
    from octavo.web.publish import Publication
    from octavo.web.publish import publish as write

    kind, value = _list(venue, query, tag, saved=saved, everything=everything)
    languages = tuple({"en": "en", "zh": "zh-CN"}[code] for code in dict.fromkeys(codes)) or ("en", "zh-CN")
    wanted = Publication(kind, value, (title or "").strip(), languages, address.strip(), with_notes, most)
    with settings.open() as octavo, ProgressBar("publishing") as bar:
        written = write(octavo, folder, wanted, search=not no_search, progress=bar)
    if settings.as_json:
        write_json(written.to_dict())
        return DONE
    page = Page()
    size = f"{written.bytes / 1e6:,.1f} MB"
    page.line(
        f"{plural(written.papers, 'paper')} written to {clean(str(folder))}: {plural(written.files, 'file')}, {size}."
    )
    if written.gone:
        page.line(f"Left out: {plural(written.gone, 'paper')} of the list that the catalogue does not have any more.")
    for note in written.notes:
        page.line(note)
    return DONE


def _list(venue: str | None, query: str | None, tag: str | None, *, saved: bool, everything: bool) -> tuple[str, str]:
    """Which list is wanted.

    Raises:
        UsageError: none, or several.
    """
    given = [(kind, value) for kind, value in (("venue", venue), ("query", query), ("tag", tag)) if value is not None]
    given += [(kind, "") for kind, is_wanted in (("saved", saved), ("all", everything)) if is_wanted]
    if len(given) == 1:
        return given[0]
    raise UsageError(
        "Name one list." if not given else "Only one list can be written at a time.",
        hint='Give one of --venue "ICML 2025", --query, --tag, --saved and --all.',
    )
