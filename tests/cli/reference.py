"""The reference part of docs/command-line.md, made from the commands themselves.

python -m tests.cli.reference      writes it anew
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from octavo.cli.command import ExampleCommand
from octavo.cli.program import PURPOSES, octavo

PAGE = Path(__file__).resolve().parents[2] / "docs" / "command-line.md"
BEGIN, END = "<!-- reference: begin -->", "<!-- reference: end -->"


def reference() -> str:
    """Every command with its arguments, options and examples, as Markdown."""
    commands = [command for _, commands in PURPOSES for command in commands]
    return "\n".join(
        [*_options(octavo, "Options before the command:"), *(line for one in commands for line in _of(one))]
    )


def with_reference(page: str) -> str:
    """The page with its reference part made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{reference()}\n{END}{after}"


def _of(command: click.Command, before: str = "octavo") -> Iterator[str]:
    name = f"{before} {command.name}"
    arguments = [param for param in command.params if isinstance(param, click.Argument)]
    commands = list(command.commands.values()) if isinstance(command, click.Group) else []
    usage = " ".join([name, "[OPTIONS]", *(["COMMAND"] if commands else []), *map(_argument, arguments)])
    yield from (f"### {name}", "", f"    {usage}", "")
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        yield from (_escaped(" ".join(paragraph.split())), "")
    yield from _options(command, "Options:")
    if isinstance(command, ExampleCommand) and command.examples:
        yield from ("Examples:", "", "```sh")
        for line, meaning in command.examples:
            yield from (f"# {meaning}", line)
        yield from ("```", "")
    for below in commands:
        yield from _of(below, name)


def _argument(argument: click.Argument) -> str:
    if argument.metavar:
        return argument.metavar
    name = str(argument.name).upper()
    shown = name if argument.required else f"[{name}]"
    return f"{shown}..." if argument.nargs == -1 else shown


def _options(command: click.Command, title: str) -> Iterator[str]:
    yield from (title, "")
    for param in command.params:
        if isinstance(param, click.Option):
            default = f" Default: {param.default}." if param.show_default else ""
            yield f"- `{', '.join(param.opts)}{_value(param)}`: {_escaped(param.help or '')}{default}"
    yield from ("- `-h, --help`: Show the help.", "")


def _value(option: click.Option) -> str:
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        return f" {'|'.join(option.type.choices)}"
    return f" {option.metavar or option.type.name.upper()}"


def _escaped(text: str) -> str:
    """Text in which Markdown sees no markup of its own; what is in backquotes stays."""
    return re.sub(r"(?<![`\w])([<>*])", r"\\\1", text)


if __name__ == "__main__":
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
