"""The root command: `octavo`, its help by what one wants to do, and all commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from octavo.cli.add_command import add, pending
from octavo.cli.author_command import author
from octavo.cli.command import HOME_OPTION, Example, Settings, write_examples
from octavo.cli.complete_command import complete
from octavo.cli.config_command import config
from octavo.cli.demo_command import demo
from octavo.cli.evaluate_command import evaluate
from octavo.cli.export_command import export
from octavo.cli.identify_command import identify
from octavo.cli.library_command import library, note, read, save, tag, unread, unsave, untag
from octavo.cli.link_command import doubts, join, split, undo, why
from octavo.cli.log_command import log, sources
from octavo.cli.outcome import reader_may_leave, run
from octavo.cli.publish_command import publish
from octavo.cli.search_command import search
from octavo.cli.searches_command import searches
from octavo.cli.serve_command import serve
from octavo.cli.show_command import show
from octavo.cli.similar_command import similar
from octavo.cli.stats_command import rebuild, stats
from octavo.cli.sync_command import enrich, fetch, sync
from octavo.cli.terms_command import terms
from octavo.cli.topics_command import topics
from octavo.cli.trends_command import trends

PURPOSES: tuple[tuple[str, tuple[click.Command, ...]], ...] = (
    ("Begin", (demo, config)),
    ("Fill the catalogue", (add, pending)),
    ("Keep it up to date", (sync, fetch, enrich, sources, log)),
    ("Find papers", (search, complete, show, similar, author, identify, serve)),
    ("Get to know a field", (topics, terms, trends)),
    ("Keep a library", (save, unsave, read, unread, tag, untag, note, library, searches)),
    ("Settle what is one paper", (why, doubts, join, split, undo)),
    ("Take papers elsewhere", (export, publish)),
    ("Look after the catalogue", (stats, rebuild, evaluate)),
)
"""The commands by what a reader wants to do, in the order of the help."""

EXAMPLES: tuple[Example, ...] = (
    ("octavo demo", "load the bundled catalogue and look around"),
    ("octavo add papers.tar", "add a file; its kind is told from its content"),
    ('octavo search "graph neural networks" year:2023..', "search"),
    ("octavo show arXiv:1706.03762", "show one paper"),
)
_NAME = "octavo"


class Program(click.Group):
    """The root command. Its `main` gives every error its exit code, whoever calls it."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        """Run the command line `args`, those of the process where none are given, and exit with its code."""
        words = list(sys.argv[1:] if args is None else args)
        extra |= {"prog_name": _NAME, "standalone_mode": False}
        _open_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # A letter that the terminal's encoding lacks must not end the work.
                stream.reconfigure(errors="backslashreplace")
        sys.exit(run(lambda: super(Program, self).main(words, **extra), as_json="--json" in words))

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the root command's own options; `--help` writes here already."""
        with reader_may_leave():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with reader_may_leave():
            return super().invoke(ctx)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by purpose."""
        width = max(len(name) for name in self.commands)
        for purpose, commands in PURPOSES:
            with formatter.section(purpose):
                rows = [(f"{command.name:<{width}}", command.get_short_help_str(80)) for command in commands]
                formatter.write_dl(rows)

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write examples and where to read on."""
        write_examples(formatter, EXAMPLES)
        formatter.write_paragraph()
        formatter.write_text(
            "`octavo COMMAND --help` explains a command. Exit codes: 0 found or done, 1 nothing found, "
            "2 the command can't be understood, 3 it could not be done."
        )


def _open_closed_streams() -> None:
    """Give a process that was started with stdout or stderr closed a place to write to.

    The numbers of what is closed are taken, so that no file of the catalogue gets one and what is written to stdout.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115


def _show_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version  # late: it reads the installed packages

        click.echo(f"{_NAME} {version('octavo')}")
        ctx.exit()


@click.group(_NAME, cls=Program, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@HOME_OPTION
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Print the version.",
)
@click.pass_context
def octavo(ctx: click.Context) -> None:
    """Octavo finds machine-learning papers in one catalogue on your own machine."""
    ctx.ensure_object(Settings)
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for _, _commands in PURPOSES:
    for _command in _commands:
        octavo.add_command(_command)
