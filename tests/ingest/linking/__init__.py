"""Linking: which records are one work."""
