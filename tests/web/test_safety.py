"""What keeps other sites and what sources wrote from doing anything. Numbers are those of the list of pitfalls."""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

import httpx
import pytest

from octavo.records.paper import Paper, PaperId
from octavo.web.links import links_of
from octavo.web.safety import MAX_BODY, is_local_path, is_own_host, is_own_request, safe_address
from tests.web.conftest import Elements

ADDRESSES = [
    "/",
    "/search?q=bound",
    "/abs/2101.10001",
    "/list/cs.LG/new?abstracts=open",
    "/identify?text=2101.10001",
    "/nothing",
    "/sources",
]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    "path", [*ADDRESSES, "/search.json?q=a", "/static/octavo.css", "/static/none", "/paper/none.json"]
)
def test_every_answer_has_the_headers(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


@pytest.mark.parametrize("path", ADDRESSES)
def test_nothing_of_a_source_can_run(client: httpx.Client, path: str) -> None:
    """Pitfalls F01 and F02: every element and attribute of a page is one that its templates or MathML have."""
    found = Elements(client.get(path, follow_redirects=True).text)
    for name, attributes in found.found:
        assert name not in ("svg", "iframe", "object", "embed", "style", "b", "img", "base")
        assert not [one for one in attributes if one.startswith("on") or one in ("style", "srcdoc")]
        if name == "script":
            assert attributes["src"].startswith("/static/octavo.js?")
        for one in ("href", "src", "action"):
            if one in attributes and not attributes[one].startswith("#"):
                assert is_local_path(attributes[one]) or safe_address(attributes[one]), attributes[one]


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_page_loads_nothing_from_elsewhere(client: httpx.Client, path: str) -> None:
    found = Elements(client.get(path, follow_redirects=True).text)
    loaded = [attributes["src"] for _, attributes in found.found if "src" in attributes]
    loaded += [one["href"] for one in found.all("link") if one["rel"] in ("stylesheet", "icon")]
    assert loaded
    for address in loaded:
        assert address.startswith("/static/")
        assert client.get(address).status_code == 200


def test_hostile_text_is_shown_as_text(client: httpx.Client) -> None:
    found = Elements(client.get("/abs/2101.10001", follow_redirects=True).text)
    assert "<b onmouseover=alert(1)>A</b>" in found.text
    assert r"\def\q{zzzz}" in found.text, "a macro is not expanded but shown (F02)"
    assert any(attributes.get("class") == "tex" for attributes in found.all("code"))


# -- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x",
        "//other.example", "https:other.example", "https://", "http:///x", "https://a.example\\@b.example", "https://a@b.example/",
        "https://a.example/\u202egpj.exe", "https://a.example/a b", 'https://a.example/"onclick=', "ftp://a.example", "", "https://[::1",
    ],
)  # fmt: skip
def test_an_address_that_is_not_plainly_http_is_no_link(address: str) -> None:
    assert safe_address(address) == ""
    paper = Paper(PaperId("paaaaaaaaaaaa"), "A", (), links=(("pdf", address), ("code", "https://example.org/code")))
    assert [link.address for link in links_of(paper)] == ["https://example.org/code"]


@pytest.mark.parametrize(
    "address", ["https://a.example/b?c=d#e", "http://a.example:8000/", "https://xn--bcher-kva.example/ü"]
)
def test_an_address_of_the_web_is_a_link(address: str) -> None:
    assert safe_address(address) == address


@pytest.mark.parametrize("path", ["//other.example", "https://other.example", "/\\other.example", "other", "", "/a\nb"])
def test_only_a_local_path_leads_back(path: str) -> None:
    """Pitfall F09."""
    assert not is_local_path(path)


def test_a_link_out_tells_no_referrer(client: httpx.Client) -> None:
    for path in ADDRESSES:
        for one in Elements(client.get(path, follow_redirects=True).text).all("a"):
            if urlsplit(one["href"]).netloc:
                assert {"noopener", "noreferrer", "nofollow"} <= set(one["rel"].split())


def test_slashes_at_the_start_of_an_address_make_no_link_elsewhere(address: str) -> None:
    """Pitfall F09: `//other.example` as the path of a page that offers itself in another language."""
    host, port = urlsplit(address).hostname or "", urlsplit(address).port or 0
    with socket.create_connection((host, port), 10) as connection:
        connection.sendall(b"GET //other.example/%5c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    assert "404" in answer.splitlines()[0]
    assert "lang=zh-CN" in answer
    assert not re.search(r'href="//', answer)


# -- whose requests ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("127.0.0.1:8737", True), ("localhost", True), ("LOCALHOST.:9000", True), ("[::1]:8737", True), ("127.9.9.9", True),
        ("evil.example", False), ("evil.example:8737", False), ("127.0.0.1.evil.example", False), ("localhost.evil.example", False),
        ("", False), ("0.0.0.0:8737", False), ("user@localhost", False), ("localhost:8737/x", False), ("[::2]", False), ("::1", False),
    ],
)  # fmt: skip
def test_only_this_machines_names_are_answered(client: httpx.Client, host: str, is_own: bool) -> None:
    """A name that leads to 127.0.0.1 (DNS rebinding) reads nothing."""
    assert is_own_host(host) is is_own
    for path in ("/", "/index.json", "/static/octavo.css", "/none"):
        answer = client.get(path, headers={"Host": host})
        assert (answer.status_code == 403) is not is_own
        assert "content-security-policy" in answer.headers
        if not is_own:
            assert "Tiles" not in answer.text


@pytest.mark.parametrize(
    ("headers", "is_own"),
    [
        ({"Origin": "http://127.0.0.1:8737", "Host": "127.0.0.1:8737"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null", "Host": "127.0.0.1:8737"}, True),
        ({"Host": "127.0.0.1:8737"}, True),
        ({"Origin": "https://other.example", "Host": "127.0.0.1:8737"}, False),
        ({"Origin": "null", "Host": "127.0.0.1:8737"}, False),
        ({"Origin": "http://127.0.0.1:9999", "Host": "127.0.0.1:8737"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Host": "127.0.0.1:8737"}, False),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:8737", "Host": "127.0.0.1:8737"}, False),
    ],
)
def test_what_is_sent_comes_from_an_own_page(client: httpx.Client, headers: dict[str, str], is_own: bool) -> None:
    """Pitfall F08."""
    assert is_own_request({name.lower(): value for name, value in headers.items()}) is is_own
    answer = client.post("/identify", content="text=2101.00010", headers=FORM | headers)
    assert answer.status_code == (200 if is_own else 403)
    assert ("Tiles" in answer.text) is is_own


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("path", ["/", "/search", "/abs/2101.00010", "/sources"])
def test_pages_are_only_looked_at(client: httpx.Client, method: str, path: str) -> None:
    answer = client.request(method, path)
    assert answer.status_code == 405
    assert answer.headers["allow"]
    assert "only to be looked at" in Elements(answer.text).text


@pytest.mark.parametrize("size", [MAX_BODY + 1, 3_000_000])
def test_a_large_body_is_refused_with_a_page(client: httpx.Client, size: int) -> None:
    answer = client.post("/identify", content=b"text=" + b"a" * size, headers=FORM)
    assert answer.status_code == 413
    assert "at most 200,000 bytes" in Elements(answer.text).text
    in_chunks = client.post("/identify.json", content=(b"a" * 50_000 for _ in range(size // 50_000 + 1)), headers=FORM)
    assert in_chunks.status_code == 413
    assert in_chunks.json()["error"]["kind"] == "limit"


def test_only_a_form_is_taken(client: httpx.Client) -> None:
    assert client.post("/identify", json={"text": "a"}).status_code == 415
    assert client.post("/identify", content=b"text=%FF%FE\x00", headers=FORM).status_code == 200
