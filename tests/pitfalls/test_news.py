"""G01 and G05, as far as records go: an announcement makes a paper once, and its day is not that of its submission.

That a digest chooses by first announcement and says each paper once is for the digest to show.
"""

from __future__ import annotations

from tests.pitfalls import files
from tests.pitfalls.conftest import Shelf


def test_g01_a_cross_list_is_the_same_paper(shelf: Shelf) -> None:
    first = shelf.put("lg.xml", files.feed(categories="cs.LG stat.ML"))
    second = shelf.put("ml.xml", files.feed(kind="cross", of="stat.ML", categories="cs.LG stat.ML"))
    assert (first.new_papers, second.new_papers, second.added) == (1, 0, 0)
    assert shelf.paper()["categories"] == ["cs.LG", "stat.ML"]
    assert shelf.octavo.search("cat:stat.ML").total == 1


def test_g01_a_replacement_is_no_new_paper(shelf: Shelf) -> None:
    shelf.put("a.xml", files.feed())
    view = shelf.put("b.xml", files.feed("2101.00010v2", kind="replace", day="Thu, 09 Jan 2031"))
    assert (view.new_papers, shelf.paper()["version"]) == (0, 2)


def test_g01_a_late_version_of_an_old_paper_is_no_news(shelf: Shelf) -> None:
    shelf.put("a.xml", files.feed("1901.00010v7", kind="replace"))
    (claim,) = shelf.claims("1901.00010")
    assert "announced_on" not in claim
    assert "2031" not in str(shelf.paper()["date"])


def test_g05_a_paper_is_announced_on_another_day_than_it_was_submitted(shelf: Shelf) -> None:
    """Submitted on Thursday afternoon, announced on Sunday evening for Monday."""
    shelf.put("a.xml", files.feed(day="Mon, 06 Jan 2031"))
    shelf.put("b.jsonl", files.snapshot(versions=[{"version": "v1", "created": "Thu, 2 Jan 2031 20:00:00 GMT"}]))
    days = {
        claim["source"]: (claim.get("submitted_on"), claim.get("announced_on")) for claim in shelf.claims("2101.00010")
    }
    assert days == {"arxiv-feed": (None, "2031-01-06"), "arxiv-snapshot": ("2031-01-02", None)}
    assert shelf.paper()["date"] == "2031-01-02"
