"""`/complete`, and "did you mean" on the page of a search."""

from __future__ import annotations

import httpx
import pytest

from tests.web.conftest import Elements


def offers(client: httpx.Client, text: str, **values: str) -> list[dict[str, object]]:
    answer = client.get("/complete.json", params={"q": text, **values})
    assert answer.status_code == 200, answer.text
    items: list[dict[str, object]] = answer.json()["items"]
    return items


def test_a_paper_leads_to_its_page(client: httpx.Client) -> None:
    first = next(one for one in offers(client, "tiles") if one["kind"] == "paper")
    assert first["address"] == f"/paper/{first['paper']}"
    assert client.get(str(first["address"])).status_code == 200


def test_a_person_leads_to_their_page_and_as_a_value_to_a_search(client: httpx.Client) -> None:
    (first, *_) = (one for one in offers(client, "nguyen") if one["kind"] == "author")
    assert str(first["address"]).startswith("/authors/%C5%81ukasz")
    assert client.get(str(first["address"])).status_code == 200
    assert str(offers(client, "au:nguyen")[0]["address"]).startswith("/search?q=au%3A%22")


def test_a_field_goes_on_with_the_query(client: httpx.Client) -> None:
    (field,) = (one for one in offers(client, "ven") if one["kind"] == "field")
    assert (field["address"], field["query"], field["open"]) == (None, "venue:", True)


def test_jumping_has_pages_and_looks_and_searching_has_not(client: httpx.Client) -> None:
    pages = offers(client, "", **{"for": "jump"})
    assert {"/", "/list", "/help", "/help#keys"} <= {one["address"] for one in pages}
    assert {one["kind"] for one in pages} == {"page"}
    (dark,) = (one for one in offers(client, "dark", **{"for": "jump"}) if one["kind"] == "choice")
    assert (dark["choice"], dark["address"]) == (["theme", "dark"], "/?theme=dark")
    assert offers(client, "") == []
    assert not {one["kind"] for one in offers(client, "help")} & {"page", "choice"}


def test_kinds_and_pages_are_said_in_the_readers_language(client: httpx.Client) -> None:
    answer = client.get("/complete.json", params={"q": "帮", "for": "jump"}, headers={"Accept-Language": "zh-CN"})
    first = answer.json()["items"][0]
    assert (first["text"], first["label"], first["address"]) == ("帮助", "页面", "/help")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_without_a_script_it_is_a_page_of_links(client: httpx.Client, language: str) -> None:
    answer = client.get("/complete", params={"q": "tiles"}, headers={"Accept-Language": language})
    links = [link["href"] for link in Elements(answer.text).all("a")]
    assert any(link.startswith("/paper/") for link in links)
    assert client.get("/complete").status_code == 200


@pytest.mark.parametrize("text", ["<script>", "\u202e", "a" * 5000, '"(((', "au:", "zzqx", "%00", "{n}"])
def test_odd_texts_are_answered_and_escaped(client: httpx.Client, text: str) -> None:
    offers(client, text, **{"for": "jump"})
    answer = client.get("/complete", params={"q": text})
    assert answer.status_code == 200
    assert "<script>" not in answer.text


def test_every_page_has_the_box_and_the_palette(client: httpx.Client) -> None:
    found = Elements(client.get("/help").text)
    assert [one for one in found.all("input") if "data-complete" in one]
    assert [one["id"] for one in found.all("dialog")] == ["palette"]
    assert any(one["src"].startswith("/static/complete.js?") for one in found.all("script"))


def test_a_mistyped_query_is_offered_as_it_was_meant(client: httpx.Client) -> None:
    meant = client.get("/search.json", params={"q": "tiels"}).json()["meant"]
    assert meant["query"] == "tiles"
    assert meant["total"] == client.get("/search.json", params={"q": "tiles"}).json()["total"]
    found = Elements(client.get("/search", params={"q": "tiels"}).text)
    assert "Did you mean tiles?" in found.text
    assert "/search?q=tiles" in [link["href"] for link in found.all("a")]
    assert client.get("/search.json", params={"q": "tiles"}).json()["meant"] is None
