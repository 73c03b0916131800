"""What all commands share: the options `--home` and `--json`, and help that shows examples."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from octavo.app import Octavo

F = TypeVar("F", bound=Callable[..., Any])

_MOST_WORKERS = 3
"""Helping processes for large files and whole indexes; more would wait for the one that writes."""
Example = tuple[str, str]
"""A command line that works, and what it does."""


@dataclass(slots=True)
class Settings:
    """What the shared options say; click hands it to every command as `ctx.obj`."""

    home: str | None = None
    as_json: bool = False

    @property
    def program(self) -> str:
        """How a command line begins that does more on the same catalogue, as it can be typed here."""
        return f"{program_name()} --home {shlex.quote(self.home)}" if self.home else program_name()

    def open(self) -> Octavo:
        """The reader's Octavo, to be used in a `with`; processes help it with large files and whole indexes."""
        from octavo.app import Octavo  # late: it takes a tenth of a second

        return Octavo(self.home, workers=min(_MOST_WORKERS, os.cpu_count() or 1))


def program_name() -> str:
    """`octavo` where the shell finds this program by that name, else the path by which it was started."""
    started = Path(sys.argv[0])
    found = shutil.which("octavo")
    if started.name == "__main__.py" and started.parent.name == "octavo":
        return f"{shlex.quote(sys.executable)} -m octavo"
    if started.name != "octavo" or (found and Path(found).resolve() == started.resolve()):
        return "octavo"
    return shlex.quote(str(started))


class ExampleCommand(click.Command):
    """A command whose help ends with examples."""

    def __init__(self, *args: Any, examples: Sequence[Example] = (), **kwargs: Any) -> None:
        """Keep `examples`; all else is click's."""
        super().__init__(*args, **kwargs)
        self.params.sort(key=lambda param: param.name in ("home", "json"))  # its own options come first
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each line whole, so that it can be copied."""
        write_examples(formatter, self.examples)
        super().format_epilog(ctx, formatter)


class ExampleGroup(ExampleCommand, click.Group):
    """A command with commands below it, whose help ends with examples."""


class QueryCommand(ExampleCommand):
    """A command whose words are a query, in which a word such as `-image` excludes and is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Sort the words of the query out from the options, wherever they stand, and leave the rest to
        click."""
        params = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        known = {name for param in params for name in param.opts}
        takes_value = {name for param in params if not param.is_flag for name in param.opts}
        options: list[str] = []
        words: list[str] = []
        for n, word in enumerate(args):
            if word == "--":
                words += args[n + 1 :]
                break
            is_value = bool(options) and n > 0 and args[n - 1] == options[-1] and options[-1] in takes_value
            is_option = word.startswith("--") or any(
                word == name or (name in takes_value and re.fullmatch(f"{name}[0-9]+", word)) for name in known
            )
            (options if is_value or is_option else words).append(word)
        if options and options[-1] in takes_value and args[-1] == options[-1]:
            return super().parse_args(ctx, options)  # the value is missing: click says so
        return super().parse_args(ctx, [*options, "--", *words])


def write_examples(formatter: click.HelpFormatter, examples: Sequence[Example]) -> None:
    """Write examples to a help page, what they do above each."""
    if not examples:
        return
    with formatter.section("Examples"):
        for line, meaning in examples:
            formatter.write_text(f"# {meaning}")
            formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


def _keep_home(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    settings = ctx.ensure_object(Settings)
    if value is not None:
        settings.home = value


def _keep_json(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    settings = ctx.ensure_object(Settings)
    settings.as_json = settings.as_json or value


HOME_OPTION = click.option(
    "--home",
    metavar="DIR",
    type=click.Path(file_okay=False),
    callback=_keep_home,
    expose_value=False,
    help="The folder of the catalogue; else $OCTAVO_HOME, else your own folder for data.",
)
"""`--home`, for the root command and for each command."""

JSON_OPTION = click.option(
    "--json",
    is_flag=True,
    callback=_keep_json,
    expose_value=False,
    help="Print JSON (docs/json.md) instead of text; errors too, on stderr.",
)
"""`--json`, for each command."""


def command(
    name: str, *, examples: Sequence[Example] = (), cls: type[ExampleCommand] = ExampleCommand, **kwargs: Any
) -> Callable[[F], ExampleCommand]:
    """A command with the shared options; its function takes `settings` first and returns an exit code or
    None."""

    def decorate(function: F) -> ExampleCommand:
        with_options = JSON_OPTION(HOME_OPTION(click.pass_obj(function)))
        return click.command(name, cls=cls, examples=examples, **kwargs)(with_options)

    return decorate
