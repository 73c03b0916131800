"""Related papers on a paper's page, and on a page of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from octavo.app import Octavo
from octavo.web.language import language
from octavo.web.phrases import phrase
from tests.rank.kinship import HAIKU, SEED, fill, name
from tests.web.conftest import Elements, serving


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("similar") / "home"
    fill(home).close()
    return home


@pytest.fixture(scope="module")
def ids(home: Path) -> dict[int, str]:
    with Octavo(home) as octavo:
        return {n: octavo.get(name(n)).paper.id for n in (SEED, HAIKU)}


@pytest.fixture(scope="module")
def site(home: Path) -> Iterator[str]:
    with serving(home) as address:
        yield address


def get(site: str, path: str, lang: str = "en") -> httpx.Response:
    return httpx.get(f"{site}{path}", headers={"Accept-Language": lang}, trust_env=False, timeout=60)


def test_a_papers_page_shows_its_nearest_with_reasons(site: str, ids: dict[int, str]) -> None:
    page = Elements(get(site, f"paper/{ids[SEED]}").text)
    assert "Related papers" in page.text
    assert "An Equivariant Network " in page.text
    assert "near in meaning (0." in page.text
    assert "All 6 related papers" in page.text
    assert f"/paper/{ids[SEED]}/similar" in {link.get("href") for link in page.all("a")}


def test_a_paper_without_relatives_has_no_such_section(site: str, ids: dict[int, str]) -> None:
    assert "Related papers" not in Elements(get(site, f"paper/{ids[HAIKU]}").text).text
    page = Elements(get(site, f"paper/{ids[HAIKU]}/similar").text)
    assert "No paper of this catalogue is related to it." in page.text


def test_the_page_of_relatives_counts_what_it_left_out(site: str, ids: dict[int, str]) -> None:
    page = Elements(get(site, f"paper/{ids[SEED]}/similar").text)
    assert "1 other version of these papers is left out." in page.text
    assert f"/paper/{ids[SEED]}/similar?sort=newest" in {link.get("href") for link in page.all("a")}
    assert len(page.all("article")) == 6


def test_relatives_come_as_json_and_bibtex(site: str, ids: dict[int, str]) -> None:
    answer = get(site, f"paper/{ids[SEED]}/similar.json?sort=newest").json()
    assert answer["sort"] == "newest"
    assert answer["page"] == 1
    assert len(answer["hits"]) == answer["total"] == 6
    assert get(site, f"paper/{ids[SEED]}/similar.bib").text.count("@") == 6


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("paper/{id}/similar?sort=oldest", 400),
        ("paper/{id}/similar?page=2", 404),
        ("paper/{id}/similar?page=x", 400),
        ("paper/pzzzzzzzzzzzz/similar", 404),
        ("paper//similar", 404),
    ],
)
def test_what_is_not_there_is_told(site: str, ids: dict[int, str], path: str, status: int) -> None:
    assert get(site, path.format(id=ids[SEED])).status_code == status


def test_an_identifier_leads_to_the_papers_own_address(site: str, ids: dict[int, str]) -> None:
    answer = get(site, f"paper/{name(SEED)}/similar.json?sort=newest")
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/paper/{ids[SEED]}/similar.json?sort=newest"


def test_reasons_are_told_in_chinese(site: str, ids: dict[int, str]) -> None:
    page = Elements(get(site, f"paper/{ids[SEED]}", "zh-CN").text)
    assert "相关论文" in page.text
    assert "near in meaning" not in page.text
    assert phrase(language("zh-CN"), "same author Ann Bee") == "同一作者 Ann Bee"
