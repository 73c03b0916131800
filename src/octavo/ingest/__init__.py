"""From records to papers: which records are one paper, and what that paper then says."""

from octavo.ingest.pipeline import Ingest

__all__ = ["Ingest"]
