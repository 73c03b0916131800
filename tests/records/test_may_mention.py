"""The quick look before a text is read for venues."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from octavo.records.venue_reading import may_mention, scan
from octavo.records.venue_words import tokens
from octavo.records.venues import phrases, venues

names = sorted({name for series in venues() for name in (series.short, series.name, *series.exact)})
first_words = sorted(phrases())
texts = st.lists(
    st.sampled_from(names) | st.sampled_from(first_words) | st.sampled_from(["12 pages", "Proc.", "Int.", "Conf.", "J.", "’25"]),
    max_size=6,
).map(" ".join)  # fmt: skip


@given(texts)
def test_a_text_that_names_a_venue_is_never_passed_over(text: str) -> None:
    if scan(tokens(text)).mentions:
        assert may_mention(text.lower())


def test_every_venues_name_is_seen() -> None:
    assert [name for name in names if scan(tokens(name)).mentions and not may_mention(name.lower())] == []
    assert not may_mention("12 pages, 5 figures, code is available")
