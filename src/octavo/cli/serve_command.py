"""`octavo serve`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from octavo.cli.command import Settings, command
from octavo.cli.outcome import DONE
from octavo.cli.output import clean, write_json
from octavo.config import settings_path
from octavo.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from octavo.app import Octavo
    from octavo.web.syncing import Syncing

USUAL = ("127.0.0.1", 8737)
"""Where the pages are unless something is configured: as `octavo.settings.schema` has it."""
_CONFIGURED = "OCTAVO_SERVE__"


@command(
    "serve",
    short_help="Show the catalogue as web pages on this machine.",
    examples=(
        ("octavo serve", "at the address that it prints, until Ctrl-C"),
        ("octavo serve --open", "and open a browser"),
        ("octavo serve --sync daily", "and bring the catalogue up to date after each announcement"),
        ("octavo serve --port 9000", "at another port"),
        ("octavo serve --host 0.0.0.0", "for other machines too, with the password of `octavo config password`"),
    ),
)
@click.option("--host", help="The address to listen on; else as configured: 127.0.0.1. Others need a password.")
@click.option("--port", type=click.IntRange(0, 65_535), help="The port, 0 for any free one; else as configured: 8737.")
@click.option("--open", "open_browser", is_flag=True, help="Open the pages in a browser.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A name by which a proxy leads here.")
@click.option("--sync", "every", type=click.Choice(("daily", "hourly")), help="Also do what `octavo sync` does.")
def serve(
    settings: Settings,
    host: str | None,
    port: int | None,
    open_browser: bool,
    names: tuple[str, ...],
    every: str | None,
) -> int:
    """Show the catalogue as web pages until Ctrl-C: on this machine only, or, once `octavo config password` has set
    a password, at any address for those who know it.

    Nothing is fetched for a page, and no page loads anything from elsewhere. With `--sync` the sources that the
    configuration names (`octavo config`) are asked meanwhile: `hourly` at most once an hour, `daily` at the start
    and after each announcement of arXiv's. Adding files in another terminal shows at once.

    With --json, one line with the address.
    """
    from octavo.web.password import load_password
    from octavo.web.server import WebServer, address_of, listen

    with settings.open() as octavo:
        home = octavo.home
        password = load_password(home)
        if names and password is None:
            raise UsageError(
                "Who comes by a name may be anybody, and no password is set.",
                hint="Set one: `octavo config password`.",
            )
        listener = listen(*_where(octavo, host, port), has_password=password is not None)
    address = address_of(listener)
    if settings.as_json:
        write_json({"address": address, "home": str(home)})
    else:
        click.echo(f"Octavo is at {address}  (Ctrl-C ends it)")
    syncing = _syncing(home, every)
    try:
        WebServer(listener, home, (lambda: _open(address)) if open_browser else lambda: None, names).run()
    finally:
        if syncing:
            syncing.stop()
    return DONE


def _where(octavo: Octavo, host: str | None, port: int | None) -> tuple[str, int]:
    """Where to listen: as is said here, else as configured."""
    if host is not None and port is not None:
        return host, port
    is_configured = os.path.lexists(settings_path(octavo.home)) or any(
        name.startswith(_CONFIGURED) for name in os.environ
    )
    if not is_configured:  # reading the configuration brings all sources: a fifth of a second that the browser waits
        return host or USUAL[0], USUAL[1] if port is None else port
    said = octavo.settings.serve
    return said.host if host is None else host, said.port if port is None else port


def _syncing(home: Path, every: str | None) -> Syncing | None:
    """What brings the catalogue up to date meanwhile, begun; None where that is not wanted."""
    if every is None:
        return None
    from octavo.web.syncing import Syncing

    syncing = Syncing(home, every, lambda line: click.echo(clean(line), err=True))
    syncing.start()
    return syncing


def _open(address: str) -> None:
    import threading
    import webbrowser

    # Beside the server: some systems' browsers only return when they are closed.
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
