"""Entries of saved pages: identified, kept while they are not, and joined when two pages show the same."""

from __future__ import annotations

from pathlib import Path

from octavo.app import Octavo
from octavo.records.codec import encode_record
from tests.world import record

ABSTRACT = (
    "Otters glide down wet banks for no reason that biologists agree on. We film four hundred slides in three rivers and find that "
    "the steeper bank is chosen whenever a second otter is watching, which speaks for display rather than for play."
)
OTTERS = record(
    "mlanthology",
    "otters",
    "Why Otters Slide",
    "Ann Bee; Cy Dee",
    ids="10.5555/otters",
    venue="TILE",
    year=2031,
    abstract=ABSTRACT,
)
LIST = f"TILE 2031 Papers\n\n{ABSTRACT}\n\nA second abstract, of which nothing else is known, is about the way in which bread rises. It rises slowly at first, as the yeast has to wake, and then all at once; we model both with one equation.\n"
SEARCH = f"论文检索\n\nApplications · Zoology\n\nAnn Bee, Cy Dee\n\n{ABSTRACT}\n"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_entries_wait_until_their_paper_comes(octavo: Octavo, tmp_path: Path) -> None:
    page = write(tmp_path / "list.txt", LIST)
    view = octavo.add("page", page)
    assert (view.identified, view.waiting) == (0, 2)
    assert [entry.text[:6] for entry in octavo.waiting()] in (["Otters", "A seco"], ["A seco", "Otters"])
    again = octavo.add("page", page)
    assert (again.identified, again.waiting) == (0, 2)
    papers = write(tmp_path / "papers.jsonl", encode_record(OTTERS) + "\n")
    view = octavo.add("jsonl", papers)
    assert (view.added, view.identified, view.waiting) == (1, 1, 1)
    assert octavo.stats().papers == 1
    (hit,) = octavo.search("otters slide").hits
    assert hit.paper.sources == ("mlanthology", "page")


def test_two_pages_of_one_entry_are_one_claim_that_keeps_both(octavo: Octavo, tmp_path: Path) -> None:
    octavo.add("jsonl", write(tmp_path / "papers.jsonl", encode_record(OTTERS) + "\n"))
    assert octavo.add("page", write(tmp_path / "list.txt", LIST)).identified == 1
    octavo.add("page", write(tmp_path / "search.txt", SEARCH))
    octavo.add("page", tmp_path / "list.txt")
    view = octavo.get("10.5555/otters", claims=True)
    assert view.paper.topics == (("Applications", "Zoology"),)
    (claim,) = (claim for claim in view.claims if claim["source"] == "page")
    assert claim["venue"]["year"] == 2031
    assert [author["name"] for author in claim["authors"]] == ["Ann Bee", "Cy Dee"]


def test_two_pages_join_while_the_entry_still_waits(octavo: Octavo, tmp_path: Path) -> None:
    octavo.add("page", write(tmp_path / "list.txt", LIST))
    octavo.add("page", write(tmp_path / "search.txt", SEARCH))
    entry = next(entry for entry in octavo.waiting() if entry.text.startswith("Otters"))
    assert entry.authors == ("Ann Bee", "Cy Dee")


def test_a_page_read_twice_changes_nothing(octavo: Octavo, tmp_path: Path) -> None:
    octavo.add("jsonl", write(tmp_path / "papers.jsonl", encode_record(OTTERS) + "\n"))
    page = write(tmp_path / "search.txt", SEARCH)
    octavo.add("page", page)
    before = octavo.get("10.5555/otters", claims=True)
    view = octavo.add("page", page)
    assert (view.added, view.updated, view.unchanged, view.identified) == (0, 0, 1, 0)
    assert octavo.get("10.5555/otters", claims=True) == before


def test_a_similar_abstract_is_not_joined(octavo: Octavo, tmp_path: Path) -> None:
    other = ABSTRACT.replace("Otters glide", "Seals slide").replace("rivers", "bays").replace("otter", "seal")
    octavo.add("jsonl", write(tmp_path / "papers.jsonl", encode_record(OTTERS) + "\n"))
    rewritten = (
        "The habits of seals on ice are well known to sailors, and less so to science. " + other.split(". ", 1)[1][:60]
    )
    page = write(
        tmp_path / "list.txt",
        f"TILE 2031 Papers\n\n{rewritten} and more besides, which nobody has written down before now.\n",
    )
    view = octavo.add("page", page)
    assert (view.identified, view.waiting) == (0, 1)
