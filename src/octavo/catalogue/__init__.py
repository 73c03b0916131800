"""The truth: records and papers in one SQLite file. The only SQL of the project is in this package and `query.sql`."""

from octavo.catalogue.changes import Changes
from octavo.catalogue.database import Database, storage_errors
from octavo.catalogue.papers import Catalogue, Row, Stored, paper_of, row_of

__all__ = ["Catalogue", "Changes", "Database", "Row", "Stored", "paper_of", "row_of", "storage_errors"]
