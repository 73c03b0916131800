"""What is exported and read again: made-up papers, and the way there and back."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

from octavo.export import export_papers
from octavo.export.reference import is_published, venue_name, venue_of
from octavo.ingest.merge import merge
from octavo.records.dates import PartialDate
from octavo.records.ids import parse_identifier
from octavo.records.names import parse_author
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.sources.base import Fault, Source


class Said(NamedTuple):
    """What must come back."""

    title: str
    authors: tuple[str, ...]
    is_cut: bool
    year: int | None
    venue: tuple[str, ...]
    identifiers: frozenset[str]


def said_of(records: Sequence[Record]) -> Said:
    """What a paper made of these records says, as far as a reference can say it."""
    paper = merge(records)
    venue = venue_of(paper, records)
    parts = (venue_name(venue), venue.volume, venue.number, venue.publisher, venue.pages.replace("--", "-"))
    return Said(
        paper.title,
        paper.authors,
        paper.authors_incomplete,
        paper.year,
        parts if is_published(paper) else (),
        frozenset(map(str, paper.identifiers)),
    )


def there_and_back(form: str, source: Source, groups: Sequence[list[Record]]) -> list[list[Record]]:
    """Export papers, each of a group of records, and read the file; a fault fails the test."""
    text = "".join(export_papers(form, [(merge(group), group) for group in groups]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "export.json" if form == "csl" else f"export.{form}")
        path.write_text(text, encoding="utf-8", newline="\n")
        if form == "csl":
            json.loads(text)
        found = [one for page in source.fetch(path) for one in source.parse(page)]
    assert not [one for one in found if isinstance(one, Fault)], text
    return [[one] for one in found if isinstance(one, Record)]


TITLE_WORDS = st.sampled_from(
    ["Fast", "tiles", "BERT", "U-Net", "α-Trees", "Résumé", "Nguyễn’s", "(3D)", "100%", "R&D", "a_b", "#1", "C++", "C#",
     "{sets}", "~10", "2^n", "“yes”", "–", "said:", "x<y", "a>b", "$5", "and", "TY  -", "@misc{a,", "量子計算", "back\\slash",
     "it's", "`tick`", "—", "<b>", "et al.", "&amp;", "**bold**", "O'Dee", "e3nn", "=", '"quoted"', "100,000", "ER", "ÅÄÖ", "ß"]
)  # fmt: skip
TEX_TITLES = st.sampled_from(
    [r"On $\alpha$-trees", r"{BERT} for {\'E}lodie", r"The ${\rm QCH}$ for sets \{a,b\}", r"$O(n^2)$ is \emph{fast}",
     r"\textsc{MaxSafe} \& more", r"Kal{\=\i}te \$5 to \$3", r"A $\rset$ of ``quotes''", r"100\% of Nguy{\~{\^e}}n"]
)  # fmt: skip
NAMES = st.sampled_from(
    ["Ann Bee", "Łukasz Nguyễn", "de la Cruz, Jr., Ana", "{Della Rossa}, Dan", "Ludwig van der Meer III",
     "Ramo y Costa, Pere", "De Orin Sands", "Plato", "The Blue Team", "A. B. Cee-Dee", "O'Dee, Pat", "Élodie Šimić",
     "OpenTiles-AI", "Wei Wang", "Bee-Ann d'Arc"]
)  # fmt: skip
IDENTIFIERS = st.lists(
    st.sampled_from(
        ["arXiv:2101.00010", "math/0309136", "10.5555/tiles.1", "10.5555/(SICI)9:1+<1::AID-X2>3.0.CO;2-#", "P18-1001",
         "openreview:AbC12xYz90", "v900/bee31a", "2022.acl-long.1", "conf/tile/Bee31", "https://example.org/a_b?x=1&y=2",
         "https://tiles.example.org/paper~1", "10.5555/other_2", "arXiv:2102.00020"]
    ),
    max_size=5,
    unique=True,
)  # fmt: skip
VENUES = st.one_of(
    st.none(),
    st.builds(
        Venue,
        name=st.sampled_from(
            [
                "Proceedings of the 9th Tile Conference",
                "Journal of Tiles & Floors",
                "Tiles: 100% {Fun}",
                "Annals of α",
                "",
            ]
        ),
        short=st.sampled_from(["TILE", "JMLR", "CoTL"]),
        year=st.integers(1950, 2049),
        volume=st.sampled_from(["", "9", "XII"]),
        number=st.sampled_from(["", "2", "3-4"]),
        pages=st.sampled_from(["", "11-19", "i-iv", "e0815", "7"]),
        publisher=st.sampled_from(["", "Quarry & Sons"]),
    ),
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A made-up claim about a made-up paper."""
    if draw(st.booleans()):
        title = Text.of(draw(TEX_TITLES), "tex")
    else:
        title = Text.of(" ".join(["Tiles", *draw(st.lists(TITLE_WORDS, max_size=6))]), "plain")
    people = tuple(parse_author(name) for name in draw(st.lists(NAMES, max_size=5, unique=True)))
    year = draw(st.sampled_from(["", "2030", "2030-11", "2030-11-02"]))
    return Record(
        source="pmlr",
        key="v900/x",
        title=title,
        authors=people,
        authors_incomplete=bool(people) and draw(st.booleans()),
        identifiers=tuple(parse_identifier(name)[0] for name in draw(IDENTIFIERS)),
        venue=draw(VENUES),
        status=draw(st.sampled_from(["", "accepted"])),
        published_on=PartialDate(year) if year else None,
    )


@st.composite
def papers(draw: st.DrawFn) -> list[list[Record]]:
    """Some papers of one record each."""
    return [[replace(one, key=f"v900/x{n}")] for n, one in enumerate(draw(st.lists(records(), min_size=1, max_size=4)))]
