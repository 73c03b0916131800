"""Pages of topics and terms, trends, and words of the glossary in abstracts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from octavo.views_trends import ShareView
from octavo.web.charts import by_venue, by_year, spark
from octavo.web.language import language
from tests.trends_world import CITED, EACH, GROWING, LLM, LONELY, SHRINKING, fill
from tests.web.conftest import Elements, serving

TOPIC = "topic/deep-learning/large-language-models"
SHARES = (
    ShareView("2030", 1, 4, 0.25, 0.04, 0.7),
    ShareView("2031", 0, 0, None),
    ShareView("2032", 2, 4, 0.5, 0.1, 0.9),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home: Path = tmp_path_factory.mktemp("topics") / "home"
    fill(home).close()
    with serving(home) as address:
        yield address


@pytest.fixture
def reader(site: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=site, headers={"Accept-Language": "en"}, trust_env=False, timeout=60) as client:
        yield client


def page(reader: httpx.Client, path: str, status: int = 200, lang: str = "en") -> Elements:
    answer = reader.get(path, headers={"Accept-Language": lang})
    assert answer.status_code == status, answer.text[:500]
    return Elements(answer.text)


def addresses(found: Elements) -> set[str]:
    return {link.get("href", "") for link in found.all("a")}


def test_tree_shows_every_topic_with_its_count(reader: httpx.Client) -> None:
    found = page(reader, "/topics")
    assert f"{EACH * 7} papers of {EACH * 7} have a topic." in found.text
    assert f"/{TOPIC}" in addresses(found)
    assert "/topic/deep-learning/large-language-models/llm-reasoning" in addresses(found)
    assert f"Large Language Models {sum(GROWING)}" in found.text
    told = reader.get("/topics.json").json()
    assert next(one for one in told["topics"] if one["slug"] == LLM)["years"]["2036"] == GROWING[-1]


def test_topic_page_has_charts_with_their_tables(reader: httpx.Client) -> None:
    found = page(reader, f"/{TOPIC}")
    assert found.text.count("As a table") == 2
    assert "rising" in found.text
    assert [one["role"] for one in found.all("svg") if one.get("class") == "chart"] == ["img", "img"]
    assert "Key papers: the most cited" in found.text
    assert CITED in found.text
    assert "/search?q=topic%3Alarge-language-models&sort=newest" in addresses(found)
    row = re.search(r'<th scope="row">2033</th>.*?</tr>', reader.get(f"/{TOPIC}").text, re.DOTALL)
    assert row is not None
    assert Elements(row[0]).text == "203300––"


def test_topic_page_says_how_key_papers_were_chosen_when_none_is_cited(reader: httpx.Client) -> None:
    found = page(reader, "/topic/general-machine-learning/kernel-methods")
    assert "Key papers: nearest to the middle of the topic" in found.text
    assert f"Of its newest {sum(SHRINKING)} papers, in meaning." in found.text


@pytest.mark.parametrize("path", [LONELY, "statistical-learning-theory", "robotics-applications", "deep-learning"])
def test_topic_pages_stand_with_one_paper_or_none(reader: httpx.Client, path: str) -> None:
    answer = reader.get(f"/topic/{path}")
    while answer.status_code == 302:
        answer = reader.get(answer.headers["Location"])
    assert answer.status_code in (200, 404)
    if path != "statistical-learning-theory":
        assert answer.status_code == 200


@pytest.mark.parametrize(
    ("path", "leads"),
    [
        ("/topic/llm", f"/{TOPIC}"),
        ("/topic/large-language-models.json", f"/{TOPIC}.json"),
        ("/topic/applications/large-language-models", f"/{TOPIC}"),
        (f"/{TOPIC}/", f"/{TOPIC}"),
        ("/topic/大语言模型", f"/{TOPIC}"),
        ("/glossary/distillation", "/glossary/knowledge-distillation"),
        ("/glossary/知识蒸馏.json", "/glossary/knowledge-distillation.json"),
    ],
)
def test_other_names_lead_to_the_page(reader: httpx.Client, path: str, leads: str) -> None:
    answer = reader.get(path)
    assert (answer.status_code, answer.headers["Location"]) == (302, leads)


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/topic/larg-language-modls", f"/{TOPIC}"),
        ("/topic/deep-learning/zzzz", ""),
        ("/glossary/distilation", "/glossary/knowledge-distillation"),
        ("/glossary/%3Cscript%3E", ""),
    ],
)
def test_an_unknown_name_is_told_with_near_ones(reader: httpx.Client, path: str, near: str) -> None:
    found = page(reader, path, 404)
    assert "There is no topic" in found.text or "has no term" in found.text
    assert near in addresses(found) or not near
    assert reader.get(f"{path}.json").json()["error"]["kind"] == "not_found"


def test_lists_come_as_feeds_and_bibtex(reader: httpx.Client) -> None:
    assert reader.get(f"/{TOPIC}.atom").text.count("<entry>") == sum(GROWING)
    assert reader.get("/glossary/gram-matrix.rss").text.count("<item>") == sum(SHRINKING)
    assert reader.get(f"/{TOPIC}.bib").text.count("@") == sum(GROWING)


def test_glossary_is_filtered_by_a_form(reader: httpx.Client) -> None:
    whole, found = page(reader, "/glossary"), page(reader, "/glossary?q=gram+matrix&by=part")
    assert len(whole.all("dt")) > 500
    assert "#letter-A" in addresses(whole)
    assert len(found.all("dt")) == 1
    assert "格拉姆矩阵" in found.text
    assert "No term has “zzzz” in a name." in page(reader, "/glossary?q=zzzz").text
    page(reader, "/glossary?part=zzzz", 404)
    page(reader, "/glossary?by=zzzz", 400)


def test_term_page_explains_in_both_languages(reader: httpx.Client) -> None:
    found = page(reader, "/glossary/knowledge-distillation")
    assert "知识蒸馏" in found.text
    assert "arxiv:1503.02531" in found.text
    assert "not in this catalogue" in found.text
    assert f"{sum(GROWING)} papers speak of it" in found.text
    assert "log-likelihood" in found.text
    assert "/search?q=term%3Aknowledge-distillation%20term%3Aagent" in addresses(found)
    assert page(reader, "/glossary/sheaf").text.count("No paper of this catalogue speaks of it.") == 1


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("", 200, "Deep Learning"),
        ("?show=rising", 200, "Large Language Models"),
        ("?topic=LLM%3B+kernel+methods", 200, "Kernel Methods"),
        ("?topic=Knowledge,+Reasoning+and+Planning,+LLM", 404, "There is no topic"),
        ("?topic=LLM&by=venue", 200, "ICML"),
        ("?term=agent&from=2030&to=2031", 200, "2030"),
        ("?kind=term", 200, "Gram matrix"),
        ("?from=2030&to=2031&show=falling", 200, "Nothing here changes beyond noise."),
        ("?topic=zzzz", 404, "There is no topic"),
        ("?from=x", 400, "is no year"),
        ("?from=2036&to=2030", 400, "backwards"),
        ("?show=zzzz", 400, "There is no direction"),
        ("?venue=zzzz", 404, "zzzz"),
    ],
)
def test_trends_are_shown_or_refused(reader: httpx.Client, query: str, status: int, said: str) -> None:
    assert said in page(reader, f"/trends{query}", status).text


def paper_of(reader: httpx.Client) -> str:
    hits = reader.get(f"/search.json?q={CITED}").json()["hits"]
    return f"/paper/{hits[0]['id']}"


def test_words_of_the_glossary_are_links_in_abstracts(reader: httpx.Client) -> None:
    found = page(reader, paper_of(reader))
    assert {"/glossary/knowledge-distillation", "/glossary/agent"} <= addresses(found)
    assert "Training a small model" in found.text
    assert "/glossary/agent" in addresses(page(reader, f"/search?q={CITED}"))


def token(found: Elements) -> str:
    return next(one["value"] for one in found.all("input") if one.get("name") == "token")


def test_links_are_switched_off_and_on_again_for_good(reader: httpx.Client) -> None:
    path = paper_of(reader)
    form = {"token": token(page(reader, "/glossary")), "back": path, "links": "off"}
    answer = reader.post("/glossary", data=form)
    assert (answer.status_code, answer.headers["Location"]) == (303, path)
    assert "octavo_glossary=off" in answer.headers["Set-Cookie"]
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "/glossary/agent" not in addresses(page(reader, path))
    assert "/glossary/agent" not in addresses(page(reader, f"/search?q={CITED}"))
    assert "Make them links" in page(reader, "/glossary").text
    reader.post("/glossary", data={**form, "links": "on"})
    assert "/glossary/agent" in addresses(page(reader, path))


@pytest.mark.parametrize(
    ("changed", "status"), [({"token": "x"}, 403), ({"links": "maybe"}, 400), ({"back": "https://a.example/"}, 303)]
)
def test_the_switch_takes_only_forms_of_these_pages(reader: httpx.Client, changed: dict[str, str], status: int) -> None:
    form = {"token": token(page(reader, "/glossary")), "back": "/topics", "links": "on"} | changed
    answer = reader.post("/glossary", data=form)
    assert answer.status_code == status
    assert answer.headers.get("Location", "/glossary") == "/glossary"


def test_no_page_has_a_style_or_script_of_its_own(reader: httpx.Client) -> None:
    for path in (f"/{TOPIC}", "/topics", "/trends?topic=LLM", "/glossary/agent", "/trends?topic=LLM&by=venue"):
        html = reader.get(path).text
        assert " style=" not in html
        assert "<style" not in html
        assert not re.search(r"\son[a-z]+=", html)


def test_pages_are_in_chinese_where_that_is_asked_for(reader: httpx.Client) -> None:
    found = page(reader, f"/{TOPIC}", lang="zh-CN")
    assert "大语言模型" in found.text
    assert "By year" not in found.text
    assert "知识蒸馏" in page(reader, "/glossary/knowledge-distillation", lang="zh-CN").text


def test_chart_of_years_has_a_gap_where_a_year_has_no_papers() -> None:
    drawn = by_year(language("en"), "A <b>", SHARES)
    assert drawn.count('<polyline class="line"') == 2
    assert drawn.count("<circle") == 2
    assert "A &lt;b&gt;: share by year" in drawn
    assert "From 2030 (25.0%) to 2032 (50.0%)" in drawn


def test_a_year_of_two_papers_does_not_set_the_scale() -> None:
    years = (
        ShareView("2019", 2, 2, 1.0, 0.34, 1.0),
        ShareView("2020", 0, 13, 0.0, 0.0, 0.23),
        ShareView("2023", 2, 400, 0.005, 0.001, 0.018),
        ShareView("2024", 32, 2000, 0.016, 0.011, 0.022),
        ShareView("2025", 900, 4700, 0.191, 0.18, 0.203),
    )
    drawn = by_year(language("en"), "A", years)
    assert ">100%</text>" not in drawn
    assert "the highest share is that of 2025, 19.1%" in drawn
    # What is off the scale has no dot; what is on it is faint and no part of the line.
    assert drawn.count('<circle class="thin"') == 1
    assert drawn.count("<circle") == 4
    assert drawn.count('<polyline class="line"') == 1
    assert [len(points.split()) for points in re.findall(r'points="([^"]*)"', drawn + spark(years))] == [3, 3]


def test_a_chart_without_any_sure_share_is_not_scaled_by_a_thin_one() -> None:
    drawn = by_year(
        language("en"), "A", (ShareView("2019", 2, 2, 1.0, 0.34, 1.0), ShareView("2020", 0, 400, 0, 0, 0.01))
    )
    assert ">100%</text>" not in drawn


def test_charts_of_nothing_are_empty() -> None:
    nothing = (ShareView("2030", 0, 0, None), ShareView("2031", 0, 5, 0.0, 0.0, 0.4))
    assert by_year(language("en"), "A", nothing) == spark(nothing) == by_venue(language("en"), "A", ()) == ""


def test_chart_of_venues_has_a_bar_each() -> None:
    drawn = by_venue(language("en"), "A", (ShareView("ICML & more", 1, 4, 0.25, 0.04, 0.7), SHARES[2]))
    assert drawn.count("<rect") == 2
    assert "ICML &amp; more" in drawn
    assert "25.0% of 4" in drawn
