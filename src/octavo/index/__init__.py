"""Derived: what makes the catalogue searchable. Everything here can be deleted and is then made again from the
catalogue."""
