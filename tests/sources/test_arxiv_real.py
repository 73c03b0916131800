"""arXiv's answers over the real samples beside the checkout, where those are."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.errors import FormatError
from octavo.records.paper import Record
from octavo.sources.arxiv import ArxivSource
from octavo.sources.arxiv_answer import is_arxiv_answer
from octavo.sources.arxiv_api import entries_of, total_of
from octavo.sources.arxiv_feed import announcements, feed_status
from octavo.sources.arxiv_oai import newest_datestamp, resumption
from octavo.sources.base import Fault, Page

SAMPLES = Path(__file__).parents[3] / "shared" / "data" / "samples"

BAD_ID = "id_abc_s0_m100_b79c8dcf6bc3.xml"

pytestmark = [pytest.mark.real, pytest.mark.skipif(not SAMPLES.is_dir(), reason="the real data set is not here")]


def pages(folder: str) -> list[Page]:
    return list(ArxivSource().fetch(SAMPLES / folder))


def parsed(page: Page) -> list[Record | Fault]:
    return list(ArxivSource().parse(page))


@pytest.mark.parametrize(
    ("folder", "n_files", "n_records"),
    [("oai-arXiv", 15, 30), ("oai-SYNTHETIC", 3, 3), ("arxiv-feed-atom", 1, 7)],
)
def test_every_sample_is_read(folder: str, n_files: int, n_records: int) -> None:
    found = [one for page in pages(folder) for one in parsed(page)]
    assert len(pages(folder)) == n_files
    assert [one for one in found if isinstance(one, Fault)] == []
    records = [one for one in found if isinstance(one, Record)]
    assert len(records) == n_records
    for record in records:
        assert record.authors
        assert record.abstract is not None
        assert record.categories
        assert record.submitted_on or record.announced_on
        assert "Announce Type" not in record.abstract.raw
    assert all(is_arxiv_answer(page.content.decode()[:65_536]) for page in pages(folder))


def test_every_answer_of_the_api_is_read_or_refused_in_its_own_words() -> None:
    n_records, n_files, refused = 0, 0, []
    for path in sorted((SAMPLES / "arxiv-atom-api").iterdir()):
        n_files += 1
        assert is_arxiv_answer(path.read_text(encoding="utf-8")[:65_536])
        try:
            (page,) = ArxivSource().fetch(path)
        except FormatError as error:
            refused.append(str(error))
            continue
        found = parsed(page)
        assert len(found) == len(entries_of(page))
        assert (total_of(page) or 0) >= len(found)
        n_records += len(found)
        for record in found:
            assert isinstance(record, Record)
            assert record.authors
            assert record.versions
            assert record.submitted_on is not None
            assert record.categories
    assert (n_files, n_records) == (20, 221)
    assert refused == [f"{BAD_ID}: arXiv refuses the query: incorrect id format for abc."]


def test_helpers_read_the_samples() -> None:
    (feed,) = pages("arxiv-feed-atom")
    assert feed_status(feed).state == "announced"
    assert [one.kind for one in announcements(feed)] == ["cross"] * 5 + ["new"] * 2
    assert all(newest_datestamp(page) for page in pages("oai-arXiv"))
    assert all(resumption(page).token is None for page in pages("oai-arXiv"))
