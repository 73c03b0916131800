"""The door of the pages where a password is set: a login page, sessions, and nothing else for those without one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from octavo.web.asked import COOKIE, Asked
from octavo.web.password import MOST_LETTERS, SESSION, Keeper, Password, Tries
from octavo.web.render import render, to_json
from octavo.web.safety import is_local_path, is_own_request

LOGIN, LOGOUT = "/login", "/logout"
SESSION_COOKIE = f"{COOKIE}session"
_MOST_BYTES = 20_000
_MOST_NEXT = 2_000
_OPEN = ("/static/",)
"""What the login page itself is made of."""


class Door:
    """Asks whoever has no session for the password. Stands behind the guard of hosts."""

    def __init__(
        self, app: ASGIApp, keeper: Keeper, asked_of: Callable[[Request], Asked], *, is_always_shut: bool
    ) -> None:
        """Stand before `app`; `asked_of` reads the language of a request. It is shut as soon as a password is set, or
        always, so that who takes the password away lets nobody in."""
        self._app, self._keeper, self._asked_of = app, keeper, asked_of
        self._is_always_shut = is_always_shut
        self._tries = Tries()
        self._one_at_a_time = asyncio.Semaphore(1)  # a hash takes 64 MB

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or not (self._is_always_shut or self._keeper.is_set):
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        path = str(scope["path"])
        password = self._keeper.password()
        cookie = request.cookies.get(SESSION_COOKIE, "")
        is_in = password is not None and password.is_session(cookie)
        if path == LOGIN and request.method == "POST":
            response = await self._let_in(request, password)
        elif path == LOGOUT:
            response = await self._let_out(request, password if is_in else None, cookie)
        elif path == LOGIN:
            response = self._page(request, token=password.token(cookie) if is_in and password else "")
        elif is_in or path.startswith(_OPEN):
            scope["octavo.signed_in"] = is_in
            await self._app(scope, receive, send)
            return
        else:
            response = self._refusal(request)
        await response(scope, receive, send)

    async def _let_in(self, request: Request, password: Password | None) -> Response:
        """Start a session for the right password."""
        say = self._asked_of(request).language.say
        if not is_own_request(request.headers):
            return self._page(request, say("This was sent from a page of another site, and is refused."), status=403)
        form = await _form(request)
        typed = form.get("password", "")
        if not typed or len(typed) > MOST_LETTERS or password is None:
            return self._page(request, say("That is not the password."), form.get("next", ""), status=403)
        address = request.client.host if request.client else ""
        if wait := self._tries.wait(address):
            seconds = int(wait) + 1
            message = self._asked_of(request).language.count(
                "Too many wrong passwords. Wait {n} second.", "Too many wrong passwords. Wait {n} seconds.", seconds
            )
            response = self._page(request, message, form.get("next", ""), status=429)
            response.headers["Retry-After"] = str(seconds)
            return response
        async with self._one_at_a_time:
            is_right = await asyncio.to_thread(password.is_right, typed)
        if not is_right:
            return self._page(request, say("That is not the password."), form.get("next", ""), status=403)
        self._tries.forgive(address)
        response = Response(status_code=303, headers={"Location": _back(form.get("next", ""))})
        _set(response, request, password.new_session(), SESSION)
        return response

    async def _let_out(self, request: Request, password: Password | None, cookie: str) -> Response:
        """End a session; sent by a form only, since a link may be followed by whoever likes."""
        if request.method != "POST":
            return Response(status_code=303, headers={"Location": LOGIN})
        form = await _form(request)
        is_meant = is_own_request(request.headers) and password and password.is_token(cookie, form.get("token", ""))
        response = Response(status_code=303, headers={"Location": LOGIN})
        if is_meant:
            _set(response, request, "", 0)
        return response

    def _refusal(self, request: Request) -> Response:
        """What whoever has no session is told: where to log in, and nothing of what is there."""
        asked = self._asked_of(request)
        if asked.kind != "html" or request.method != "GET":
            message = asked.language.say("These pages ask for a password.")
            body = to_json({"error": {"kind": "refused", "message": message, "hint": LOGIN}})
            return _plain(body, 401, "application/json")
        path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        query = f"?{urlencode({'next': path})}" if is_local_path(path) and 1 < len(path) < _MOST_NEXT else ""
        return _plain(b"", 303, headers={"Location": LOGIN + query})

    def _page(
        self, request: Request, fault: str = "", back: str = "", *, token: str = "", status: int = 200
    ) -> Response:
        asked = self._asked_of(request)
        back = back or asked.values.get("next", "")
        values = {"fault": fault, "next": back if is_local_path(back) else "", "token": token}
        body = render("login.html", asked, values).encode("utf-8", "replace")
        return _plain(body, status, "text/html; charset=utf-8")


def _plain(body: bytes, status: int, media: str = "", headers: Mapping[str, str] | None = None) -> Response:
    kept = {"Cache-Control": "no-store", **(headers or {})}
    return Response(body, status, headers=kept, media_type=media or None)


def _back(path: str) -> str:
    """Where a login leads: a page of Octavo's own."""
    own = is_local_path(path) and len(path) < _MOST_NEXT and not path.startswith((LOGIN, LOGOUT))
    return path if own else "/"


def _set(response: Response, request: Request, value: str, seconds: int) -> None:
    response.headers["Cache-Control"] = "no-store"
    response.set_cookie(
        SESSION_COOKIE,
        value,
        max_age=seconds,
        path="/",
        httponly=True,
        samesite="strict",
        # Over TLS, which a proxy in front ends: it says so by the origin of the form.
        secure=request.headers.get("origin", "").startswith("https://"),
    )


async def _form(request: Request) -> dict[str, str]:
    """What was sent, as far as it is a form of that size."""
    body = bytearray()
    async for part in request.stream():
        body += part[: _MOST_BYTES + 1 - len(body)]
    if len(body) > _MOST_BYTES:
        return {}
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
