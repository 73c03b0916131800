"""A small made-up world of papers, with the hard cases in it. Nobody and nothing here exists.

`RECORDS` are claims of several sources, some of them about the same paper; `paper(...)` makes one more.
"""

from __future__ import annotations

from octavo.records.dates import PartialDate
from octavo.records.ids import parse_identifier
from octavo.records.names import parse_author
from octavo.records.paper import Record, Venue, Version
from octavo.records.text import Text


def record(
    source: str,
    key: str,
    title: str,
    authors: str = "",
    *,
    ids: str = "",
    abstract: str = "",
    venue: str = "",
    year: int | None = None,
    submitted: str = "",
    categories: str = "",
    versions: int = 0,
    comment: str = "",
    summary: str = "",
    status: str = "",
    markup: str = "mixed",
) -> Record:
    """A claim, from plain strings: authors by `; `, ids and categories by blanks."""
    return Record(
        source=source,
        key=key,
        title=Text.of(title, markup),
        authors=tuple(parse_author(name) for name in authors.split("; ") if name),
        identifiers=tuple(parse_identifier(name)[0] for name in ids.split()),
        abstract=Text.of(abstract, markup) if abstract else None,
        summary=Text.of(summary, "plain") if summary else None,
        venue=Venue(name=f"Proceedings of {venue}", short=venue, year=year) if venue else None,
        submitted_on=PartialDate(submitted) if submitted else None,
        categories=tuple(categories.split()),
        versions=tuple(Version(number + 1) for number in range(versions)),
        comment=comment,
        status=status,
    )


RECORDS: tuple[Record, ...] = (
    record(
        "mlanthology", "bee2031tiles", "Tiles Are Sufficient for Fast Layout", "Ann Bee; Cy Dee; Łukasz Nguyễn",
        ids="10.5555/tiles.1 https://openreview.net/forum?id=AbC12xYz90", venue="TILE", year=2031,
        abstract="Laying out a floor takes long when every tile is tried. A greedy layout with $O(n)$ tiles is enough, and it is "
        "$4.2\\times$ quicker on the Quarry benchmark.",
    ),
    record(
        "arxiv-snapshot", "2101.00010", "Fast tiles are enough", "Ann Bee; Cy Dee; Łukasz Nguyễn",
        ids="arXiv:2101.00010 10.5555/tiles.1", submitted="2030-11-02", categories="cs.LG stat.ML", versions=3,
        abstract="We show that greedy tiles are enough for laying out a floor in linear time.", markup="tex",
    ),
    record(
        "pmlr", "v900/bee31a", "Tiles are sufficient for fast layout", "Ann Bee; Cy Dee; Łukasz Nguyễn",
        ids="https://proceedings.mlr.press/v900/bee31a.html https://openreview.net/forum?id=AbC12xYz90", venue="TILE", year=2031,
    ),
    record(
        "mlanthology", "eff2030flashtp", "FlashTP: Tensor Products without Regret", "Ee Eff; Wei Wang",
        ids="https://openreview.net/forum?id=FlashTP001", venue="TILE", year=2030,
        abstract="Equivariant networks spend their time in tensor products. FlashTP fuses the kernels and skips what is zero.",
    ),
    record(
        "mlanthology", "gee2029flash", "Flash Memory Wear in Embedded Recorders", "Gil Gee; Wei Wang", venue="WEAR", year=2029,
        ids="10.5555/wear.7",
        abstract="Memory cells wear out. We predict their remaining life from the voltage that a write needs.",
    ),
    record(
        "mlanthology", "haa2028noninvasive", "Non-invasive Sensing of Plants", "Hu Haa", venue="PLANT", year=2028,
        ids="10.5555/plant.1", abstract="A camera sees thirst before the leaves hang.",
    ),
    record(
        "mlanthology", "iko2028noninvasive", "A Non Invasive Probe for Sap Flow", "Ira Iko", venue="PLANT", year=2028,
        ids="10.5555/plant.2",
    ),
    record(
        "mlanthology", "jay2027invasive", "Invasive Species Found by Drones", "Jo Jay", venue="PLANT", year=2027, ids="10.5555/plant.3"
    ),
    record(
        "mlanthology", "kay2026cpp", "C++ Templates as a Proof Assistant", "Ki Kay; T. O. de Ruyt Example", venue="CODE", year=2026,
        ids="10.5555/code.1",
    ),
    record("mlanthology", "lou2026c", "A Verified C Kernel", "Lu Lou", venue="CODE", year=2026, ids="10.5555/code.2"),
    record("mlanthology", "moe2025tiler", "Tiler 2.0", "Mo Moe", venue="TILE", year=2025, ids="10.5555/tiles.20"),
    record("mlanthology", "nun2025gaps", "Laying 2 Tiles with 0 Gaps", "Nu Nun", venue="TILE", year=2025, ids="10.5555/tiles.21"),
    record(
        "mlanthology", "oda2024quantum", "量子計算入門", "小田 花子", venue="QUANT", year=2024, ids="10.5555/quant.1",
        abstract="量子ビットの基礎から始める。",
    ),
    record(
        "mlanthology", "poe2024alpha", "On $\\alpha$-Trees: a Résumé", "Pat Poe", venue="TREE", year=2024, ids="10.5555/tree.1",
        abstract="Every $\\alpha$-tree has a short résumé, which we find by walking it once from its deepest leaf.",
    ),
    # Two papers to which a source gave the DOI of their whole volume.
    record("mlanthology", "qin2023one", "Sailing Boats Seen from Orbit", "Qi Qin", ids="10.5555/volume", venue="BOAT", year=2023),
    record("mlanthology", "roe2023two", "Grammar of Whale Song", "Ru Roe", ids="10.5555/volume", venue="BOAT", year=2023),
    # Generic titles.
    record("mlanthology", "sea2022preface", "Preface", "Su Sea", ids="10.5555/preface.1", venue="BOAT", year=2022),
    record("mlanthology", "tao2023preface", "Preface", "Ti Tao", ids="10.5555/preface.2", venue="BOAT", year=2023),
    record(
        "arxiv-snapshot", "math/0309136", "Walks on Sparse Lattices", "Ulf Uhu", ids="math.GT/0309136", submitted="2003-09-08",
        categories="math.GT", versions=2, abstract="A walk on a sparse lattice returns. We count how often.", markup="tex",
    ),
    record(
        "arxiv-snapshot", "2101.00011", "Bounds that Were Wrong", "Vi Voe", ids="arXiv:2101.00011", submitted="2031-01-01",
        categories="cs.LG", versions=3, status="withdrawn", markup="tex",
        comment="This paper has been withdrawn by the authors due to an error in Section 4",
    ),
    record(
        "octavo", "known/xenonbounds", "Xenon Bounds", "Łukasz Nguyễn; Xi Xu", ids="arXiv:2101.00012", submitted="2031-02-03",
        categories="physics.chem-ph", summary="Xenon clings to cages of ice. The authors bound how much, from the cage's size alone.",
    ),
)  # fmt: skip
