"""The server: a socket, on loopback unless there is a password, the pages behind it, and what ends it."""

from __future__ import annotations

import errno
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from octavo.errors import BusyError, UsageError
from octavo.web.safety import Access, is_loopback

BACKLOG = 128
WARMS_AFTER = 0.7
"""Seconds after which the pages prepare for what the reader may do next."""


def listen(host: str, port: int, *, has_password: bool = False) -> socket.socket:
    """A socket that listens: from now on a browser that asks waits until the pages answer.

    Raises:
        UsageError: others can reach the address and there is no password, or it can't be had, or may not be.
        BusyError: another program has the port.
    """
    if not has_password and not is_loopback(host):
        raise UsageError(
            f"{host or 'That address'} can be reached from other machines, and no password is set.",
            hint="Set one with `octavo config password`; or take 127.0.0.1, and an ssh tunnel from elsewhere: "
            f"`ssh -L {port}:127.0.0.1:{port} THIS-MACHINE`.",
        )
    name = host.strip("[]")
    listener = socket.socket(socket.AF_INET6 if ":" in name else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # On Windows the option means another thing: two programs could have the port.
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((name, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise _told(error, host, port) from error
    return listener


def _told(error: OSError, host: str, port: int) -> BusyError | UsageError:
    if error.errno == errno.EADDRINUSE:
        return BusyError(
            f"Port {port} of {host} is taken, perhaps by another `octavo serve`.",
            hint=f"Choose another: `octavo serve --port {port + 1 if port < 65_535 else port - 1}`.",
        )
    if error.errno == errno.EACCES:
        return UsageError(
            f"Port {port} of {host} may not be used by you.", hint="Choose one from 1024 on with `--port`."
        )
    return UsageError(f"Nothing can listen on port {port} of {host}: {error.strerror or error}.")


def address_of(listener: socket.socket) -> str:
    """The address to open in a browser."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not listened on
        host = socket.gethostname()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def access_of(listener: socket.socket, names: Iterable[str] = ()) -> Access:
    """Under which names the pages on a socket may be asked for."""
    known = {name.rstrip(".").lower() for name in names if name}
    is_open = not is_loopback(listener.getsockname()[0])
    if is_open:
        own = socket.gethostname().lower()
        known |= {own, own.partition(".")[0], f"{own.partition('.')[0]}.local"}
    return Access(frozenset(known), is_open)


class WebServer:
    """Answers on a socket until Ctrl-C, a signal to end, or `stop`."""

    def __init__(
        self, listener: socket.socket, home: Path, ready: Callable[[], None] = lambda: None, names: Iterable[str] = ()
    ) -> None:
        """Show the catalogue in `home`; `ready` is called once the pages answer. The socket is closed at the end.
        `names` are names of this machine's, or of a proxy before it, by which the pages may be asked for."""
        # Late: the socket takes questions while these are loaded.
        import uvicorn

        from octavo.web.pages import complete
        from octavo.web.password import Keeper
        from octavo.web.pool import Pool
        from octavo.web.site import make_site

        class Server(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                if self.started:
                    ready()
                    warmer.start()

        self._listener = listener
        self._pool = pool = Pool(home)
        # What completes a query is read after the first page, which it would hold up.
        warmer = threading.Timer(WARMS_AFTER, lambda: pool.submit(complete.warm_up))
        warmer.daemon = True
        self._warmer = warmer
        self._server = Server(
            uvicorn.Config(
                make_site(self._pool, access_of(listener, names), Keeper(home)),
                log_config=None,
                access_log=False,
                lifespan="off",
                http="h11",
                ws="none",
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=1,
                timeout_keep_alive=30,
                h11_max_incomplete_event_size=64 * 1024,
            )
        )

    def run(self) -> None:
        """Answer; returns when that is over."""
        if threading.current_thread() is threading.main_thread():
            # uvicorn ends well at either signal, and then lets it do what it would have done: this, not kill.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            self._server.run(sockets=[self._listener])
        except KeyboardInterrupt:
            return  # how a server is ended
        finally:
            self._warmer.cancel()
            self._listener.close()
            self._pool.close()

    def stop(self) -> None:
        """End within a second or two; may be called from any thread."""
        self._server.should_exit = True
