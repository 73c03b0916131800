"""`/authors/<name>`: the groups of a name, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from octavo.rank.parting import Ground
from octavo.views_people import ID_NAMES, GroupView
from octavo.web.language import language
from octavo.web.pages.author import links, reason
from tests.rank.test_people import ORCID, RECORDS, wrote
from tests.web.conftest import Elements, serving
from tests.web.gallery import fill

ODD = '<b onmouseover=alert(1)>"&'


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a catalogue in which names are borne by several people."""
    home = tmp_path_factory.mktemp("people") / "home"
    fill(home, RECORDS)
    with serving(home) as address:
        yield address


def get(address: str, name: str, **headers: str) -> httpx.Response:
    return httpx.get(f"{address}authors/{quote(name)}", headers={"Accept-Language": "en", **headers}, trust_env=False)


def test_a_page_shows_groups_reasons_and_the_rest(people: str) -> None:
    page = Elements(get(people, "Wei Wang").text)
    assert "7 papers by people of this name" in page.text
    assert "2 papers with this DBLP key" in page.text
    assert "Two groups may still be one person's, unless they have different ids." in page.text
    assert "Not told apart 1 paper" in page.text
    assert "Preface to Nothing" in page.text
    assert f"https://orcid.org/{ORCID}" in {link["href"] for link in page.all("a")}
    assert "/authors/W.%20Wang" in {link["href"] for link in page.all("a")}
    assert [one["id"] for one in page.all("section")] == ["group-1", "group-2", "group-3", "group-4", "rest"]


def test_a_page_without_evidence_claims_nothing(people: str) -> None:
    text = Elements(get(people, "Tom Twinq").text).text
    assert "no two of these papers are said to be by one person" in text
    assert "Why one person" not in text


def test_names_are_shown_as_they_are_written(people: str) -> None:
    text = Elements(get(people, "Zyxwv, Ann").text).text
    assert "Written: Ann Zyxwv (2), A. Zyxwv (1), Ann B. Zyxwv (1)" in text


def test_many_variants_are_cut(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home, tuple(wrote(f"v{n}", f"Variant {n} of Tiles", f"A. {chr(97 + n)}. Zyxwv; Cy Qwertz") for n in range(24)))
    with serving(home) as address:
        text = Elements(get(address, "A. Zyxwv").text).text
    assert text.count("(1)") == 20
    assert "A. t. Zyxwv (1) and 4 more" in text


def test_a_page_is_there_as_json_and_as_bibtex(people: str) -> None:
    data = get(people, "Wei Wang.json").json()
    assert [len(group["papers"]) for group in data["groups"]] == [2, 2, 1, 1]
    bibtex = get(people, "Wei Wang.bib")
    assert bibtex.headers["content-type"].startswith("application/x-bibtex")
    assert bibtex.text.count("@") == 7


@pytest.mark.parametrize("name", ["Nobody Zyxwvu", "Anonymous", ODD, "x" * 300, "%00", "a/b"])
def test_who_has_no_page_is_told_harmlessly(people: str, name: str) -> None:
    answer = get(people, name)
    assert answer.status_code == 404
    assert "<b onmouseover" not in answer.text
    assert get(people, f"{name}.json").json()["error"]["kind"]


def test_the_page_is_in_the_readers_language(people: str) -> None:
    text = Elements(get(people, "Wei Wang", **{"Accept-Language": "zh"}).text).text
    for words in ("7 篇论文的作者叫此名", "2 篇论文带有此 DBLP 编号", "未能区分", "归为一人的依据"):
        assert words in text
    for words in ("papers", "Written", "apart", "group"):
        assert words not in text.replace("Wei Wang", "")


@pytest.mark.parametrize("kind", [*ID_NAMES, "coauthors", "initials", "only"])
def test_every_reason_is_said_in_both_languages(kind: str) -> None:
    for n in (1, 1_234):
        english, chinese = (reason(language(code), Ground(kind, "Cy Dee; Ee Eff", n)) for code in ("en", "zh-CN"))
        assert english != chinese
        assert f"{n:,}" in english
        assert f"{n:,}" in chinese
    if kind == "coauthors":
        assert "Cy Dee、Ee Eff" in chinese


def test_ids_lead_to_their_sites() -> None:
    ids = (
        ("orcid", ORCID),
        ("dblp", "pid/12/34"),
        ("dblp", "Wei Wang 0001"),
        ("openreview", "~Wei_Wang1"),
        ("acl", "wei-wang"),
    )
    assert [address for _, _, address in links(GroupView("Wei Wang", {}, ids, (), ()))] == [
        f"https://orcid.org/{ORCID}",
        "https://dblp.org/pid/12/34.html",
        "https://dblp.org/search/author?author=Wei%20Wang%200001",
        "https://openreview.net/profile?id=~Wei_Wang1",
        "https://aclanthology.org/people/w/wei-wang/",
    ]


def test_a_link_is_none_when_an_id_is_no_address(tmp_path: Path) -> None:
    for value in ("javascript:alert(1)", "a b", '"><script>', "é"):
        for _, _, address in links(GroupView("X", {}, (("acl", value), ("dblp", value)), (), ())):
            assert not address or address.startswith("https://")
            assert not {'"', "<", " "} & set(address)
