"""Group B: whatever a paper's identifier looks like, it is that one paper."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from octavo.errors import NotFound
from octavo.records.ids import parse_identifier
from tests.pitfalls import files
from tests.pitfalls.conftest import FILES, Shelf

SICI = "10.5555/(SICI)1234-5678(203101)9:1+<1::AID-X2>3.0.CO;2-#"


def reached(shelf: Shelf, name: str) -> list[str]:
    """The titles that a name leads to: shown, searched for, identified, exported."""
    hits = shelf.octavo.search(name).hits
    match = shelf.octavo.identify([name])[0].paper
    exported = "".join(shelf.octavo.export("jsonl", names=[name]))
    return [
        shelf.octavo.get(name).paper.title,
        *(hit.paper.title for hit in hits),
        match.title if match else "",
        json.loads(exported)["records"][0]["title"],
    ]


B01 = [
    "math.GT/0309136", "math/0309136", "arXiv:math/0309136v2", "math%2F0309136", "/pdf/math/0309136v2.pdf", "MATH/0309136",
    "https://arxiv.org/abs/math%2F0309136v1", "10.48550/arXiv.math/0309136", "arXiv:math/0309136v2 [math.GT] 12 Sep 2003",
]  # fmt: skip


@pytest.mark.parametrize("name", B01)
def test_b01_an_old_identifier_leads_to_its_paper(shelf: Shelf, name: str) -> None:
    shelf.put(
        "a.jsonl",
        files.snapshot(id="math/0309136", title="Walks") + files.snapshot(id="hep-th/9901001", title="Strings"),
    )
    assert reached(shelf, name) == ["Walks"] * 4
    assert reached(shelf, "hep-th/9901001v3") == ["Strings"] * 4


def test_b01_an_old_identifier_is_one_paper_from_every_format(shelf: Shelf, other_shelf: Callable[[], Shelf]) -> None:
    shelf.put("a.jsonl", files.snapshot(id="math/0309136v2"))
    shelf.put("b.bib", files.bibtex(eprint="math.GT/0309136", archivePrefix="arXiv"))
    shelf.put("c.bib", files.bibtex(url="https://arxiv.org/abs/math%2F0309136"))
    shelf.put(
        "d.ris", files.ris("A paper of its kind", "AU  - Bee, Ann", "UR  - https://arxiv.org/pdf/math/0309136v2.pdf")
    )
    shelf.put("e.xml", files.atom(("math/0309136v1", "A paper of its kind")))
    assert shelf.paper()["identifiers"] == ["arxiv:math/0309136"]
    for form in ("bibtex", "ris", "csl", "jsonl"):
        back = other_shelf()
        back.put(FILES[form], shelf.export(form))
        assert back.paper()["identifiers"] == ["arxiv:math/0309136"]
    assert "/" not in parse_identifier("math/0309136")[0].file_name


@pytest.mark.parametrize(
    "content",
    [
        files.atom(("2101.00010v1", "Tiles"), ("2101.00010v2", "Tiles"), ("2101.00010v10", "Tiles")),
        "".join(files.bibtex("Tiles", eprint=f"2101.00010v{n}", archivePrefix="arXiv") for n in (10, 2, 1)),
        "".join(files.ris("Tiles", "AU  - Bee, Ann", f"UR  - https://arxiv.org/abs/2101.00010v{n}") for n in (2, 10, 1)),
        json.dumps([{"id": f"k{n}", "type": "article", "title": "Tiles", "number": f"arXiv:2101.00010v{n}", "issued": {}} for n in (10, 1, 2)]),
        files.bibtex("Tiles", journal="arXiv preprint arXiv:2101.00010v2") + files.bibtex("Tiles", pdf="https://arxiv.org/pdf/2101.00010v10"),
    ],
    ids=["atom", "bibtex", "ris", "csl", "bibtex-in-words"],
)  # fmt: skip
def test_b02_versions_are_one_paper_and_ten_is_later_than_two(shelf: Shelf, content: str) -> None:
    shelf.put("a", content)
    assert shelf.paper()["version"] == 10
    assert shelf.paper()["identifiers"] == ["arxiv:2101.00010"]
    assert reached(shelf, "2101.00010v7") == ["Tiles"] * 4


def test_b02_versions_are_one_paper_when_they_come_one_after_the_other(shelf: Shelf) -> None:
    for version in (1, 2, 10):
        shelf.put("a.xml", files.atom((f"2101.00010v{version}", "Tiles")))
    assert shelf.paper()["version"] == 10


NUMBER = 2101.0001  # what is left of 2101.00010


@pytest.mark.parametrize(
    ("source", "content"),
    [
        ("arxiv-snapshot", files.snapshot(id=NUMBER)),
        ("crossref", files.crossref(DOI=10.5555)),
        ("csl", files.csl(DOI=10.5555)),
        ("openreview", json.dumps({"notes": [{"id": 12, "forum": 12, "content": {"title": "T"}}]})),
        ("semanticscholar", files.semanticscholar(paperId=123)),
        ("mlanthology", files.mlanthology(bibtex_key=12)),
        ("mlanthology", files.mlanthology(doi=10.5555)),
        ("paperlists", files.paperlists(id=12)),
        ("jsonl", files.own(key=NUMBER)),
        ("jsonl", files.own(identifiers=[NUMBER])),
    ],
)
def test_b03_a_number_in_the_place_of_an_identifier_costs_its_entry(shelf: Shelf, source: str, content: str) -> None:
    view = shelf.put("a.json", content, source)
    assert (view.added, view.skipped) == (0, 1)
    ((place, reason, _),) = view.faults
    assert place.endswith(" 1")
    assert "number" in reason or "not text" in reason


def test_b03_the_other_rows_are_taken_and_their_zeros_kept(shelf: Shelf) -> None:
    view = shelf.put("a.jsonl", '{"id": 2101.00010, "title": "t"}\n' + files.snapshot(), "arxiv-snapshot")
    assert (view.added, [place for place, _, _ in view.faults]) == (1, ["a.jsonl, line 1"])
    shelf.put("b.bib", "@misc{k, title={Bare}, eprint=0704.0010, archivePrefix={arXiv}}")
    assert [paper["identifiers"] for paper in shelf.papers()] == [["arxiv:2101.00010"], ["arxiv:0704.0010"]]
    for wrong in ("704.001", "704.0010", "2101.0001"):
        with pytest.raises(NotFound):
            shelf.octavo.get(wrong)


B04 = [
    "arXiv:2101.00010v2", "ARXIV: 2101.00010v2", "https://arxiv.org/abs/2101.00010v2",
    "http://export.arxiv.org/pdf/2101.00010v2.pdf", "https://rss.arxiv.org/abs/2101.00010v2", "oai:arXiv.org:2101.00010v2",
    "https://arxiv.org/html/2101.00010v2?x=1#S2", "arxiv:2101.00010v7", "arXiv:2101.00010v2 [cs.LG]",
    "arXiv:2101.00010v1  [cs.LG]  4 Jan 2021", "10.48550/ARXIV.2101.00010", "<https://arxiv.org/abs/2101.00010>",
]  # fmt: skip


@pytest.mark.parametrize("name", B04)
def test_b04_prefixes_and_addresses_lead_to_the_paper(shelf: Shelf, name: str) -> None:
    shelf.put("a.jsonl", files.snapshot(title="Tiles"))
    assert reached(shelf, name) == ["Tiles"] * 4


@pytest.mark.parametrize(
    "written",
    [
        SICI, SICI.lower(), f"https://doi.org/{parse_identifier(SICI)[0].path_form}", SICI.replace("<", "&lt;").replace(">", "&gt;"),
        SICI.replace("<", r"{\textless}").replace(">", r"{\textgreater}").replace("#", r"\#"),
        SICI.replace("<", r"\textless{}").replace(">", r"\textgreater{}"), SICI.replace("<", "$<$").replace(">", "$>$"),
        SICI.replace("<", r"\textless ").replace(">", r"\textgreater "), rf"\url{{https://doi.org/{SICI}}}",
    ],
)  # fmt: skip
def test_b05_a_doi_with_odd_signs_is_whole_however_it_was_escaped(shelf: Shelf, written: str) -> None:
    shelf.put("a.json", files.crossref(doi=SICI))
    shelf.put("b.bib", files.bibtex(doi=written))
    assert shelf.paper()["identifiers"] == [f"doi:{SICI.lower()}"]


def test_b05_a_doi_with_odd_signs_goes_out_and_comes_back(shelf: Shelf, other_shelf: Callable[[], Shelf]) -> None:
    shelf.put("a.json", files.crossref("Tiles", doi=SICI))
    assert reached(shelf, SICI.upper()) == ["Tiles"] * 4
    identifier = shelf.octavo.get(SICI).paper.identifiers[0]
    encoded = "10.5555%2F%28SICI%291234-5678%28203101%299%3A1%2B%3C1%3A%3AAID-X2%3E3.0.CO%3B2-%23"
    assert identifier.path_form.lower() == encoded.lower()
    for form in ("bibtex", "ris", "csl", "jsonl"):
        text = shelf.export(form)
        assert identifier.url in text or form == "jsonl"
        back = other_shelf()
        back.put(FILES[form], text)
        assert back.paper()["identifiers"] == [str(identifier)]


def test_b06_arxivs_doi_is_the_arxiv_id_and_the_publishers_a_field_of_its_own(shelf: Shelf) -> None:
    shelf.put("a.jsonl", files.snapshot(doi="10.5555/published"))
    shelf.put("b.bib", files.bibtex(doi="10.48550/ARXIV.2101.00010"))
    shelf.put("c.json", files.crossref(doi="10.48550/arxiv.2101.00010"))
    shelf.put("d.json", files.semanticscholar(externalIds={"DOI": "10.48550/arXiv.2101.00010v3"}))
    shelf.put("e.json", files.openalex(doi="https://doi.org/10.48550/arXiv.2101.00010"))
    assert shelf.paper()["ids"] == {"arxiv": "2101.00010", "doi": "10.5555/published"}
    assert len(shelf.paper()["sources"]) == 5


def test_b07_a_paper_is_the_note_that_is_its_forum(shelf: Shelf) -> None:
    notes: list[dict[str, Any]] = [
        {
            "id": "AbC12xYz90",
            "forum": "AbC12xYz90",
            "content": {"title": {"value": "Tiles"}},
            "pdate": 1_925_000_000_000,
        },
        {"id": "r1", "forum": "AbC12xYz90", "content": {"title": {"value": "Official Review"}}},
        {"id": "Old1", "forum": "Old1", "content": {"title": "Plain"}},
        {"id": "AbC12xYz91", "forum": "AbC12xYz90", "replyto": "AbC12xYz90", "content": {"title": "Decision"}},
        {"id": "AbC12xYz92", "forum": "AbC12xYz92", "content": {"title": {"value": {"value": "Nested"}}}},
    ]
    view = shelf.put("notes.json", json.dumps(notes))
    assert shelf.titles() == ["Plain", "Tiles"]
    assert view.skipped == 1
    assert shelf.octavo.get("https://openreview.net/forum?id=AbC12xYz90").paper.title == "Tiles"


def test_b08_a_batch_holds_what_was_not_found(shelf: Shelf) -> None:
    """That A was asked for and A2 answered is known to the asker alone: `sources.semanticscholar`."""
    view = shelf.put("batch.json", '[{"paperId": "A2", "title": "First"}, null, {"paperId": "C", "title": "Third"}]')
    assert shelf.titles() == ["First", "Third"]
    assert [(place, reason) for place, reason, _ in view.faults] == [("batch.json, entry 2", "not found")]


@pytest.mark.parametrize("in_one_file", [True, False])
def test_b09_a_citation_key_is_no_identity(shelf: Shelf, other_shelf: Callable[[], Shelf], in_one_file: bool) -> None:
    one = "@inproceedings{lee31a, title={Fast tiles}, author={Lee, An}, year=2031, booktitle={Tiles}}\n"
    two = "@inproceedings{lee31a, title={Fast graphs}, author={Lee, An}, year=2031, booktitle={Tiles}}\n"
    three = "@inproceedings{LEE31A, title={Fast trees}, author={Lee, An}, year=2031, booktitle={Tiles}}\n"
    for content in [one + two + three] if in_one_file else [one, two, three]:
        shelf.put("a.bib", content)
    assert shelf.titles() == ["Fast graphs", "Fast tiles", "Fast trees"]
    text = shelf.export("bibtex")
    keys = [line.partition("{")[2] for line in text.splitlines() if line.startswith("@")]
    assert sorted(keys) == ["lee2031fasta,", "lee2031fastb,", "lee2031fastc,"]
    assert shelf.export("bibtex") == text
    back = other_shelf()
    back.put("back.bib", text)
    assert back.titles() == shelf.titles()
