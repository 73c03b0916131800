"""`octavo show`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from octavo.records.codec import encode_record
from octavo.records.ids import Identifier
from octavo.records.paper import Venue
from tests.cli.conftest import Invoke, json_lines
from tests.world import record


def test_a_paper_is_shown_whole(in_world: Invoke) -> None:
    result = in_world("show", "arXiv:2101.00010")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].lower() == "tiles are sufficient for fast layout"
    assert lines[1] == "Ann Bee, Cy Dee, Łukasz Nguyễn"
    labels = {line[:13].strip() for line in lines if line[:1].strip()}
    assert {"id", "appeared", "dates", "identifiers", "categories", "sources"} <= labels
    assert "submitted 2030-11-02, version 3 is the latest" in result.stdout
    assert "Abstract: " in result.stdout


@pytest.mark.parametrize(
    "name",
    ["2101.00010v2", "https://arxiv.org/pdf/2101.00010", "10.5555/TILES.1", "v900/bee31a", "openreview:AbC12xYz90"],
)
def test_any_identifier_finds_the_paper(in_world: Invoke, name: str) -> None:
    assert in_world("show", name).stdout.splitlines()[0].lower() == "tiles are sufficient for fast layout"


def test_a_summary_is_named_octavos(in_world: Invoke) -> None:
    assert "Octavo's summary: Xenon clings" in in_world("show", "arXiv:2101.00012").stdout


def test_a_withdrawn_paper_says_so(in_world: Invoke) -> None:
    output = in_world("show", "arXiv:2101.00011").stdout
    assert "status       withdrawn" in output
    assert "due to an error in" in output


def test_json_is_a_line_a_paper(in_world: Invoke) -> None:
    result = in_world("show", "--json", "arXiv:2101.00010", "arXiv:2101.00012")
    first, second = json_lines(result.stdout)
    assert first["ids"]["arxiv"] == "2101.00010"
    assert "records" not in first
    assert second["summary_by"] == "Octavo"


def test_records_are_what_each_source_said(in_world: Invoke) -> None:
    result = in_world("show", "--json", "--records", "arXiv:2101.00010")
    (paper,) = json_lines(result.stdout)
    assert sorted(claim["source"] for claim in paper["records"]) == ["arxiv-snapshot", "mlanthology", "pmlr"]


def test_the_others_are_shown_when_one_is_missing(in_world: Invoke) -> None:
    result = in_world("show", "arXiv:2101.99999", "arXiv:2101.00012")
    assert result.exit_code == 1
    assert "Xenon Bounds" in result.stdout
    assert "2101.99999" in result.stderr


def test_a_missing_paper_is_json_when_json_is_asked_for(in_world: Invoke) -> None:
    result = in_world("show", "--json", "nothing-like-it")
    assert (result.exit_code, result.stdout) == (1, "")
    (error,) = json_lines(result.stderr)
    assert error["error"]["kind"] == "not_found"


def test_authors_are_folded_unless_all_are_asked_for(invoke: Invoke, tmp_path: Path) -> None:
    many = "; ".join(f"Author Number{n:03}" for n in range(300))
    path = tmp_path / "many.jsonl"
    path.write_text(encode_record(record("pmlr", "v1/many31a", "By Many", many, ids="2101.00099")) + "\n")
    assert invoke("add", "jsonl", path).exit_code == 0
    folded = " ".join(invoke("show", "2101.00099").stdout.split())
    assert "Author Number009 … and 290 more (--all shows them)" in folded
    assert "Number010" not in folded
    assert "Number299" in invoke("show", "--all", "2101.00099").stdout


def test_a_title_can_not_hurt_the_terminal(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    title = "Red \\u001b[31m \\u202egnp.exe\\nnext\\tcolumn"
    path.write_text(
        f'{{"source": "pmlr", "key": "v1/odd31a", "title": "{title}", "identifiers": ["arxiv:2101.00098"]}}\n'
    )
    assert invoke("add", "jsonl", path).exit_code == 0
    for args in (["show", "2101.00098"], ["search", "gnp"], ["show", "--json", "2101.00098"]):
        output = invoke(*args).stdout
        assert "gnp.exe" in output
        assert not {"\x1b", "\u202e"} & set(output)
    assert len(invoke("search", "gnp").stdout.rstrip("\n").split("\t")) == 5


def test_a_paper_says_how_often_it_is_cited_and_what_it_cites(invoke: Invoke, tmp_path: Path) -> None:
    cited = replace(
        record("crossref", "10.5555/a", "Tiles", ids="10.5555/a"),
        citations=1234,
        references=(Identifier("arxiv", "2101.00011"), Identifier("doi", "10.5555/b")),
    )
    once = replace(record("crossref", "10.5555/c", "Floors", ids="10.5555/c"), citations=1)
    path = tmp_path / "cited.jsonl"
    path.write_text("".join(encode_record(one) + "\n" for one in (cited, once)))
    assert invoke("add", "jsonl", str(path)).exit_code == 0
    output = invoke("show", "10.5555/a").stdout
    assert "cited        1,234 times, as crossref counts" in output
    assert "cites        2 works with an identifier" in output
    other = invoke("show", "10.5555/c").stdout
    assert "cited        once, as crossref counts" in other
    assert "cites" not in other
    (paper,) = json_lines(invoke("show", "--json", "10.5555/a").stdout)
    assert (paper["citations"], paper["references"]) == (1234, ["arxiv:2101.00011", "doi:10.5555/b"])


def test_what_became_of_a_paper_is_told_with_the_venue(invoke: Invoke, tmp_path: Path) -> None:
    def at(key: str, venue: str, status: str, **others: str) -> str:
        made = record("openreview", key, f"Tiles {key}", ids=f"https://openreview.net/forum?id={key}", status=status)
        return encode_record(replace(made, venue=Venue(short=venue, year=2031), **others)) + "\n"  # type: ignore[arg-type]

    preprint = {
        "ids": "2101.00077",
        "comment": "Accepted at ICML 2025",
        "status": "submitted",
        "submitted": "2025-01-02",
    }
    path = tmp_path / "fates.jsonl"
    path.write_text(
        at("AbC12xYz91", "TILE", "rejected")
        + at("AbC12xYz92", "TILE", "submitted")
        + at("AbC12xYz93", "TILE", "accepted", award="best paper; oral")
        + encode_record(record("arxiv", "2101.00077", "Claimed Tiles", **preprint))  # type: ignore[arg-type]
        + "\n"
    )
    assert invoke("add", "jsonl", str(path)).exit_code == 0
    assert "status       rejected at TILE 2031" in invoke("show", "openreview:AbC12xYz91").stdout
    assert "status       submitted to TILE 2031" in invoke("show", "openreview:AbC12xYz92").stdout
    assert "status       accepted · best paper; oral" in invoke("show", "openreview:AbC12xYz93").stdout
    claimed = invoke("show", "2101.00077").stdout
    assert "appeared     ICML 2025, as the authors say in the comment on arXiv" in claimed
    places = {line.split("\t")[3] for line in invoke("search", "tiles").stdout.splitlines()}
    assert places == {"submitted to TILE 2031", "TILE 2031", "ICML 2025, as its authors say"}
    (paper,) = json_lines(invoke("show", "--json", "2101.00077").stdout)
    assert (paper["venue"], paper["venue_claimed_in"], paper["status"]) == ("ICML 2025", "comment", "submitted")
    (found,) = json_lines(invoke("search", "--json", "tiles status:accepted award:oral").stdout)
    assert [(hit["status"], hit["award"]) for hit in found["hits"]] == [("accepted", "best paper; oral")]


def test_a_preprint_that_was_withdrawn_is_told_beside(invoke: Invoke, tmp_path: Path) -> None:
    one = record("arxiv", "2101.00076", "Tiles of Jade", "Ann Bee", ids="2101.00076", status="withdrawn")
    other = record(
        "pmlr", "v1/bee31a", "Tiles of Jade", "Ann Bee", ids="2101.00076", venue="TILE", year=2031, status="accepted"
    )
    path = tmp_path / "both.jsonl"
    path.write_text(encode_record(one) + "\n" + encode_record(other) + "\n")
    assert invoke("add", "jsonl", str(path)).exit_code == 0
    assert "status       accepted · the preprint was withdrawn" in invoke("show", "2101.00076").stdout
    (paper,) = json_lines(invoke("show", "--json", "2101.00076").stdout)
    assert paper["preprint_withdrawn"] is True
