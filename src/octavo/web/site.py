"""The pages as one ASGI application: from a request to a page's values, and from its answer to a response."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from octavo.app import Octavo
from octavo.errors import OctavoError
from octavo.export.feeds import FEEDS, Feed, feed
from octavo.web.asked import CHOICES, COOKIE, KINDS, Answer, Asked, Page
from octavo.web.door import Door
from octavo.web.errors import PageError, kind_of, status_of
from octavo.web.language import choose, language
from octavo.web.mine import Mine
from octavo.web.pages import PAGES
from octavo.web.password import Keeper
from octavo.web.phrases import phrase
from octavo.web.pool import Pool
from octavo.web.render import STATIC, render, to_json
from octavo.web.safety import HEADERS, LOOPBACK, MAX_BODY, MAX_DRAINED, Access, is_own_host, is_own_request

_INDEX = "/index"
"""What `/` is called where an ending has to follow."""
_MEDIA = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "bib": "application/x-bibtex; charset=utf-8",
    **{form: f"{media}; charset=utf-8" for form, media in FEEDS.items()},
}
_YEAR = 365 * 24 * 3600
_FORM = "application/x-www-form-urlencoded"
_MOST_VALUES = 50
_OVERRIDES = re.compile(r"[\u202a-\u202e]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_LOG = logging.getLogger(__name__)


def make_site(pool: Pool, access: Access = LOOPBACK, keeper: Keeper | None = None) -> Starlette:
    """The application; its questions are answered by `pool`. With `keeper` it asks for the password that is set."""
    routes = [route for page in PAGES for route in _routes(page, pool)]
    routes.append(Route("/static/{name}", _static))
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(Guard, access),
            *([Middleware(Door, keeper, asked_of, is_always_shut=access.needs_password)] if keeper else []),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={HTTPException: _tell},
    )


def _routes(page: Page, pool: Pool) -> list[Route]:
    methods = ["GET", "POST"] if page.takes_form else ["GET"]
    stem = _INDEX if page.path == "/" else page.path
    endpoint = partial(_answer, page, pool)
    paths = [*(f"{stem}.{kind}" for kind in page.kinds), page.path]
    return [Route(path, endpoint, methods=methods) for path in paths]


async def _answer(page: Page, pool: Pool, request: Request) -> Response:
    """Have a page answered in a thread of the pool."""
    try:
        asked = asked_of(request, await _form(request) if request.method == "POST" else None)
        base = str(request.base_url).rstrip("/")
        question = pool.submit(lambda octavo: _written(octavo, page.answer(octavo, asked), asked, base))
        answer, body = await asyncio.wrap_future(question)
    except Exception as error:  # Starlette's own handler for what is unexpected stands before the guard's headers
        return _tell(request, error)
    return _response(request, asked, answer, body)


def _written(octavo: Octavo, answer: Answer, asked: Asked, base: str) -> tuple[Answer, bytes]:
    """The answer and its bytes; made in the thread of the pool, since it takes the most of a page's time."""
    if answer.location:
        return answer, b""
    if asked.as_json:
        return answer, to_json(answer.data)
    if asked.kind == "bib":
        names = [paper.id for paper in answer.papers]
        return answer, "".join(octavo.export("bibtex", names=names) if names else ()).encode("utf-8", "replace")
    if asked.kind in FEEDS:
        here, own = (base + asked.with_values(page=None, kind=kind) for kind in ("", asked.kind))
        about = Feed(answer.title, here, own, base, asked.language.code)
        return answer, feed(asked.kind, about, answer.papers).encode("utf-8", "replace")
    values = {"mine": _mine(octavo, answer), **answer.values}
    return answer, render(answer.template, asked, values).encode("utf-8", "replace")


def _mine(octavo: Octavo, answer: Answer) -> Mine:
    shown = answer.values.get("written")
    return Mine(octavo, shown if isinstance(shown, dict) else ())


def _response(request: Request, asked: Asked, answer: Answer, body: bytes) -> Response:
    kind = asked.kind if asked.as_json or answer.status == 200 else "html"
    response = Response(body, answer.status, media_type=_MEDIA[kind])
    if answer.location:
        response.status_code = 303 if request.method == "POST" else 302
        response.headers["Location"] = answer.location
    # Always asked for anew: what is shown follows the catalogue, the language and the reader's choices.
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Cookie, Accept-Language"
    response.headers["Content-Language"] = asked.language.code
    _remember(request, response, asked, answer)
    return response


def _remember(request: Request, response: Response, asked: Asked, answer: Answer) -> None:
    """Keep what the address chose, and nothing else: it is how pages look to this reader, and holds no data."""
    chosen = {name: asked.choices[name] for name in CHOICES if request.query_params.get(name) == asked.choices[name]}
    if choose(request.query_params.get("lang", ""), "", "") == asked.language.code and "lang" in request.query_params:
        chosen["lang"] = asked.language.code
    chosen.update(answer.cookies)
    for name, value in chosen.items():
        response.set_cookie(COOKIE + name, value, max_age=_YEAR, httponly=True, samesite="lax")


def asked_of(request: Request, form: Mapping[str, str] | None = None) -> Asked:
    """What a request asks for."""
    values = {name: _fit(value) for name, value in request.query_params.multi_items()[:_MOST_VALUES]}
    path, kind = str(request.scope["path"]), "html"
    for ending in KINDS[1:]:
        if path.endswith(f".{ending}") and not path.startswith("/static/"):
            path, kind = path.removesuffix(f".{ending}"), ending
    path = "/" if path == _INDEX and kind != "html" else path
    code = choose(
        values.get("lang", ""), request.cookies.get(f"{COOKIE}lang", ""), request.headers.get("accept-language", "")
    )
    choices = {
        name: next(
            (said for said in (values.get(name), request.cookies.get(COOKIE + name)) if said in allowed), allowed[0]
        )
        for name, allowed in CHOICES.items()
    }
    return Asked(
        path=path,
        values=values,
        language=language(code),
        choices={name: str(value) for name, value in choices.items()},
        names={name: _fit(str(value), "\ufffd") for name, value in request.path_params.items()},
        form=form,
        kind=kind,
        visit=request.cookies.get(f"{COOKIE}visit", ""),
        is_signed_in=bool(request.scope.get("octavo.signed_in")),
    )


def _fit(text: str, instead: str = " ") -> str:
    """What was sent without what turns a line around, and with a sign or blank for what is no sign at all."""
    return _CONTROLS.sub(instead, _OVERRIDES.sub("", text))


async def _form(request: Request) -> dict[str, str]:
    """What was sent, from a page of Octavo's own.

    Raises:
        PageError: it came from elsewhere, is too large, or is no form.
    """
    say = asked_of(request).language.say
    if not is_own_request(request.headers):
        raise PageError(403, say("This was sent from a page of another site, and is refused."), kind="refused")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise PageError(415, say("Only a form can be sent here."), say("Its type is {type}.", type=_FORM), kind="usage")
    body = bytearray()
    length = 0
    async for part in request.stream():
        length += len(part)
        if length <= MAX_BODY:
            body += part
        elif length > MAX_DRAINED:
            break
    if length > MAX_BODY:
        raise PageError(
            413,
            say("That is too much: at most {n} bytes are taken.", n=asked_of(request).language.number(MAX_BODY)),
            say("`octavo identify FILE` takes any number of texts.")
            if request.url.path.startswith("/identify")
            else "",
            kind="limit",
        )
    sent = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)[:_MOST_VALUES]
    return {name: _fit(value) for name, value in sent}


async def _static(request: Request) -> Response:
    """A file of the pages' own."""
    name = request.path_params["name"]
    if name not in {path.name for path in STATIC.iterdir()}:
        raise HTTPException(404)
    # The address has the content's digest, so that what a browser keeps is never an older one.
    return FileResponse(STATIC / name, headers={"Cache-Control": f"public, max-age={_YEAR}, immutable"})


# -- what went wrong --------------------------------------------------------------------------------------------------


def told(asked: Asked, error: Exception) -> tuple[PageError, int]:
    """An error as a page can show it, and its status."""
    say = asked.language.say
    if isinstance(error, PageError):
        return error, error.status
    if isinstance(error, OctavoError):
        status = status_of(error)
        said, hint = (phrase(asked.language, text) for text in (error.message, error.hint))
        return PageError(status, said, hint, kind=kind_of(error)), status
    if isinstance(error, HTTPException):
        if error.status_code == 405:
            fault = PageError(405, say("This address is only to be looked at; nothing can be sent to it."))
            return fault, 405
        return PageError(404, say("There is no such page."), say("The address may be mistyped.")), 404
    _LOG.error("A page failed.", exc_info=error)
    name = f"{type(error).__name__}: {error}"
    return PageError(500, say("This is a fault of Octavo: {error}", error=name[:300]), kind="fault"), 500


def _tell(request: Request, error: Exception) -> Response:
    """The page for an error."""
    asked = asked_of(request)
    fault, status = told(asked, error)
    if asked.as_json:
        body = to_json({"error": {"kind": fault.kind, "message": fault.message, "hint": fault.hint or None}})
    else:
        body = render("error.html", asked, {"fault": fault, "status": status}).encode("utf-8", "replace")
    response = _response(request, asked, Answer("error.html", status=status), body)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response


# -- before and after every page ---------------------------------------------------------------------------------------


class Guard:
    """Refuses what is not meant for this machine, and sends the headers of `safety` with every answer."""

    def __init__(self, app: ASGIApp, access: Access = LOOPBACK) -> None:
        """Stand before `app`, which is known by the names of `access`."""
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._inner(scope)(scope, receive, with_headers)

    def _inner(self, scope: Scope) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
        request = Request(scope)
        if is_own_host(request.headers.get("host", ""), self._access.names, is_open=self._access.is_open):
            return self._app
        say = asked_of(request).language.say
        fault = PageError(
            403,
            say("This address is not Octavo's: only 127.0.0.1 and localhost lead here."),
            say("Another site may have led your browser to this machine."),
            kind="refused",
        )
        return _tell(request, fault)
