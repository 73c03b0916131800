"""`octavo serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from octavo.cli.command import Settings, command
from octavo.cli.outcome import DONE
from octavo.cli.output import clean, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from octavo.app import Octavo
    from octavo.web.syncing import Syncing


@command(
    "serve",
    short_help="Show the catalogue as web pages on this machine.",
    examples=(
        ("octavo serve", "at the address that it prints, until Ctrl-C"),
        ("octavo serve --open", "and open a browser"),
        ("octavo serve --sync daily", "and bring the catalogue up to date after each announcement"),
        ("octavo serve --port 9000", "at another port"),
    ),
)
@click.option("--host", help="The address to listen on, one of this machine's own; else as configured: 127.0.0.1.")
@click.option("--port", type=click.IntRange(0, 65_535), help="The port, 0 for any free one; else as configured: 8737.")
@click.option("--open", "open_browser", is_flag=True, help="Open the pages in a browser.")
@click.option("--sync", "every", type=click.Choice(("daily", "hourly")), help="Also do what `octavo sync` does.")
def serve(settings: Settings, host: str | None, port: int | None, open_browser: bool, every: str | None) -> int:
    """Show the catalogue as web pages, on this machine only, until Ctrl-C.

    Nothing is fetched for a page, and no page loads anything from elsewhere. With `--sync` the sources that the
    configuration names (`octavo config`) are asked meanwhile: `hourly` at most once an hour, `daily` at the start
    and after each announcement of arXiv's. Adding files in another terminal shows at once.

    With --json, one line with the address.
    """
    from octavo.web.server import WebServer, address_of, listen

    with settings.open() as octavo:
        home = octavo.home
        listener = listen(*_where(octavo, host, port))
    address = address_of(listener)
    if settings.as_json:
        write_json({"address": address, "home": str(home)})
    else:
        click.echo(f"Octavo is at {address}  (Ctrl-C ends it)")
    syncing = _syncing(home, every)
    try:
        WebServer(listener, home, (lambda: _open(address)) if open_browser else lambda: None).run()
    finally:
        if syncing:
            syncing.stop()
    return DONE


def _where(octavo: Octavo, host: str | None, port: int | None) -> tuple[str, int]:
    """Where to listen: as is said here, else as configured."""
    if host is not None and port is not None:
        return host, port
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
