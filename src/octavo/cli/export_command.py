"""`octavo export`."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from gzip import GzipFile
from pathlib import Path

import click

from octavo.cli.command import QueryCommand, Settings, command
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, clean, plural, write_json
from octavo.cli.search_command import joined
from octavo.errors import UsageError
from octavo.export import FORMATS

_ENDINGS = {
    ".bib": "bibtex",
    ".bibtex": "bibtex",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".ris": "ris",
    ".json": "csl",
}
"""The form that a file's ending asks for, where that form is there (`export.FORMATS`)."""
_PACKED = ".gz"


@command(
    "export",
    cls=QueryCommand,
    short_help="Write papers as BibTeX or JSON lines.",
    examples=(
        ("octavo export --id arXiv:1706.03762", "one paper as BibTeX, on the terminal"),
        ("octavo export 'title:watermarks year:2023..' -o watermarks.bib", "what a search finds, into a file"),
        ("octavo export --id v267/wu25i --id v267/snell25a -o two.bib", "papers by their ids"),
        ("octavo export --all -o everything.jsonl", "a backup: `octavo add everything.jsonl` reads it back"),
    ),
)
@click.argument("query", nargs=-1)
@click.option(
    "-f", "--format", "form", type=click.Choice(FORMATS), help="Default: by FILE's ending; bibtex without FILE."
)
@click.option("--id", "names", multiple=True, metavar="ID", help="A paper, by any identifier; may be repeated.")
@click.option("--all", "everything", is_flag=True, help="Every paper of the catalogue.")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, whole or not at all, instead of standard output.")
@click.option("--force", is_flag=True, help="Let FILE be overwritten.")
def export(
    settings: Settings,
    query: tuple[str, ...],
    form: str | None,
    names: tuple[str, ...],
    everything: bool,
    output: str | None,
    force: bool,
) -> int:
    """Write the papers that QUERY finds (as `octavo search` does, all of them), those named with --id, or --all.

    bibtex holds no abstracts. jsonl holds all that the sources said: added to another catalogue it gives the
    same papers. Both are UTF-8. Where FILE ends in .gz too, as in
    papers.jsonl.gz, it is packed. With --json, FILE is needed, and what was written is told as JSON.
    """
    target = _target(output, is_forced=force)
    if settings.as_json and target is None:
        raise UsageError("--json tells about a file.", hint="Name one with -o FILE.")
    if sum(map(bool, (query, names, everything))) > 1:
        raise UsageError("A query, ids and --all can't be exported together.", hint="Give one of them.")
    form = form or (_form_of(target) if target else "bibtex")
    wanted = joined(query)
    with settings.open() as octavo:
        pieces = iter(octavo.export(form, query=wanted or None, names=names, everything=everything))
        first = next(pieces, None)
        if first is None:
            if settings.as_json:
                write_json({"format": form, "papers": 0, "file": None})
            else:
                what = f"found for {clean(wanted)}" if query else "in the catalogue"
                click.echo(f"Nothing {what}.", err=True)
            return NOTHING_FOUND
        if target is None:
            _write_out(first, pieces)
            return DONE
        n_papers = _write_file(target, first, pieces)
    if settings.as_json:
        write_json({"format": form, "papers": n_papers, "file": str(target)})
    else:
        Page().line(f"{plural(n_papers, 'paper')} written to {clean(str(target))}.")
    return DONE


def _target(output: str | None, *, is_forced: bool) -> Path | None:
    """The file to write, None for standard output.

    Raises:
        UsageError: it is there and may not be overwritten, or is no file.
    """
    if output in (None, "-"):
        return None
    path = Path(str(output))
    if path.is_dir() or (path.exists() and not path.is_file()):
        raise UsageError(f"{output} is not a file.")
    if not path.parent.is_dir():
        folder = str(path.parent)
        what = "is not a folder" if path.parent.exists() else "is not there"
        raise UsageError(f"The folder {folder} {what}.", hint=f"Make it first: mkdir -p {shlex.quote(folder)}")
    if path.exists() and not is_forced:
        raise UsageError(f"{output} is there already.", hint="Give --force to overwrite it.")
    return path


def _form_of(path: Path) -> str:
    """The form that the ending of a file asks for; `.gz` may follow it.

    Raises:
        UsageError: none.
    """
    endings = [suffix.lower() for suffix in path.suffixes]
    ending = endings[-2] if endings[-1:] == [_PACKED] and len(endings) > 1 else path.suffix.lower()
    form = _ENDINGS.get(ending, "")
    if form in FORMATS:
        return form
    known = ", ".join(ending for ending, form in _ENDINGS.items() if form in FORMATS)
    raise UsageError(
        f"The ending of {path.name} names no format.",
        hint=f"Give --format {'|'.join(FORMATS)}, or a file that ends in one of {known}.",
    )


def _write_out(first: str, rest: Iterator[str]) -> None:
    stdout = sys.stdout.buffer  # UTF-8 whatever the terminal is set to
    stdout.write(first.encode("utf-8", "replace"))
    for piece in rest:
        stdout.write(piece.encode("utf-8", "replace"))
    stdout.flush()


def _write_file(path: Path, first: str, rest: Iterator[str]) -> int:
    """Write a file that is there whole or not at all; returns how many pieces it has."""
    path = path.resolve()  # a link stays one
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    count = 1
    try:
        with temporary.open("xb") as file:
            # No name and no time in what is packed, so that the same papers give the same bytes.
            packed = GzipFile("", "wb", fileobj=file, mtime=0) if path.suffix.lower() == _PACKED else None
            with packed or nullcontext(file) as out:
                out.write(first.encode("utf-8", "replace"))
                for piece in rest:
                    out.write(piece.encode("utf-8", "replace"))
                    count += 1
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    return count
