"""Editions as papers show them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records.edition_names import edition_shown, shown_venue, venue_asked, venue_terms
from octavo.records.editions import edition_of
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.records.venues import TRACKS, Edition, VenueSeries, venues

SERIES = [series for series in venues() if series.kind != "preprint server"]
editions = st.builds(
    Edition, st.sampled_from([one.key for one in SERIES]), st.none() | st.integers(1980, 2040), st.sampled_from(TRACKS)
)


@given(editions)
def test_what_is_shown_of_an_edition_is_read_as_that_edition(edition: Edition) -> None:
    assert edition_shown(edition.name) == edition


@given(editions)
def test_an_edition_is_found_by_its_own_name_and_by_its_venues(edition: Edition) -> None:
    terms = venue_terms(edition.name)
    assert edition.venue in terms
    if (asked := venue_asked(edition.name)) and asked.name == edition.name:
        assert set(asked.terms) & set(terms)


@pytest.mark.parametrize("series", SERIES, ids=lambda series: series.key)
def test_every_venue_is_asked_for_by_its_key_and_names(series: VenueSeries) -> None:
    for name in (series.key, series.name):
        asked = venue_asked(name)
        assert asked is not None
        assert series.key in asked.terms


@pytest.mark.parametrize(
    ("venue", "shown"),
    [
        (Venue("Proceedings of the 42nd International Conference on Machine Learning"), "ICML 2025"),
        (Venue("International Conference on Machine Learning", "ICML", 2025), "ICML 2025"),
        (Venue("Advances in Neural Information Processing Systems 29", "NIPS", 2016), "NeurIPS 2016"),
        (Venue("ICML'25"), "ICML 2025"),
        (Venue("Proceedings of Machine Learning Research", volume="267", publisher="PMLR"), "ICML 2025"),
        (Venue(short="ICML", year=2025, track="position"), "ICML 2025 Position Track"),
        (Venue("Findings of the Association for Computational Linguistics: EMNLP 2021"), "EMNLP 2021 Findings"),
        # Workshops as they are written.
        (Venue("NeurIPS 2023 Workshop on Tiles"), "NeurIPS 2023 Workshop on Tiles"),
        (Venue("Workshop on Tiles at NeurIPS", year=2023), "Workshop on Tiles at NeurIPS 2023"),
        (Venue(short="NeurIPS Workshop Tile_Laying", year=2023, track="workshop"), "NeurIPS 2023 Workshop Tile Laying"),
        (Venue(short="ICLR", year=2018, track="workshop"), "ICLR 2018 Workshop"),
        # And what is not known.
        (Venue("Proceedings of the 42nd Tile Conference", "TILE", 2031), "TILE 2031"),
        (Venue("International Conference on Machine Learning and Cybernetics", year=2020),
         "International Conference on Machine Learning and Cybernetics 2020"),
        (Venue("International Conference on Machine Learning, Cybernetics and Tiles", year=2020),
         "International Conference on Machine Learning, Cybernetics… 2020"),
        (Venue(), ""),
    ],
)  # fmt: skip
def test_venue_is_shown_by_its_edition(venue: Venue, shown: str) -> None:
    record = Record("bibtex", "1", Text.of("Tiles", "plain"), venue=venue)
    assert shown_venue(venue, edition_of(record)) == shown


@pytest.mark.parametrize(
    "text", ["", "tile", "arxiv", "CoRR abs/2101.00010", "workshop", "x" * 2_000, "2025", "learning"]
)
def test_other_words_ask_for_no_venue(text: str) -> None:
    assert venue_asked(text) is None


@pytest.mark.parametrize("text", ["nature", "machine learning", "cl", "mm", "Neural Networks", "science 2020"])
def test_name_that_may_be_a_part_of_others_is_not_sure(text: str) -> None:
    asked = venue_asked(text)
    assert asked is not None
    assert not asked.is_sure


@given(st.text(max_size=60))
def test_any_text_may_be_asked_for_and_shown(text: str) -> None:
    venue_asked(text)
    assert isinstance(venue_terms(text), tuple)
