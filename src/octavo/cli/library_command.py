"""`octavo save`, `unsave`, `read`, `unread`, `tag`, `untag`, `note` and `library`: what the reader keeps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from octavo.cli.command import ExampleCommand, ExampleGroup, F, Settings, command
from octavo.cli.outcome import DONE, FAILURE, NOTHING_FOUND
from octavo.cli.output import Page, clean, plural, write_json
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.views_library import ActView, LibraryEntryView, LibraryView

PARTS = ("all", "unread", "saved", "read", "noted", "tagged", "gone")
_SHOWN = 20
"""Papers of an act that are named; the others are counted."""
_MAX_PASTED = 10_000_000
_DID = {
    "save": "Saved",
    "unsave": "No longer saved",
    "read": "Marked as read",
    "unread": "Marked as not read",
    "tag": "Tagged",
    "untag": "No longer tagged",
    "note": "Noted",
}
_PAPERS = click.argument("papers", nargs=-1, required=True, metavar="PAPER...")


def _act(name: str, short: str, example: str, meaning: str) -> Callable[[F], ExampleCommand]:
    """A command on papers, with an example of its own and one that all have."""
    return command(
        name,
        short_help=short,
        examples=(
            (example, meaning),
            (f"octavo search 'gap tiles' --json | jq -r '.hits[].id' | octavo {name} -", "papers from standard input"),
        ),
    )


@_act("save", "Save papers in your library.", "octavo save arXiv:1706.03762 v267/wu25i", "two papers")
@_PAPERS
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Give them this tag, too; may be repeated.")
def save(settings: Settings, papers: tuple[str, ...], tags: tuple[str, ...]) -> int:
    """Save PAPERs, named by any of their ids; `-` reads ids from standard input. What is unknown is named, the others
    are saved.

    `octavo undo` takes it back.
    """
    with settings.open() as octavo:
        return _tell(settings, octavo.save(_names(papers), tags))


@_act("unsave", "Take papers out of what is saved.", "octavo unsave arXiv:1706.03762", "its tags and its note stay")
@_PAPERS
def unsave(settings: Settings, papers: tuple[str, ...]) -> int:
    """Take PAPERs out of what is saved. Tags and notes stay.

    `octavo undo` takes it back.
    """
    with settings.open() as octavo:
        return _tell(settings, octavo.unsave(_names(papers)))


@_act("read", "Mark papers as read.", "octavo read arXiv:1706.03762", "one that was read")
@_PAPERS
def read(settings: Settings, papers: tuple[str, ...]) -> int:
    """Mark PAPERs as read. Nothing else does: looking at a paper leaves it unread.

    `octavo undo` takes it back.
    """
    with settings.open() as octavo:
        return _tell(settings, octavo.mark_read(_names(papers)))


@_act("unread", "Mark papers as not read.", "octavo unread arXiv:1706.03762", "one to be read again")
@_PAPERS
def unread(settings: Settings, papers: tuple[str, ...]) -> int:
    """Mark PAPERs as not read.

    `octavo undo` takes it back.
    """
    with settings.open() as octavo:
        return _tell(settings, octavo.mark_unread(_names(papers)))


@command(
    "tag",
    short_help="Give papers a tag.",
    examples=(
        ("octavo tag 'to discuss' arXiv:1706.03762 v267/wu25i", "two papers"),
        ("octavo library --tag 'to discuss'", "the papers that have it"),
    ),
)
@click.argument("tag")
@_PAPERS
def tag(settings: Settings, tag: str, papers: tuple[str, ...]) -> int:
    """Give PAPERs the tag TAG: up to 100 letters of any script, without a comma. Case does not matter.

    `octavo undo` takes it back.
    """
    with settings.open() as octavo:
        return _tell(settings, octavo.tag(_names(papers), [tag]))


@command(
    "untag",
    short_help="Take a tag from papers.",
    examples=(("octavo untag 'to discuss' arXiv:1706.03762", "its other tags stay"),),
)
@click.argument("tag")
@_PAPERS
def untag(settings: Settings, tag: str, papers: tuple[str, ...]) -> int:
    """Take the tag TAG from PAPERs.

    `octavo undo` takes it back.
    """
    with settings.open() as octavo:
        return _tell(settings, octavo.untag(_names(papers), [tag]))


@command(
    "note",
    short_help="Write or show the note on a paper.",
    examples=(
        ("octavo note arXiv:1706.03762", "show it"),
        ("octavo note arXiv:1706.03762 'Section 3 is what we need.'", "write it, over one that is there"),
        ("octavo note arXiv:1706.03762 - < note.txt", "from standard input"),
        ("octavo note arXiv:1706.03762 ''", "take it away"),
    ),
)
@click.argument("paper")
@click.argument("text", required=False)
def note(settings: Settings, paper: str, text: str | None) -> int:
    """Let TEXT be the note on PAPER: up to 20,000 letters, over lines as you like; `-` reads it from standard input.
    Without TEXT the note is shown.

    `octavo undo` brings the note back that was there before.
    """
    with settings.open() as octavo:
        if text is not None:
            return _tell(settings, octavo.note(paper, _pasted() if text == "-" else text))
        view = octavo.note_on(paper)
    if settings.as_json:
        write_json(view.to_dict())
    elif view.shelf.note:
        _write_note(Page(), view.shelf.note)
    else:
        click.echo("There is no note on it.", err=True)
    return DONE if view.shelf.note else NOTHING_FOUND


@command(
    "library",
    cls=ExampleGroup,
    invoke_without_command=True,
    short_help="List what you saved, tagged and noted.",
    examples=(
        ("octavo library", "what was saved, tagged or noted last"),
        ("octavo library --show unread", "what of it is not read yet"),
        ("octavo library --tag 'to discuss' --limit 100", "the papers of a tag"),
        ("octavo library export library.jsonl", "all of it as a file"),
    ),
)
@click.option(
    "--show", default="all", show_default=True, type=click.Choice(PARTS), help="A part; `gone` is not here any more."
)
@click.option("--tag", "tag", default="", metavar="TAG", help="The papers that have this tag.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 10_000), help="Papers to show.")
@click.option("--offset", default=0, type=click.IntRange(0, 10_000_000), help="Papers to pass over before them.")
@click.pass_context
def library(ctx: click.Context, settings: Settings, show: str, tag: str, limit: int, offset: int) -> int | None:
    """List your library: what you saved, tagged or noted, what you did last first. A paper that its sources deleted
    stays in it, and says so."""
    if ctx.invoked_subcommand is not None:
        return None
    with settings.open() as octavo:
        view = octavo.library(show, tag, limit, offset)
    if settings.as_json:
        write_json(view.to_dict())
    else:
        _write_library(Page(), view)
    return DONE if view.entries else NOTHING_FOUND


@command(
    "export",
    short_help="Write the library to a file.",
    examples=(
        ("octavo library export library.jsonl", "a file that `octavo library import` reads, here or elsewhere"),
        ("octavo library export - | gzip > library.jsonl.gz", "to standard output"),
    ),
)
@click.argument("file")
@click.option("--force", is_flag=True, help="Let FILE be overwritten.")
def export(settings: Settings, file: str, force: bool) -> int:
    """Write all that you saved, read, tagged and noted, and your saved searches, to FILE, whole or not at all. Each
    paper is named by its ids and its title, so that another catalogue finds it."""
    from octavo.cli.export_command import _target, _write_file, _write_out

    target = _target(file, is_forced=force)
    if settings.as_json and target is None:
        raise UsageError("--json tells about a file.", hint="Name one.")
    with settings.open() as octavo:
        lines = iter(octavo.export_library())
        first = next(lines)
        if target is None:
            _write_out(first, lines)
            return DONE
        n_lines = _write_file(target, first, lines) - 1
    if settings.as_json:
        write_json({"file": str(target), "entries": n_lines})
    else:
        Page().line(f"{plural(n_lines, 'entry', 'entries')} written to {clean(str(target))}.")
    return DONE


@command(
    "import",
    short_help="Read a file of another library.",
    examples=(("octavo library import library.jsonl", "nothing that is here is lost; again, nothing changes"),),
)
@click.argument("file", type=click.Path())
def import_(settings: Settings, file: str) -> int:
    """Read FILE, which `octavo library export` wrote, into this library. What is here stays: of two notes both are
    kept. Papers that this catalogue does not have are kept in the library until it has them.

    `octavo undo` takes all of it back.
    """
    from octavo.cli.progress import ProgressBar

    with settings.open() as octavo, ProgressBar(f"Reading {clean(file)}") as progress:
        view = octavo.import_library(Path(file), progress)
    if settings.as_json:
        write_json(view.to_dict())
    else:
        page = Page()
        searches = f" and {plural(view.searches, 'saved search', 'saved searches')}" if view.searches else ""
        page.line(f"{plural(view.papers, 'paper')}{searches} read; {plural(view.changed, 'paper')} changed.")
        if view.missing:
            page.line(f"{plural(len(view.missing), 'paper')} not in this catalogue, and kept until they are:")
            _write_papers(page, view.missing)
        for line, reason in view.faults[:_SHOWN]:
            click.echo(f"octavo: {clean(file)}, line {line}: {clean(reason)}.", err=True)
    return FAILURE if view.faults else DONE


for _one in (export, import_):
    cast("ExampleGroup", library).add_command(_one)


def _names(papers: Sequence[str]) -> list[str]:
    """The ids that are named; those of standard input, a line each, in the place of `-`."""
    names: list[str] = []
    for name in papers:
        names += _pasted().split() if name == "-" else [name]
    if not names:
        raise UsageError("No paper was named.", hint="Give an id a line on standard input.")
    return names


def _pasted() -> str:
    data = sys.stdin.buffer.read(_MAX_PASTED + 1)
    if len(data) > _MAX_PASTED:
        raise UsageError(f"At most {_MAX_PASTED:,} bytes are read from standard input.")
    return data.decode("utf-8", "replace")


def _tell(settings: Settings, view: ActView) -> int:
    if settings.as_json:
        write_json(view.to_dict())
    else:
        _write_act(Page(), view)
    for name, reason in view.unknown if not settings.as_json else ():
        click.echo(f"octavo: {clean(reason if name in reason else f'{name}: {reason}')}", err=True)
    if not view.papers:
        return NOTHING_FOUND
    return FAILURE if view.unknown else DONE


def _write_act(page: Page, view: ActView) -> None:
    if not view.papers:
        return
    values = f" “{clean(', '.join(view.values))}”" if view.values else ""
    changed = [paper for paper in view.papers if paper[0] in view.changed]
    same = len(view.papers) - len(changed)
    if changed:
        page.line((f"{_DID[view.act]}{values}: ", "bold"), f"{plural(len(changed), 'paper')}.")
        _write_papers(page, changed)
    if same:
        page.line((f"{plural(same, 'paper')} {'was' if same == 1 else 'were'} so already.", "dim"))


def _write_papers(page: Page, papers: Sequence[tuple[str, str]]) -> None:
    for paper, title in papers[:_SHOWN]:
        page.line((f"{paper}  ", "dim"), clean(title), indent=2)
    if len(papers) > _SHOWN:
        page.line((f"… and {len(papers) - _SHOWN:,} more", "dim"), indent=2)


def _write_library(page: Page, view: LibraryView) -> None:
    if not view.entries:
        click.echo("Nothing is there yet: `octavo save ID` saves a paper.", err=True)
        return
    for entry in view.entries:
        _write_entry(page, entry)
    if view.total > len(view.entries):
        page.line((f"{len(view.entries):,} of {view.total:,}; --limit and --offset show more.", "dim"))


def _write_entry(page: Page, entry: LibraryEntryView) -> None:
    shelf = entry.shelf
    page.line((clean(entry.title) or entry.id, "bold"))
    told = [
        "saved" if shelf.saved_at else "",
        "read" if shelf.read_at else "",
        *(f"#{clean(tag)}" for tag in shelf.tags),
    ]
    if entry.paper is None:
        when = f" on {entry.deleted_on}" if entry.deleted_on else ""
        told.append(f"deleted by {entry.deleted_by}{when}" if entry.deleted_by else "not in this catalogue")
    page.line((f"{entry.id}  ", "dim"), " · ".join(filter(None, told)), indent=2)
    if shelf.note:
        page.line((clean(shelf.note), "italic"), indent=2, most=3)


def _write_note(page: Page, text: str) -> None:
    for line in text.split("\n"):
        page.line(clean(line)) if line.strip() else page.blank()
