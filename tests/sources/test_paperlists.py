"""papercopilot's lists, beyond their pairs: `octavo.sources.paperlists`."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from octavo.errors import FormatError
from octavo.records.codec import record_to_dict
from octavo.records.paper import Record
from octavo.sources.base import Page
from octavo.sources.paperlists import PaperlistsSource

ENTRY = {"id": "AbC12xYz90", "title": "Tiles", "author": "Ann Bee", "status": "Poster"}
ABSTRACT = "We lay tiles on every floor that we have, and we count them."


PRIVATE = (
    *(
        "email",
        "gender",
        "age",
        "position",
        "homepage",
        "google_scholar",
        "linkedin",
        "or_profile",
        "authorids",
    ),
    *("dblp", "orcid", "reviewers", "rating", "rating_avg", "confidence", "review", "metareview", "aff"),
    *("aff_domain", "gs_citation", "gs_cited_by_link", "bibtex", "author_site"),
)


def parsed(venue: str = "icml", year: str = "2031", /, **changes: object) -> Any:
    content = json.dumps([{**ENTRY, **changes}]).encode()
    context = (("venue", venue), ("year", year)) if venue else ()
    (found,) = PaperlistsSource().parse(Page(content, "icml2031.json", context=context))
    return found


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("Poster", ("accepted", "poster", "main")),
        ("Oral", ("accepted", "oral", "main")),
        ("Top-25%", ("accepted", "notable top 25%", "main")),
        ("Accept", ("accepted", "", "main")),
        ("Long", ("accepted", "", "long")),
        ("Findings", ("accepted", "", "findings")),
        ("Industry", ("accepted", "", "industry")),
        ("Journal", ("accepted", "", "journal")),
        ("Oral Workshop", ("accepted", "oral", "workshop")),
        ("Reject", ("rejected", "", "main")),
        ("Desk Reject", ("rejected", "", "main")),
        ("Withdraw", ("withdrawn", "", "main")),
        ("Active", ("submitted", "", "main")),
        (None, ("", "", "main")),
    ],
)
def test_status_is_parted_into_fate_distinction_and_track(status: str | None, expected: tuple[str, str, str]) -> None:
    record = parsed(status=status, track="main")
    assert (record.status, record.award, record.venue.track) == expected
    assert (record.published_on is not None) == (record.status == "accepted")


def test_paper_on_a_page_of_proceedings_was_accepted_when_nothing_is_said() -> None:
    assert parsed(status=None, site="https://proceedings.mlr.press/v901/bee31a.html").status == "accepted"
    assert parsed(status=None, site="https://openreview.net/forum?id=AbC12xYz90").status == ""


def test_prize_goes_before_the_kind_of_presentation() -> None:
    assert parsed(status="Oral", award=True).award == "prize"
    assert parsed(status="Oral", award=False).award == "oral"


@pytest.mark.parametrize(
    ("venue", "own", "is_forum"),
    [
        ("iclr", "B1xsqj09Fm", True),
        ("iclr", "-4IA4WgNAy4Wx", True),
        ("nips", "b9jXzuQMq9W", True),
        ("icml", "site_99edc5709d", False),
        ("icml", "2aae03df09", False),
        ("nips", "13959", False),
        ("acl", "2031.acl-long.24", False),
        ("aaai", "06384", False),
        ("aaai", "B1xsqj09Fm", False),
    ],
)
def test_id_is_of_openreview_only_where_it_can_be_nothing_else(venue: str, own: str, is_forum: bool) -> None:
    identifiers = [str(identifier) for identifier in parsed(venue, id=own).identifiers]
    assert (f"openreview:{own}" in identifiers) == is_forum


@pytest.mark.parametrize(
    "abstract",
    [
        "",
        None,
        "N/A",
        "Abstract Unavailable",
        "Part of",
        "(No Abstract)",
        "Paper was withdrawn.",
        "Ann Bee",
        "-",
        "abstract",
    ],
)
def test_stub_is_no_abstract(abstract: str | None) -> None:
    assert parsed(abstract=abstract).abstract is None


def test_abstract_is_kept_without_the_marks_of_its_extraction() -> None:
    assert parsed(abstract=ABSTRACT).abstract.plain == ABSTRACT
    broken = ABSTRACT.replace("floor", "fl(cid:173)\noor").replace("tiles", "ti(cid:173) les")
    assert parsed(abstract=broken).abstract.plain == ABSTRACT


@pytest.mark.parametrize(
    ("author", "names", "incomplete"),
    [
        ("Ann Bee;Cy Dee", ["Ann Bee", "Cy Dee"], False),
        ("Ann Bee; Cy Dee;", ["Ann Bee", "Cy Dee"], False),
        ("Ann Bee, Cy Dee", ["Ann Bee", "Cy Dee"], False),
        ("Ann Bee; Moe Em, Jr.", ["Ann Bee", "Moe Em Jr."], False),
        ("Ann Bee", ["Ann Bee"], False),
        ("", [], False),
        ("Ann Bee;Cy Dee;et al.", ["Ann Bee", "Cy Dee"], True),
    ],
)
@pytest.mark.parametrize("field", ["author", "authors"])
def test_authors_are_parted_at_semicolons_or_commas(
    author: str, names: list[str], incomplete: bool, field: str
) -> None:
    record = parsed(**{"author": "", field: author})
    assert [person.name for person in record.authors] == names
    assert record.authors_incomplete == incomplete


def test_what_the_lists_say_of_persons_is_not_read() -> None:
    private = {field: f"private {field}" for field in PRIVATE}
    assert "private" not in json.dumps(record_to_dict(parsed(**private)))
    assert parsed(**private) == parsed()


@pytest.mark.parametrize(
    ("year", "github", "code"),
    [
        ("2031", "https://github.com/ann-bee/fast-tiles", "https://github.com/ann-bee/fast-tiles"),
        ("2031", "github.com/ann-bee/fast-tiles.git", "https://github.com/ann-bee/fast-tiles"),
        ("2031", "Not provided", None),
        ("2031", "https://ann-bee.github.io", None),
        ("1999", "https://github.com/ann-bee/fast-tiles", None),
    ],
)
def test_code_is_linked_only_when_it_is_a_repository_of_its_time(year: str, github: str, code: str | None) -> None:
    assert dict(parsed("aistats", year, github=github).links).get("code") == code


def test_key_without_an_id_is_stable_and_tells_papers_apart() -> None:
    keys = {
        parsed(id=None, title="Fast Tiles", author="Ann Bee").key,
        parsed(id=None, title="Fast tiles!", author="Ann Bee").key,
        parsed(id="", title="fast  tiles", author="Ann Bee").key,
    }
    assert len(keys) == 1
    assert keys.pop().startswith("icml2031/title-")
    assert parsed(id=None, title="Fast Tiles", author="Cy Dee").key not in keys
    assert parsed("iclr", id=None, title="Fast Tiles", author="Ann Bee").key not in keys


def lists() -> dict[str, bytes]:
    found = {
        f"{venue}{year}": [{**ENTRY, "id": f"{venue}-Paper-{year}"}]
        for venue in ("icml", "nips")
        for year in (2030, 2031)
    }
    return {f"paperlists/{name[:4]}/{name}.json": json.dumps(entries).encode() for name, entries in found.items()}


EDITIONS = [("ICML", 2030), ("ICML", 2031), ("NeurIPS", 2030), ("NeurIPS", 2031)]


def editions(target: Path) -> list[tuple[str, int | None]]:
    source = PaperlistsSource()
    records = [record for page in source.fetch(target) for record in source.parse(page)]
    return [
        (record.venue.short, record.venue.year) for record in records if isinstance(record, Record) and record.venue
    ]


def test_venue_and_year_are_told_by_the_name_of_each_list(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in {
            **lists(),
            "paperlists/package.json": b'{"name": "x"}',
            "README.md": b"#",
        }.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    (tmp_path / "lists.tar.gz").write_bytes(gzip.compress(packed.getvalue()))
    assert editions(tmp_path / "lists.tar.gz") == EDITIONS
    for name, content in lists().items():
        path = tmp_path / "folder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    assert editions(tmp_path / "folder") == EDITIONS
    assert editions(tmp_path / "folder" / "paperlists" / "nips" / "nips2030.json") == [("NeurIPS", 2030)]


def test_folder_without_lists_is_refused(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("#")
    with pytest.raises(FormatError, match=r"holds no list of papers such as icml2025\.json"):
        editions(tmp_path)


def test_list_of_another_form_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "icml2031.json"
    path.write_text('{"papers": []}')
    with pytest.raises(FormatError, match=r"icml2031\.json holds no list of papers"):
        editions(path)
