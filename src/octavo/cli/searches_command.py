"""`octavo searches`: the searches that the reader saved."""

from __future__ import annotations

from typing import cast

import click

from octavo.cli.command import ExampleGroup, QueryCommand, Settings, command
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, clean, write_json
from octavo.cli.search_command import joined


@command(
    "searches",
    cls=ExampleGroup,
    invoke_without_command=True,
    short_help="List, save and remove searches.",
    examples=(
        ("octavo searches", "list them"),
        ("octavo searches save tiles 'tiles year:2023..'", "save one"),
        ("octavo searches remove tiles", "remove it"),
    ),
)
@click.pass_context
def searches(ctx: click.Context, settings: Settings) -> int | None:
    """List the searches that you saved; the pages have them beside the library."""
    if ctx.invoked_subcommand is not None:
        return None
    with settings.open() as octavo:
        found = octavo.saved_searches()
    if settings.as_json:
        write_json({"searches": [one.to_dict() for one in found]})
    else:
        page = Page()
        for one in found:
            page.line((clean(one.name), "bold"), f"  {clean(one.query)}")
        if not found:
            click.echo("No search is saved.", err=True)
    return DONE if found else NOTHING_FOUND


@command(
    "save",
    cls=QueryCommand,
    short_help="Save a search.",
    examples=(("octavo searches save tiles 'tiles year:2023..'", "over one of that name"),),
)
@click.argument("name")
@click.argument("query", nargs=-1, required=True)
def save_search(settings: Settings, name: str, query: tuple[str, ...]) -> int:
    """Save QUERY under NAME, over what was saved there."""
    return _on_search(settings, name, joined(query))


@command(
    "remove",
    short_help="Remove a saved search.",
    examples=(("octavo searches remove tiles", "`octavo undo` brings it back"),),
)
@click.argument("name")
def remove_search(settings: Settings, name: str) -> int:
    """Remove the search that was saved under NAME."""
    return _on_search(settings, name, "")


for _one in (save_search, remove_search):
    cast("ExampleGroup", searches).add_command(_one)


def _on_search(settings: Settings, name: str, query: str) -> int:
    with settings.open() as octavo:
        is_changed = octavo.save_search(name, query)
    if settings.as_json:
        write_json({"name": name, "query": query or None, "is_changed": is_changed})
    elif is_changed:
        Page().line(f"{'Saved' if query else 'Removed'}: ", (clean(name), "bold"))
    else:
        click.echo("It is saved already." if query else f"No search is saved as {clean(name)!r}.", err=True)
    return DONE if is_changed or query else NOTHING_FOUND
