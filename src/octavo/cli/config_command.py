"""`octavo config`: the commented file, what is in force, and what is wrong."""

from __future__ import annotations

import os
import sys
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

import click

from octavo.cli.command import ExampleGroup, Settings, command
from octavo.cli.outcome import DONE, USAGE
from octavo.cli.output import Page, clean, write_json
from octavo.config import home_path, settings_path
from octavo.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from octavo.settings import ConfigFault, Setting
    from octavo.settings import Settings as Configuration

_HIDDEN = "***"
"""What is shown of a secret that is set."""
_WIDEST = 60
"""Columns before a value's origin; what is longer pushes it on."""


@command(
    "config",
    cls=ExampleGroup,
    short_help="Say what to keep up with, and see what is in force.",
    invoke_without_command=True,
    examples=(
        ("octavo config init", "write the commented file, and say where it is"),
        ('"$EDITOR" "$(octavo config path)"', "edit it"),
        ("octavo config check", "all that is wrong in it, with the lines"),
        ("octavo config show", "what is in force, and where each value is from"),
    ),
)
@click.pass_context
def config(ctx: click.Context, settings: Settings) -> None:
    """Configure Octavo: what to keep up with, how often, and how to ask.

    Everything stands in one commented file, octavo.toml in the home folder; docs/configuration.md lists each key.
    A variable of the environment comes before the file: OCTAVO_CONTACT, or OCTAVO_ARXIV__CATEGORIES for the key
    categories of the table [arxiv].
    """
    if ctx.invoked_subcommand is None:
        if settings.as_json:
            raise click.UsageError("Name what to do: check, init, path or show.", ctx)
        click.echo(ctx.get_help())


def _path(settings: Settings) -> Path:
    return settings_path(home_path(settings.home))


def _load(settings: Settings) -> Configuration:
    from octavo.settings import load_settings  # late: it loads the sources

    return load_settings(home_path(settings.home), os.environ)


@command(
    "init",
    short_help="Write the commented file to begin with.",
    examples=(
        ("octavo config init", "one that is there is left as it is"),
        ("octavo config init --force", "begin anew; what was there is kept as octavo.toml.bak"),
    ),
)
@click.option("--force", is_flag=True, help="Begin anew where there is a file, and keep that under another name.")
def init(settings: Settings, force: bool) -> int:
    """Write the commented file: each key with what it does, in comments, so that it changes nothing yet."""
    from octavo.settings import write_default

    path = _path(settings)
    kept = write_default(path, force=force)
    if settings.as_json:
        write_json({"path": str(path), "backup": str(kept) if kept else None})
        return DONE
    page = Page()
    page.line(f"Written: {clean(str(path))}", is_whole=True)
    if kept:
        page.line(f"Kept:    {clean(str(kept))}", is_whole=True)
    page.line(f"Edit it, then give `{clean(settings.program)} config check`.", is_whole=True)
    return DONE


@command(
    "show",
    short_help="Show what is in force, and where each value is from.",
    examples=(
        ("octavo config show", "as TOML, with where each value is from"),
        ("octavo config show --json | jq -c '.settings[] | select(.origin != \"default\")'", "what was set"),
    ),
)
def show(settings: Settings) -> int:
    """Show every value in force as TOML, and whether it is from the file, a variable of the environment or a
    default. Secrets are shown as ***."""
    loaded = _load(settings)
    if settings.as_json:
        rows = [_as_json(one) for one in loaded.values]
        write_json({"path": str(loaded.path), "exists": os.path.lexists(loaded.path), "settings": rows})
    else:
        _write(Page(), loaded)
    return DONE


def _as_json(one: Setting) -> dict[str, Any]:
    value = one.value.isoformat() if isinstance(one.value, date) else one.value
    return {
        "table": one.table or None,
        "key": one.key,
        "value": _HIDDEN if one.is_secret and value else value,
        "origin": one.origin,
        "place": one.place or None,
    }


def _write(page: Page, loaded: Configuration) -> None:
    """Write the values table by table, each with where it is from as a comment behind it."""
    from octavo.settings.values import to_key

    there = "" if os.path.lexists(loaded.path) else " (not there)"
    page.line((f"# {clean(str(loaded.path))}{there}", "dim"), is_whole=True)
    for table, group in groupby(loaded.values, key=lambda one: one.table):
        if table:
            page.blank()
            page.line((f"[{to_key(table)}]", "bold"), is_whole=True)
        rows = [(one, _line(one)) for one in group]
        width = min(max(len(line) for _, line in rows), _WIDEST)
        for one, line in rows:
            style = "dim" if one.origin == "default" else ""
            page.line((f"{line:<{width}}", style), (f"  # {one.place or one.origin}", "dim"), is_whole=True)


def _line(one: Setting) -> str:
    """A setting as TOML; a comment where it has no value."""
    from octavo.settings.values import to_key, to_toml

    if one.value is None:
        return f"#{to_key(one.key)} is not set"
    return f"{to_key(one.key)} = {to_toml(_HIDDEN if one.is_secret and one.value else one.value)}"


@command(
    "check",
    short_help="Say all that is wrong with the configuration.",
    examples=(
        ("octavo config check", "each fault with its line; the exit code is 2 where there is one"),
        ("octavo config check --json | jq -r '.faults[].message'", "for an editor or a script"),
    ),
)
def check(settings: Settings) -> int:
    """Check the file and the variables of the environment, and name every fault with its line, not only the first.
    Nothing is asked of any server."""
    from octavo.settings import missing_packages

    path = _path(settings)
    try:
        faults = missing_packages(_load(settings))
    except ConfigError as error:
        faults = cast("tuple[ConfigFault, ...]", error.faults)
    if settings.as_json:
        rows = [{"place": one.place, "line": one.line or None, "message": one.text} for one in faults]
        write_json({"path": str(path), "exists": os.path.lexists(path), "faults": rows})
    else:
        _write_faults(Page(), path, faults)
    return USAGE if faults else DONE


def _write_faults(page: Page, path: Path, faults: tuple[ConfigFault, ...]) -> None:
    for one in faults:
        page.line(clean(str(one)), is_whole=True)
    if not faults:
        what = "is in order" if os.path.lexists(path) else "is not there, so the defaults hold"
        page.line(f"OK: {clean(str(path))} {what}.", is_whole=True)


@command(
    "path",
    short_help="Say where the file is.",
    examples=(('"$EDITOR" "$(octavo config path)"', "edit it"),),
)
def path(settings: Settings) -> int:
    """Say where the file is, or would be."""
    where = _path(settings)
    if settings.as_json:
        write_json({"path": str(where), "exists": os.path.lexists(where)})
    else:
        shown = str(where)
        Page().line(shown if shown.isprintable() else clean(shown), is_whole=True)
    return DONE


@command(
    "password",
    short_help="Set the password of the pages.",
    examples=(
        ("octavo config password", "it is asked for twice, and not shown"),
        ("octavo config password < FILE", "from the first line of a file"),
        ("octavo config password --remove", "the pages answer on this machine only from now on"),
    ),
)
@click.option("--remove", is_flag=True, help="Take the password away.")
def password(settings: Settings, remove: bool) -> int:
    """Set the password that `octavo serve` asks for: of 10 letters or more, typed twice, never on the command line. It
    is kept as a hash (Argon2) in a file that only you may read. Once one is set the pages always ask for it, and may be
    served at any address of this machine. Whoever is logged in has to log in anew."""
    from octavo.web.password import password_path, remove_password, set_password

    home = home_path(settings.home)
    if remove:
        was_set = remove_password(home)
        said = "The password is taken away." if was_set else "No password was set."
    else:
        set_password(home, _typed())
        was_set, said = True, "The password is set."
    if settings.as_json:
        write_json({"path": str(password_path(home)), "is_set": not remove, "was_changed": was_set})
    else:
        Page().line(said)
    return DONE


def _typed() -> str:
    """The password, typed twice where somebody types; else a line of standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    typed: str = click.prompt("Password", hide_input=True, confirmation_prompt="Once more", err=True)
    return typed


for _one in (init, show, check, path, password):
    cast("ExampleGroup", config).add_command(_one)
