"""The tree: how it prints, and the simplest forms that its makers give."""

from __future__ import annotations

import doctest

import pytest

from octavo.query import ast
from octavo.query.ast import (
    And,
    Category,
    DateRange,
    Everything,
    IdNode,
    Keys,
    LibraryNode,
    Node,
    Not,
    Nothing,
    Or,
    Phrase,
    Prefix,
    Range,
    WordNode,
    conjunction,
    disjunction,
    leaves,
    negation,
    resolve,
    word,
)
from octavo.records.ids import Identifier

A, B, C = (WordNode("all", word(letter)) for letter in "xyz")
ALL, NONE = Everything(), Nothing()


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(ast).failed == 0


@pytest.mark.parametrize(
    ("node", "printed"),
    [
        (A, "x"),
        (WordNode("title", word("Flash-TP")), "title:Flash-TP"),
        (Phrase("all", ("x", "y")), '"x y"'),
        (Phrase("author", ("x", "y")), 'author:"x y"'),
        (Prefix("all", "til"), "til*"),
        (Prefix("title", "til"), "title:til*"),
        (Range("year", 2031, 2031), "year:2031"),
        (Range("year", 2031, 2033), "year:[2031 TO 2033]"),
        (Range("year", None, 2033), "year:[* TO 2033]"),
        (Range("year", 2031, None), "year:[2031 TO *]"),
        (Category("cs"), "cat:cs"),
        (IdNode(Identifier("arxiv", "2101.00010")), "id:arxiv:2101.00010"),
        (ALL, "*"),
        (NONE, "()"),
        (And((A, Or((B, Not(C))))), "(+x +(y -z))"),
        (And((ALL, Not(A))), "(+* -x)"),
    ],
)
def test_node_prints_when_it_is(node: Node, printed: str) -> None:
    assert str(node) == printed


@pytest.mark.parametrize(
    ("made", "printed"),
    [
        (conjunction([]), "*"),
        (conjunction([A]), "x"),
        (conjunction([A, And((B, C))]), "(+x +y +z)"),
        (conjunction([A, A, ALL]), "x"),
        (conjunction([A, NONE]), "()"),
        (conjunction([Not(A)]), "(+* -x)"),
        (conjunction([Not(A), Not(B)]), "(+* -x -y)"),
        (conjunction([And((ALL, Not(A))), B]), "(-x +y)"),
        (disjunction([]), "()"),
        (disjunction([A, NONE]), "x"),
        (disjunction([A, Or((B, A))]), "(x y)"),
        (disjunction([A, ALL]), "*"),
        (disjunction([A, Not(B)]), "(x (+* -y))"),
        (negation(A), "-x"),
        (negation(negation(A)), "x"),
        (negation(conjunction([Not(A)])), "x"),
        (negation(conjunction([Not(A), Not(B)])), "-(+* -x -y)"),
        (negation(ALL), "()"),
        (negation(NONE), "*"),
    ],
)
def test_makers_give_the_simplest_form(made: Node, printed: str) -> None:
    assert str(made) == printed


def test_words_that_mean_the_same_are_one_part_when_joined() -> None:
    assert str(conjunction([WordNode("all", word("FLASHTP")), WordNode("all", word("flashtp"))])) == "FLASHTP"


def test_word_refuses_a_text_of_several() -> None:
    with pytest.raises(ValueError, match="unpack"):
        word("two words")


def test_leaves_are_parted_by_sign() -> None:
    tree = And((A, Or((B, Phrase("title", ("x",)))), Not(And((ALL, C, Not(A))))))
    assert [str(leaf) for leaf in leaves(tree)] == ["x", "y", 'title:"x"', "x"]
    assert [str(leaf) for leaf in leaves(tree, negative=True)] == ["z"]


def test_library_is_resolved_to_keys_wherever_it_stands() -> None:
    saved, read = LibraryNode("saved"), LibraryNode("read")
    keys = {saved: [3, 4], read: []}
    tree = conjunction([WordNode("all", word("x")), negation(read), disjunction([saved, Phrase("title", ("y",))])])
    resolved = resolve(tree, lambda node: keys[node])
    assert str(resolved) == '(+x -keys:0 +(keys:2 title:"y"))'
    assert {leaf.pks for leaf in leaves(resolved) if isinstance(leaf, Keys)} == {frozenset({3, 4})}


@pytest.mark.parametrize(
    ("high", "straddling"),
    [(None, ()), ("2031", ()), ("2031-05", ("2031",)), ("2031-05-09", ("2031", "2031-05"))],
)
def test_dates_that_may_end_after_a_day(high: str | None, straddling: tuple[str, ...]) -> None:
    assert DateRange("2030", high).straddling == straddling
