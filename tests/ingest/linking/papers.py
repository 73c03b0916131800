"""Made-up abstracts and records for the tests of linking."""

from __future__ import annotations

from octavo.ingest.linking import Features, features_of
from tests.world import record

ABSTRACT = (
    "Laying a hexagonal floor takes long when every tile is tried at every corner. We show that a greedy layout with a "
    "linear number of tiles is enough, prove that no layout can do with fewer, and measure it on the Quarry benchmark, "
    "where it is four times quicker than patient search and leaves no gap along the walls."
)
SECOND_ABSTRACT = (
    "A floor that was laid in haste has gaps. Patient search closes them by turning pairs of tiles until the longest gap "
    "is shorter than a thumb. The method needs no greedy start, and works for rooms with columns, niches and stairs, "
    "as twelve masons found in a study that lasted a summer."
)
OTHER_ABSTRACT = (
    "Boats sail downhill on any river. Whether they can sail uphill is open since the first lock was built. A keel of "
    "cork and a sail of two layers lift a boat by a hand's width an hour in our basin, with the wind from either side, "
    "and eleven captains agree that the passengers hardly notice."
)


def world() -> list[Features]:
    """Some works of several records, with the hard cases among them."""
    rows: list[tuple[str, str, str, str, dict[str, object]]] = [
        ("mlanthology", "a", "Tiles Are Sufficient for Fast Floors", "Ann Bee; Cy Dee; Ee Eff",
         {"abstract": ABSTRACT, "venue": "TILE", "year": 2031, "ids": "10.5555/tiles.31.1"}),
        ("arxiv-snapshot", "3102.00010", "Fast floors need no more than tiles", "Ann Bee; Cy Dee; Ee Eff",
         {"abstract": ABSTRACT, "ids": "arXiv:3102.00010", "submitted": "2031-02-01"}),
        ("paperlists", "p1", "Tiles are sufficient for fast floors", "Ann Bee; Cy Dee; Ee Eff",
         {"venue": "TILE", "year": 2031}),
        ("bibtex", "b1", "Tiles are sufficient for fast floors", "A. Bee; C. Dee; E. Eff", {"ids": "arXiv:3102.00010"}),
        # The same team's next paper, and its preprint.
        ("mlanthology", "c", "Patient Floors", "Ann Bee; Cy Dee; Ee Eff",
         {"abstract": SECOND_ABSTRACT, "venue": "TILE", "year": 2031}),
        ("arxiv-snapshot", "3102.00020", "Patient Floors", "Ann Bee; Cy Dee; Ee Eff",
         {"abstract": SECOND_ABSTRACT, "ids": "arXiv:3102.00020", "submitted": "2031-02-09"}),
        # A volume's DOI given to its papers.
        ("crossref", "v1", "Boats That Sail Uphill", "Qi Qin", {"ids": "10.5555/volume", "venue": "BOAT", "year": 2030}),
        ("crossref", "v2", "The Grammar of Whale Song", "Ru Roe", {"ids": "10.5555/volume", "venue": "BOAT", "year": 2030}),
        ("ris", "w", "The grammar of whale song", "R. Roe", {"ids": "10.5555/volume"}),
        ("mlanthology", "e1", "Editorial", "Ann Bee", {"venue": "TILE", "year": 2030}),
        ("paperlists", "e2", "Editorial", "Ann Bee", {"venue": "TILE", "year": 2031}),
        # Two arXiv ids for one text.
        ("arxiv-snapshot", "3103.00001", "Uphill Boats, Once More", "Qi Qin; Hu Ho",
         {"abstract": OTHER_ABSTRACT, "ids": "arXiv:3103.00001", "submitted": "2031-03-01"}),
        ("arxiv-snapshot", "3104.00001", "Uphill Boats, Once More", "Qi Qin; Hu Ho",
         {"abstract": OTHER_ABSTRACT, "ids": "arXiv:3104.00001", "submitted": "2031-04-01"}),
        ("mlanthology", "u", "Uphill Boats, Once More", "Qi Qin; Hu Ho", {"venue": "BOAT", "year": 2031}),
    ]  # fmt: skip
    return [features_of(record(source, key, title, names, **fields)) for source, key, title, names, fields in rows]  # type: ignore[arg-type]
