"""Slips of the fingers: how likely one word was typed for another, by what differs between them."""

from __future__ import annotations

from math import hypot

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_INDENTS = (0.0, 0.25, 0.75)
_PLACES = {
    letter: (indent + at, float(row))
    for row, (letters, indent) in enumerate(zip(_ROWS, _INDENTS, strict=True))
    for at, letter in enumerate(letters)
}
_NEIGHBOURS = 1.3
"""Widths of a key within which two keys are neighbours."""

SWAPPED, DOUBLED, NEIGHBOUR, OTHER, SEVERAL = 0.5, 0.6, 0.8, 1.0, 2.2
"""What a slip costs: two letters in the wrong order; a letter twice for once, or once for twice; the key beside; any
other single error; more than one."""
FIRST = 0.5
"""What it costs more where the first letter is wrong."""


def cost(typed: str, meant: str) -> float:
    """How unlikely it is that `typed` stands for `meant`: 0 for the same, about 1 for one error, more for several.

    >>> [cost(typed, "attention") for typed in ("attention", "attnetion", "atention", "attentuon", "attetion")]
    [0.0, 0.5, 0.6, 0.8, 1.0]
    """
    if typed == meant:
        return 0.0
    start = next((at for at, (one, other) in enumerate(zip(typed, meant, strict=False)) if one != other), None)
    start = min(len(typed), len(meant)) if start is None else start
    rest, wanted = typed[start:], meant[start:]
    return _of_one(typed[:start], rest, wanted) + (0.0 if start else FIRST)


def _of_one(same: str, rest: str, wanted: str) -> float:
    """The cost where the words are the same so far."""
    if len(rest) == len(wanted):
        if rest[2:] == wanted[2:] and rest[:2] == wanted[1::-1]:
            return SWAPPED
        if rest[1:] == wanted[1:]:
            return NEIGHBOUR if are_neighbours(rest[0], wanted[0]) else OTHER
    elif len(rest) + 1 == len(wanted) and rest == wanted[1:]:
        return DOUBLED if same.endswith(wanted[0]) or rest[:1] == wanted[0] else OTHER
    elif len(rest) == len(wanted) + 1 and rest[1:] == wanted:
        return DOUBLED if same.endswith(rest[0]) or wanted[:1] == rest[0] else OTHER
    return SEVERAL


def are_neighbours(one: str, other: str) -> bool:
    """Whether two letters are side by side on a keyboard, in its row or in the next."""
    if one not in _PLACES or other not in _PLACES:
        return False
    (x, y), (u, v) = _PLACES[one], _PLACES[other]
    return hypot(x - u, y - v) < _NEIGHBOURS
