"""Papers that are hard to show, and two announcement days. Nobody and nothing here exists."""

from __future__ import annotations

from pathlib import Path

from octavo.app import Octavo
from octavo.catalogue.batches import Announced, Batches
from octavo.records.codec import encode_record
from octavo.records.paper import Record
from tests.world import RECORDS, record

FRIDAY, THURSDAY = "2031-05-02", "2031-05-01"
N_HANDS = 3_303

SCRIPT = record(
    "arxiv", "2101.10001", r"On $\frac{1}{<svg onload=document.title='x'>}$ bounds",
    "<b onmouseover=alert(1)>A</b>; Bo Bee", ids="arXiv:2101.10001", submitted="2031-05-01", categories="cs.LG",
    abstract=r"We bound $\sum_{i=1}^{n} x_i^2$ by **twice** its *mean*. <script>alert(1)</script> and "
    "[this](javascript:alert(1)), \x24\\def\\q{zzzz}\\q\\q\x24. " + "The bound is tight. " * 30,
)  # fmt: skip
"""Pitfalls F01 and F02."""
HANDS = record(
    "arxiv", "2101.10002", "A Map of the Whole Sky in Very Many Hands",
    "; ".join(f"Hand{n} Mapper{n}" for n in range(N_HANDS)), ids="arXiv:2101.10002", submitted="2031-05-01",
    categories="astro-ph.CO cs.LG", abstract="Many hands make light work.",
)  # fmt: skip
"""Pitfall C16."""
FORMULA = record(
    "arxiv", "2101.10003", r"$\alpha$-$\beta^2$", "Cy Dee", ids="arXiv:2101.10003", submitted="2031-05-01",
    categories="stat.ML cs.LG", abstract="A title of mathematics only.",
)  # fmt: skip
ARABIC = record(
    "arxiv", "2101.10004", "تعلم الآلة \u202eللغة", "سارة أحمد; Ann Bee", ids="arXiv:2101.10004",
    submitted="2031-05-01", categories="cs.CL cs.LG",
)  # fmt: skip
"""Pitfall C13."""
NOBODY = record(
    "arxiv", "2101.10005", "A Title Without Anybody Who Wrote It", ids="arXiv:2101.10005", categories="cs.LG"
)
CHINESE = record(
    "arxiv", "2101.10006", "量子計算与神经网络", "小田 花子; 王 伟; Ann Bee; Cy Dee; Ee Eff; Gil Gee; Hu Haa; Ira Iko",
    ids="arXiv:2101.10006", submitted="2031-04-30", categories="cs.LG", abstract="量子ビットの基礎から始める。" * 30, versions=2,
)  # fmt: skip
EXTRA: tuple[Record, ...] = (SCRIPT, HANDS, FORMULA, ARABIC, NOBODY, CHINESE)

ANNOUNCED = {
    "cs.LG": (
        Announced(FRIDAY, "2101.10001", "new", ("cs.LG",), 1),
        Announced(FRIDAY, "2101.10002", "cross", ("astro-ph.CO", "cs.LG"), 1),
        Announced(FRIDAY, "2101.10003", "cross", ("stat.ML", "cs.LG"), 1),
        Announced(FRIDAY, "2101.10004", "cross", ("cs.CL", "cs.LG"), 1),
        Announced(FRIDAY, "2101.00010", "replace", ("cs.LG", "stat.ML"), 3),
        Announced(FRIDAY, "2101.10006", "replace", ("cs.LG",), 2),
        Announced(FRIDAY, "2101.19999", "replace-cross", ("math.OC", "cs.LG"), 2),  # of which there is no record
        Announced(THURSDAY, "2101.10005", "new", ("cs.LG",), 1),
        Announced(THURSDAY, "2101.10006", "new", ("cs.LG",), 1),
    ),
    "stat.ML": (Announced(FRIDAY, "2101.10003", "new", ("stat.ML", "cs.LG"), 1),),
}


def fill(home: Path, records: tuple[Record, ...] = (*RECORDS, *EXTRA)) -> None:
    """Make the catalogue."""
    path = home.with_name(f"{home.name}.jsonl")
    path.write_text("".join(encode_record(one) + "\n" for one in records), encoding="utf-8")
    with Octavo(home) as octavo:
        octavo.add("jsonl", path)


def announce(home: Path) -> None:
    """Note the announcement days."""
    with Octavo(home) as octavo:
        database = octavo._catalogue.database
        with database.write():
            for want, found in ANNOUNCED.items():
                Batches(database).announce("arxiv", want, found)
