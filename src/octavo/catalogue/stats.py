"""Counting what the catalogue holds."""

from __future__ import annotations

from octavo.catalogue.database import Database
from octavo.records.paper import CLAIMED_IN, NOT_TAKEN


def counts(database: Database) -> dict[str, int]:
    """Papers, records, entries that wait, papers with an abstract and with Octavo's summary."""
    row = database.connection.execute(
        "SELECT (SELECT count(*) FROM papers), (SELECT count(*) FROM records), (SELECT count(*) FROM waiting),"
        " (SELECT count(*) FROM papers WHERE abstract <> ''), (SELECT count(*) FROM papers WHERE summary <> '')"
    ).fetchone()
    return dict(zip(("papers", "records", "waiting", "with_abstract", "with_summary"), row, strict=True))


def by_source(database: Database) -> list[tuple[str, int]]:
    """(source, records), the largest first."""
    return list(
        database.connection.execute("SELECT source, count(*) AS n FROM records GROUP BY source ORDER BY n DESC, source")
    )


def by_year(database: Database) -> list[tuple[int, int]]:
    """(year, papers), the newest first; papers without a year are in none."""
    return list(
        database.connection.execute(
            "SELECT year, count(*) FROM papers WHERE year IS NOT NULL GROUP BY year ORDER BY year DESC"
        )
    )


def by_venue(database: Database, limit: int = 20) -> list[tuple[str, int]]:
    """(venue and year, papers that appeared there), the largest first; what was only submitted does not count, and
    claims of authors alone do not either."""
    claimed = " AND ".join(f"json_extract(origins, '$.venue') NOT LIKE '% ({field})'" for field in CLAIMED_IN)
    return list(
        database.connection.execute(
            f"SELECT venue, count(*) AS n FROM papers WHERE venue <> '' AND status NOT IN (?, ?, ?)"  # noqa: S608
            f" AND (status <> '' OR ({claimed})) GROUP BY venue ORDER BY n DESC, venue LIMIT ?",
            (*NOT_TAKEN, limit),
        )
    )


def by_status(database: Database) -> list[tuple[str, int]]:
    """(status, papers), the largest first; those of which no source says what became under an empty text."""
    return list(
        database.connection.execute("SELECT status, count(*) AS n FROM papers GROUP BY status ORDER BY n DESC, status")
    )
