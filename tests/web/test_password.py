"""The password of the pages: how it is kept, who is let in, and what whoever is not sees."""

from __future__ import annotations

import json
import socket
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from octavo.cli.program import octavo as program
from octavo.cli.serve_command import USUAL
from octavo.errors import UsageError
from octavo.settings import load_settings
from octavo.web.password import (
    PAUSE,
    SESSION,
    TRIES,
    Keeper,
    Password,
    Tries,
    load_password,
    password_path,
    remove_password,
    set_password,
)
from octavo.web.safety import Access, is_own_host
from octavo.web.server import WebServer, access_of, address_of, listen
from tests.web.conftest import Elements
from tests.web.gallery import announce, fill

WORDS = "plain tiles fold twice"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a password; not to be written to."""
    home = tmp_path_factory.mktemp("locked") / "home"
    fill(home)
    announce(home)
    set_password(home, WORDS)
    return home


@contextmanager
def served(home: Path, *, names: tuple[str, ...] = ()) -> Iterator[httpx.Client]:
    listener = listen("127.0.0.1", 0, has_password=True)
    ready = threading.Event()
    server = WebServer(listener, home, ready.set, names)
    thread = threading.Thread(target=server.run)
    address = address_of(listener)
    thread.start()
    try:
        assert ready.wait(30)
        with httpx.Client(base_url=address, headers={"Accept-Language": "en"}, trust_env=False, timeout=60) as client:
            yield client
    finally:
        server.stop()
        thread.join(30)


@pytest.fixture
def client(locked: Path) -> Iterator[httpx.Client]:
    with served(locked) as client:
        yield client


def log_in(client: httpx.Client, text: str = WORDS, **more: str) -> httpx.Response:
    return client.post("/login", data={"password": text, **more})


# -- how it is kept ---------------------------------------------------------------------------------------------------


def test_a_password_is_kept_as_a_hash_that_only_its_owner_may_read(tmp_path: Path) -> None:
    set_password(tmp_path, WORDS)
    path = password_path(tmp_path)
    text = path.read_text(encoding="utf-8")
    assert WORDS not in text
    assert json.loads(text)["hash"].startswith("$argon2id$")
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = load_password(tmp_path)
    assert found is not None
    assert found.is_right(WORDS)
    assert not found.is_right(WORDS + " ")
    assert not found.is_right("x" * 100_000)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_accents_may_be_typed_in_either_way(tmp_path: Path) -> None:
    set_password(tmp_path, "caf\u00e9 and more")
    found = load_password(tmp_path)
    assert found is not None
    assert found.is_right("cafe\u0301 and more")


@pytest.mark.parametrize("text", ["", "short", "x" * 9, "x" * 501])
def test_a_password_that_is_too_short_or_long_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match="10 to 500"):
        set_password(tmp_path, text)
    assert load_password(tmp_path) is None


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    set_password(tmp_path, WORDS)
    password_path(tmp_path).chmod(0o644)
    with pytest.raises(UsageError, match="Others may read"):
        load_password(tmp_path)
    assert Keeper(tmp_path).is_set
    assert Keeper(tmp_path).password() is None, "nobody is let in"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"form": 1}', '{"form": 1, "hash": "$argon2id$x", "secret": "ab"}', '{"form": 2}']
)
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    password_path(tmp_path).write_text(text, encoding="utf-8")
    password_path(tmp_path).chmod(0o600)
    with pytest.raises(UsageError, match="damaged"):
        load_password(tmp_path)


def test_a_session_ends_by_time_by_tampering_and_with_its_password(tmp_path: Path) -> None:
    one, other = Password("", b"a" * 32), Password("", b"b" * 32)
    cookie = one.new_session(1_000.0)
    assert one.is_session(cookie, 1_001.0)
    assert one.is_session(cookie, 1_000.0 + SESSION - 1)
    assert not one.is_session(cookie, 1_000.0 + SESSION + 1)
    assert not other.is_session(cookie, 1_001.0)
    until, rest = cookie.split(".", 1)
    for changed in (f"{int(until) + 9}.{rest}", cookie[:-1], "", "..", f"{until}.", "\ud800.é.x"):
        assert not one.is_session(changed, 1_001.0)
    assert not one.is_token(cookie, one.token("another"))


def test_wrong_passwords_are_limited_by_address_and_in_all() -> None:
    tries = Tries()
    assert [tries.wait("a", 0.0) for _ in range(TRIES)] == [0.0] * TRIES
    assert 0 < tries.wait("a", 0.0) <= PAUSE
    assert tries.wait("b", 0.0) == 0, "another address may"
    assert tries.wait("a", PAUSE + 0.1) == 0
    assert tries.wait("a", PAUSE + 0.2) > 0
    many = Tries()
    waits = [many.wait(f"address {n}", 0.0) for n in range(100)]
    assert any(waits), "nor may a crowd of addresses go on"
    assert not waits[0]


# -- who is let in ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/search?q=tile", "/abs/2101.00010", "/library", "/venues", "/none", "/sources", "/complete?q=a"]
)
def test_whoever_has_no_session_sees_the_login_and_nothing_else(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/login")
    assert answer.text == ""
    assert "content-security-policy" in answer.headers
    page = client.get(answer.headers["location"])
    assert page.status_code == 200
    assert [one["type"] for one in Elements(page.text).all("input")] == ["hidden", "password"]
    assert "Tiles" not in page.text
    assert "paper" not in Elements(page.text).text


@pytest.mark.parametrize(
    "path", ["/index.json", "/search.json?q=tile", "/search.bib?q=tile", "/index.atom", "/complete.json?q=t"]
)
def test_a_program_without_a_session_is_told_so(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 401
    assert answer.json()["error"]["kind"] == "refused"
    assert "Tiles" not in answer.text


def test_a_form_without_a_session_changes_nothing(client: httpx.Client) -> None:
    assert client.post("/library", data={"do": "save:paaaaaaaaaaaa"}).status_code == 401
    assert client.post("/identify", data={"text": "2101.00010"}).status_code == 401


def test_the_right_password_opens_the_pages_until_one_logs_out(client: httpx.Client) -> None:
    assert log_in(client, "something else").status_code == 403
    answer = log_in(client, next="/search?q=tile")
    assert (answer.status_code, answer.headers["location"]) == (303, "/search?q=tile")
    cookie = answer.headers["set-cookie"].lower()
    for said in ("httponly", "samesite=strict", f"max-age={SESSION}", "path=/"):
        assert said in cookie
    page = client.get("/search?q=tile")
    assert "Tiles" in page.text
    assert "Log out" in page.text
    assert client.get("/logout").status_code == 303
    assert client.get("/").status_code == 200, "a link logs nobody out (F08)"
    assert client.post("/logout", data={"token": "wrong"}).status_code == 303
    assert client.get("/").status_code == 200
    token = next(one["value"] for one in Elements(client.get("/login").text).all("input") if one["name"] == "token")
    client.post("/logout", data={"token": token})
    assert client.get("/").status_code == 303


@pytest.mark.parametrize(
    "back",
    [
        "//other.example",
        "https://other.example",
        "/\\other.example",
        "/\t/other.example",
        "/login?next=/login",
        "",
        "/" + "a" * 3_000,
    ],
)
def test_a_login_leads_to_own_pages_only(client: httpx.Client, back: str) -> None:
    """Pitfall F09."""
    assert log_in(client, next=back).headers["location"] == "/"
    assert not [
        one
        for one in Elements(client.get("/login", params={"next": back}).text).all("a")
        if "other.example" in one["href"].split("?")[0]
    ]


def test_a_login_from_another_site_is_refused(client: httpx.Client) -> None:
    answer = client.post("/login", data={"password": WORDS}, headers={"Origin": "https://other.example"})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_too_many_tries_have_to_wait(locked: Path) -> None:
    with served(locked) as client:
        codes = [log_in(client, f"wrong {n}").status_code for n in range(TRIES + 1)]
        assert codes == [403] * TRIES + [429]
        answer = log_in(client)
        assert answer.status_code == 429, "the right one has to wait, too"
        assert int(answer.headers["retry-after"]) > 0


def test_the_login_is_in_both_languages(client: httpx.Client) -> None:
    chinese = client.get("/login", headers={"Accept-Language": "zh-CN"})
    assert 'lang="zh-CN"' in chinese.text
    assert "登录" in chinese.text


def test_a_large_or_odd_body_lets_nobody_in(client: httpx.Client) -> None:
    for body in (b"password=" + b"a" * 3_000_000, b"\xff\xfe", b"", b"password=%00"):
        assert client.post("/login", content=body, headers=FORM).status_code == 403


def test_a_new_password_ends_sessions_and_none_lets_nobody_in(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home)
    set_password(home, WORDS)
    with served(home, names=("papers.example",)) as client:
        log_in(client)
        assert client.get("/").status_code == 200
        set_password(home, WORDS + " again")
        assert client.get("/").status_code == 303
        assert log_in(client, WORDS + " again").status_code == 303
        assert client.get("/").status_code == 200
        remove_password(home)
        assert client.get("/").status_code == 303
        assert log_in(client, WORDS + " again").status_code == 403


def test_a_password_that_is_set_meanwhile_is_asked_for(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home)
    with served(home) as client:
        assert client.get("/").status_code == 200
        set_password(home, WORDS)
        assert client.get("/").status_code == 303


# -- where ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "papers.example"])
def test_another_address_is_refused_without_a_password(host: str) -> None:
    with pytest.raises(UsageError, match="no password"):
        listen(host, 0)


def test_an_open_address_is_known_by_numbers_and_own_names_only() -> None:
    with listen("0.0.0.0", 0, has_password=True) as listener:
        access = access_of(listener, ["Papers.Example."])
    assert access.needs_password
    own = socket.gethostname()
    for host in ("192.168.1.5:8737", "[fe80::1]:8737", "papers.example", "127.0.0.1", own):
        assert is_own_host(host, access.names, is_open=access.is_open), host
    for host in ("evil.example", "192.168.1.5.evil.example", "papers.example.evil.example", "0.0.0.0", "", "a b"):
        assert not is_own_host(host, access.names, is_open=access.is_open), host
    assert not is_own_host("192.168.1.5"), "on loopback not even numbers"
    assert Access(frozenset({"papers.example"})).needs_password


def test_the_command_sets_and_removes_the_password(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    run = CliRunner().invoke
    short = run(program, ["--home", home, "config", "password"], input="short\n")
    assert short.exit_code == 2
    done = run(program, ["--home", home, "config", "password", "--json"], input=WORDS + "\n")
    assert done.exit_code == 0
    assert WORDS not in done.output
    found = load_password(Path(home))
    assert found is not None
    assert found.is_right(WORDS)
    assert json.loads(run(program, ["--home", home, "config", "password", "--remove", "--json"]).output)["was_changed"]
    assert load_password(Path(home)) is None
    named = run(program, ["--home", home, "serve", "--name", "papers.example"])
    assert named.exit_code == 2
    assert "octavo config password" in named.output


def test_the_usual_address_is_that_of_the_configuration(tmp_path: Path) -> None:
    said = load_settings(tmp_path, {}).serve
    assert (said.host, said.port) == USUAL
