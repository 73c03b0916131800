"""Octavo finds, reads and follows machine-learning papers, from one catalogue on the reader's own machine."""

__version__ = "0.1.0"
