"""The reference part of docs/configuration.md, made from the one table of settings.

python -m tests.settings_reference      writes it anew
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from octavo.settings.schema import Field, Table, settings_tables
from octavo.settings.values import to_key, to_toml

PAGE = Path(__file__).resolve().parents[1] / "docs" / "configuration.md"
BEGIN, END = "<!-- reference: begin -->", "<!-- reference: end -->"


def reference(tables: tuple[Table, ...]) -> str:
    """Every table with its keys, as Markdown; sources of other packages are not in it."""
    return "\n".join(line for table in tables for line in _of(table))


def with_reference(page: str, tables: tuple[Table, ...]) -> str:
    """The page with its reference part made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{reference(tables)}\n{END}{after}"


def _of(table: Table) -> Iterator[str]:
    yield from (f"### {f'[{to_key(table.name)}]' if table.name else 'Above all tables'}", "")
    if table.name:
        yield from (_cell(table.says), "")
    yield from ("| key | takes | default | what it does |", "| --- | --- | --- | --- |")
    yield from map(_row, table.fields)
    yield ""


def _row(one: Field) -> str:
    example = "" if one.example is None or one.is_secret else f", such as `{to_toml(one.example)}`"
    default = "none" if one.default is None else f"`{to_toml(one.default)}`"
    return f"| `{one.key}` | {_cell(one.kind.phrase)}{example} | {default} | {_cell(one.says)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "\\<")


if __name__ == "__main__":
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8"), settings_tables()), encoding="utf-8")
