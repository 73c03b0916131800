"""The parser. Every text goes through both ways of it, see `read`. Numbers such as E01 are entries of the list of pitfalls."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from octavo.errors import QueryError
from octavo.query.ast import And, Node, Not, Nothing, Or, Phrase, Prefix, WordNode, leaves
from octavo.query.holdings import HOLDINGS
from octavo.query.match import Document, compile_predicate
from octavo.query.parser import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_FREE_TEXT,
    MAX_WORDS,
    Names,
    Parsed,
    parse_lenient,
    parse_strict,
    quoted,
)
from octavo.query.words import exact_words


def read(text: str) -> Parsed:
    """Read a text in both ways: without odd places they give the same tree, with one the strict way refuses."""
    parsed = parse_lenient(text)
    if parsed.notes:
        with pytest.raises(QueryError):
            parse_strict(text)
    else:
        assert parse_strict(text) == parsed.node
    return parsed


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        # Words and phrases
        ("tiling", "tiling"),
        ("Tiling planes", "(+Tiling +planes)"),
        ("tiling Tiling", "tiling"),
        ('"tiling the plane"', '"tiling the plane"'),
        ('"C++ 2.0"', '"c++ 2.0"'),
        ('x"y z"w', '(+x +"y z" +w)'),
        ("GPT-4o C++ 2.0 1e-4 10,000", "(+GPT-4o +C++ +2.0 +1e-4 +10,000)"),
        ("non-invasive", "non-invasive"),
        ("and/or x/y", "(+x +y)"),
        ("don't Bayes'", "(+don't +Bayes)"),
        # Common words
        ("the tiling of planes", "(+tiling +planes)"),
        ("to be or not to be", "(+to +be +or +not)"),
        ("the year:2031", "(+the +year:2031)"),
        ("title:the tiling", "(+title:the +tiling)"),
        ("title:(the tiling)", "title:tiling"),
        ("tiling -the", "(+tiling -the)"),
        ('the "x y"', '"x y"'),
        ("(the of) x", "x"),
        # Operators
        ("x AND y", "(+x +y)"),
        ("id_list:2101.00010,2101.00011v2 x", "(+(id:arxiv:2101.00010 id:arxiv:2101.00011) +x)"),
        ("id_list:2101.00010, 2101.00011 x", "(+(id:arxiv:2101.00010 id:arxiv:2101.00011) +x)"),
        ("x OR y", "(x y)"),
        ("x y OR z", "((+x +y) z)"),
        ("x OR y AND z", "(x (+y +z))"),
        ("(x OR y) z", "(+(x y) +z)"),
        ("x NOT y", "(+x -y)"),
        ("x AND NOT y", "(+x -y)"),
        ("x ANDNOT y", "(+x -y)"),
        ("x OR NOT y", "(x (+* -y))"),
        ("NOT x", "(+* -x)"),
        ("NOT NOT x", "x"),
        ("-x", "(+* -x)"),
        ("!x y", "(-x +y)"),
        ("x -(y z)", "(+x -(+y +z))"),
        ('x -"y z"', '(+x -"y z")'),
        ("x -y/z", "(+x -(+y +z))"),
        ("(-x) y", "(-x +y)"),
        ("x - y", "(+x +y)"),
        ("--x", "x"),
        ("x or y and z", "(+x +y +z)"),
        ("((x))", "x"),
        ("x(y)z", "(+x +y +z)"),
        # Fields
        ("title:tiling", "title:tiling"),
        ("TI:tiling", "title:tiling"),
        ('abs:"x y" z', '(+abstract:"x y" +z)'),
        ("title:(x OR y) z", "(+(title:x title:y) +z)"),
        ("title:(x author:y)", "(+title:x +author:y)"),
        ("-title:x y", "(-title:x +y)"),
        ("title: tiling", "title:tiling"),
        ("title:x/y", "(+title:x +title:y)"),
        ("comment:x jr:y venue:icml", "(+comment:x +journal_ref:y +venue:ICML)"),
        # Names: E10
        ('au:"de Ruyt Example"', 'author:"de ruyt example"'),
        ('au:"Example, T."', 'author:"example t"'),
        ("au:del_maestro", 'author:"del maestro"'),
        ("au:lim,j", 'author:"lim j"'),
        ("au:lim jordan", "(+author:lim +jordan)"),
        ("au:(lim jordan)", "(+author:lim +author:jordan)"),
        ("au:lim AND ti:tiling ANDNOT cat:cs.LG", "(+author:lim +title:tiling -cat:cs.LG)"),
        # Years
        ("year:2031", "year:2031"),
        ("year:2031..2033 x", "(+year:[2031 TO 2033] +x)"),
        ("year:2031- x", "(+year:[2031 TO *] +x)"),
        ("year:..2031", "year:[* TO 2031]"),
        ("year:>=2031", "year:[2031 TO *]"),
        ("year:< 2031", "year:[* TO 2030]"),
        ('year:"2031"', "year:2031"),
        ("year:(2031 OR 2033)", "(year:2031 year:2033)"),
        ("(year:2031)", "year:2031"),
        ("submittedDate:[203101010000 TO 203312312359]", "date:[2031 TO 2033]"),
        # Dates, numbers, what is known of a paper, the reader's own
        ("submittedDate:[202301010600 TO 20240101]", "date:[2023 TO 2024-01-01]"),
        ("date:2024-06..2024-08 x", "(+date:[2024-06 TO 2024-08] +x)"),
        ("date:>=2024-06-15", "date:[2024-06-15 TO *]"),
        ("year:2024-06", "date:2024-06"),
        ("cites:>=100 citations:<1,000", "(+citations:[100 TO *] +citations:[* TO 999])"),
        ("has:code has:(abstract OR pdf)", "(+has:code +(has:abstract has:pdf))"),
        ("is:unread is:saved -is:noted", "(-is:read +is:saved -is:noted)"),
        ("NOT is:unread", "is:read"),
        ("has:notes", "is:noted"),
        ('tag:tile tag:"to cite"', '(+tag:tile +tag:"to cite")'),
        ("topic:tiles term:(x OR y)", "(+topic:tiles +(term:x term:y))"),
        ("topic: tiles", "topic:tiles"),
        ("lang:zh source:arXiv", "(+lang:zh +source:arxiv)"),
        ('keyword:tiling kw:"the plane"', '(+keyword:tiling +keyword:"the plane")'),
        # ... which titles have, too
        ("Source: of Tiles", "(+Source +Tiles)"),
        ("Keywords: tiles", "(+Keywords +tiles)"),
        ("Language: Tiles", "(+Language +Tiles)"),
        ("What Tiling Is: Planes", "(+Tiling +Planes)"),
        # Categories
        ("cat:cs.LG", "cat:cs.LG"),
        ("cat:cs.*", "cat:cs"),
        ("cat:(cs.LG OR stat)", "(cat:cs.LG cat:stat)"),
        # Prefixes: E08
        ("tilin*", "tilin*"),
        ("title:tilin*", "title:tilin*"),
        ("non-tilin*", "(+non +tilin*)"),
        ("ti*", "ti*"),
        ("a* search", "(+a* +search)"),
        ('"A* *search* **tilin**"', '"a* search tilin"'),
        ("*tion", "tion"),
        ("*ti*", "ti"),
        ("x/b?c", "(+x +b +c)"),
        ("tilin*g", "(+tilin +g)"),
        ("A* search", "(+A* +search)"),
        ("量*", "量"),
        # Identifiers
        ("2101.00010v2", "id:arxiv:2101.00010"),
        ("arXiv:2101.00010v2 tiling", "(+id:arxiv:2101.00010 +tiling)"),
        ("arXiv 2101.00010", "id:arxiv:2101.00010"),
        ("arxiv: 2101.00010", "id:arxiv:2101.00010"),
        ("id:2101.00010", "id:arxiv:2101.00010"),
        ("doi:10.5555/abc", "id:doi:10.5555/abc"),
        ("(10.5555/abc)", "id:doi:10.5555/abc"),
        ("x 10.5555/abc(y)z", "(+x +id:doi:10.5555/abc(y)z)"),
        ("id:10.5555/abc(title:y)", "id:doi:10.5555/abc(title:y)"),
        ("10.5555/(x)y", "id:doi:10.5555/(x)y"),
        ("https://arxiv.org/abs/2101.00010v2", "id:arxiv:2101.00010"),
        ("openreview: AbC12xYz90", "id:openreview:AbC12xYz90"),
        ("-2101.00010", "(+* -id:arxiv:2101.00010)"),
        ('"2101.00010"', '"2101.00010"'),
        ("data/model 10:30", "(+data +model +10 +30)"),
        # Chinese input methods
        ("标题：“量子 計算” （甲乙）", '(+title:"量子 計算" +甲乙)'),
        ("作者：张三 －甲乙", "(+author:张三 -甲乙)"),
        ("ｔｉｌｉｎｇ　ｘ", "(+ｔｉｌｉｎｇ +ｘ)"),
        ("丙丁：甲乙", "(+丙丁 +甲乙)"),
        ('"量"', "量"),
        ("「量子」", '"量子"'),
        # Titles
        ("Attention: is all you need?", "(+Attention +all +you +need)"),
        ("std::vector", "(+std +vector)"),
        ("N:M Tiling", "(+N +M +Tiling)"),
        ("Tiling (in Ten Days) [Extended], v2.0!", "(+Tiling +Ten +Days +Extended +v2.0)"),
        ("$\\alpha$-Tiles & {Trees}", "(+alpha +Tiles +Trees)"),
    ],
)
def test_text_reads_as_a_tree(text: str, tree: str) -> None:
    parsed = read(text)
    assert (str(parsed.node), parsed.notes) == (tree, ())


NOTHING = "There is nothing to search for."
NO_RIGHT = "has nothing after it"


@pytest.mark.parametrize(
    ("text", "tree", "notes", "error"),
    [
        # E01: ordinary typing
        ('"', "()", ["A quote is not closed: ignored.", NOTHING], "A quote is not closed, at character 1."),
        ('x"y', "(+x +y)", ["A quote is not closed: ignored."], "A quote is not closed, at character 2."),
        ("(", "()", ["A bracket is not closed: closed at the end.", NOTHING], "A bracket is not closed, at character 1."),
        (")", "()", ["A closing bracket has no opening one: ignored.", NOTHING],
         "A closing bracket has no opening one, at character 1."),
        ("title:", "title", ["title: has nothing after it: read as a word."], "title: has nothing after it, at character 1."),
        ("x (title:)", "(+x +title)", ["title: has nothing after it: read as a word."],
         "title: has nothing after it, at character 4."),
        ("foo:bar", "(+foo +bar)", ["There is no field foo: read as a word."], "There is no field foo, at character 1."),
        ("^", "()", [NOTHING], "There is nothing to search for, at character 1."),
        ("\\", "()", [NOTHING], "There is nothing to search for, at character 1."),
        ("", "()", [NOTHING], "There is nothing to search for, at character 1."),
        (" \t　", "()", [NOTHING], "There is nothing to search for, at character 1."),
        # Fields
        ("x titel:y", "(+x +titel +y)", ["There is no field titel (did you mean title?): read as a word."],
         "There is no field titel (did you mean title?), at character 3."),
        ('foo:"x y"', '(+foo +"x y")', ["There is no field foo: read as a word."], "There is no field foo, at character 1."),
        ("year:spring", "(+year +spring)", ["“spring” is not a year or a range of years: read as words."],
         "“spring” is not a year or a range of years, at character 6."),
        ("CAT: Tiles", "(+CAT +Tiles)", ["“Tiles” is not a category: read as words."],
         "“Tiles” is not a category, at character 6."),
        ("id:tiles", "(+id +tiles)", ["“tiles” is not an identifier: read as words."],
         "“tiles” is not an identifier, at character 4."),
        ("year:2033..2031", "year:[2031 TO 2033]", ["“2033..2031” runs backwards: read as year:[2031 TO 2033]."],
         "“2033..2031” runs backwards, at character 6."),
        ("submittedDate:[20331231 TO 20310601]", "date:[2031-06 TO 2033]",
         ["“[20331231 TO 20310601]” runs backwards: read as date:[2031-06 TO 2033]."],
         "“[20331231 TO 20310601]” runs backwards, at character 15."),
        ("lastUpdatedDate:2031", "date:2031", ["“2031” asks for the last change, which is not kept: read as date:2031."],
         "“2031” asks for the last change, which is not kept, at character 17."),
        ("has:wings", "wings", [f"“wings” is not one of what a paper may have ({', '.join(HOLDINGS)}): read as words."],
         f"“wings” is not one of what a paper may have ({', '.join(HOLDINGS)}), at character 5."),
        ("lang:klingon x", "(+lang +klingon +x)", ["“klingon” is not a language that is told apart here: read as words."],
         "“klingon” is not a language that is told apart here, at character 6."),
        ("is:un x", "(+un +x)", ["“un” is not one of read, saved, noted, tagged, and unread and the like: read as words."],
         "“un” is not one of read, saved, noted, tagged, and unread and the like, at character 4."),
        ("cites:many", "(+cites +many)", ["“many” is not a number or a range of numbers: read as words."],
         "“many” is not a number or a range of numbers, at character 7."),
        # Operators
        ("OR x", "x", ["OR has nothing before it: read as a word."], "OR has nothing before it, at character 1."),
        ("AND", "AND", ["AND has nothing before it: read as a word."], "AND has nothing before it, at character 1."),
        ("x OR", "x", ["OR has nothing after it: read as a word."], "OR has nothing after it, at character 4."),
        ("x OR OR y", "(x y)", ["OR has nothing before it: read as a word."], "OR has nothing before it, at character 6."),
        ("x NOT", "x", ["NOT has nothing after it: read as a word."], "NOT has nothing after it, at character 5."),
        ("(x AND) y", "(+x +y)", ["AND has nothing after it: read as a word."], "AND has nothing after it, at character 6."),
        ("NOT", "NOT", ["NOT has nothing after it: read as a word."], "NOT has nothing after it, at character 3."),
        # Brackets and quotes
        ("()", "()", ["There is nothing in the brackets: ignored.", NOTHING], "There is nothing in the brackets, at character 1."),
        ("x OR ()", "x", ["There is nothing in the brackets: ignored."], "There is nothing in the brackets, at character 6."),
        ('x ""', "x", ["There is no word in the quotes: ignored."], "There is no word in the quotes, at character 3."),
        ("(x", "x", ["A bracket is not closed: closed at the end."], "A bracket is not closed, at character 1."),
        ("x)", "x", ["A closing bracket has no opening one: ignored."], "A closing bracket has no opening one, at character 2."),
        # E08: wildcards
        ("*", "()", ["* alone asks for nothing (it goes after two letters or more): ignored.", NOTHING],
         "* alone asks for nothing (it goes after two letters or more), at character 1."),
        ("t*", "t*", ["t* is too short for a beginning (two letters or more): read as a word."],
         "t* is too short for a beginning (two letters or more), at character 1."),
        ('x "tiles neur*"', '(+x +"tiles neur")', ["A star in quotes asks for nothing (neur*): read as the word itself."],
         "A star in quotes asks for nothing (neur*), at character 10."),
        ("10.5555/abc(x", "(+id:doi:10.5555/abc +x)", ["A bracket is not closed: closed at the end."],
         "A bracket is not closed, at character 12."),
        ("id:10.5555/abc(x", "(+id:doi:10.5555/abc +x)", ["A bracket is not closed: closed at the end."],
         "A bracket is not closed, at character 15."),
        ("x **", "x", ["** alone asks for nothing (it goes after two letters or more): ignored."],
         "** alone asks for nothing (it goes after two letters or more), at character 3."),
        ("title:*", "()", ["* alone asks for nothing (it goes after two letters or more): ignored.", NOTHING],
         "* alone asks for nothing (it goes after two letters or more), at character 7."),
        ("?", "()", [NOTHING], "There is nothing to search for, at character 1."),
    ],
)  # fmt: skip
def test_odd_place_is_told_when_text_has_one(text: str, tree: str, notes: list[str], error: str) -> None:
    parsed = read(text)
    assert (str(parsed.node), list(parsed.notes)) == (tree, notes)
    with pytest.raises(QueryError) as caught:
        parse_strict(text)
    assert str(caught.value) == error


@pytest.mark.parametrize("text", ["{a}: b", "[a TO", "a~", "don't", "-x"])
def test_other_triggers_of_e01_are_queries(text: str) -> None:
    assert read(text).notes == ()


@pytest.mark.parametrize(
    ("text", "free", "title"),
    [
        ("Attention: is all you need?", "Attention is all you need?", True),
        ('"Why Tile?": Explaining “Planes”', "Why Tile? : Explaining Planes", True),
        ("tiling author:lim year:2031 -x NOT (y z)", "tiling", False),
        ('tiling title:"the plane" (of planes)', "tiling of planes", False),
        ("tiling 2101.00010", "tiling", False),
        ("Abstract: the tiling", "tiling", True),
        ("tilin* x OR y", "tilin* x y", True),
        ("-(x title:y) z", "z", False),
        ("Tiling -x", "Tiling", True),
    ],
)
def test_free_text_is_what_is_left_beside_fields(text: str, free: str, title: bool) -> None:
    parsed = parse_lenient(text)
    assert parsed.free_text == free
    assert parsed.as_title == (text if title else "")


def words_of(node: Node) -> list[str]:
    return [leaf.word.text for leaf in leaves(node) if isinstance(leaf, WordNode)]


def test_pasted_abstract_is_searched_by_its_first_words() -> None:
    """E09."""
    text = " ".join(f"tile{number % 500} of the" for number in range(1_000))[:5_000]
    parsed = read(text)
    assert words_of(parsed.node) == [f"tile{number}" for number in range(MAX_WORDS)]
    assert f"A query has at most {MAX_WORDS} different words: only the first {MAX_WORDS} were used." in parsed.notes
    assert f"A query has at most {MAX_CHARACTERS:,} characters: the rest was not read." in parsed.notes
    assert parsed.free_text == text
    assert parsed.as_title == ""


def test_five_thousand_alternatives_are_cut_to_the_first() -> None:
    """E09."""
    parsed = read(" OR ".join(f"w{number}" for number in range(1, 5_001)))
    assert isinstance(parsed.node, Or)
    assert words_of(parsed.node) == [f"w{number}" for number in range(1, MAX_WORDS + 1)]


def test_beginnings_over_the_cap_are_left_out() -> None:
    parsed = read(" ".join(f"{letter}b*" for letter in "cdefghijkl") + " cb* x")
    assert str(parsed.node) == "(" + " ".join(f"+{letter}b*" for letter in "cdefghij") + " +x)"
    assert parsed.notes == ("A query has at most 8 beginnings: only the first 8 were used.",)


def test_long_phrase_of_few_words_is_cut() -> None:
    parsed = read('"' + "of the " * 50 + '" x')
    assert parsed.notes == (f"A phrase has at most {MAX_WORDS} words: only the first {MAX_WORDS} were used.",)
    (phrase,) = (leaf for leaf in leaves(parsed.node) if isinstance(leaf, Phrase))
    assert len(phrase.words) == MAX_WORDS


def test_filters_count_when_words_are_too_many() -> None:
    text = " ".join(f"w{number}" for number in range(100)) + " year:2031 -cat:cs.LG -x"
    printed = str(read(text).node)
    assert "+year:2031 -cat:cs.LG)" in printed
    assert "-x" not in printed


def test_repeated_words_count_once_when_words_are_many() -> None:
    assert read("tile plane " * 80).notes == ()


def test_phrase_over_the_cap_is_left_out_whole() -> None:
    phrase = " ".join(f"w{number}" for number in range(MAX_WORDS))
    assert isinstance(read(f'"{phrase}"').node, Phrase)
    parsed = read(f'x "{phrase}"')
    assert str(parsed.node) == "x"
    assert parsed.notes == (f"A query has at most {MAX_WORDS} different words: only the first {MAX_WORDS} were used.",)


def test_free_text_of_a_very_long_text_is_cut() -> None:
    assert len(parse_lenient("tiling " * 100_000).free_text) <= MAX_FREE_TEXT


def test_text_of_the_longest_length_is_read_whole() -> None:
    assert read("x" * MAX_CHARACTERS).notes == ()
    assert read("x " * (MAX_CHARACTERS // 2) + "y").notes != ()


@pytest.mark.parametrize(
    "sign", ["(", ")", "[", '"', "-", "-(", "NOT (", "title:(", "x OR (", "!", "*", "(x", "“", "（"]
)
def test_twenty_thousand_signs_do_not_overflow(sign: str) -> None:
    parsed = read(sign * 20_000)
    assert len(parsed.notes) <= 5
    assert depth(parsed.node) <= 3 * MAX_DEPTH


def test_brackets_deeper_than_the_cap_are_ignored() -> None:
    assert read("(" * MAX_DEPTH + "x" + ")" * MAX_DEPTH).notes == ()
    parsed = read("(" * 3 * MAX_DEPTH + "x OR y" + ")" * 3 * MAX_DEPTH + " z")
    assert str(parsed.node) == "(+(x y) +z)"
    assert parsed.notes == (f"Brackets are more than {MAX_DEPTH} deep: the inner ones were ignored.",)


def children(node: Node) -> Iterator[Node]:
    if isinstance(node, And | Or):
        yield from node.children
    elif isinstance(node, Not):
        yield node.child


def depth(node: Node) -> int:
    return 1 + max(map(depth, children(node)), default=0)


def all_nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in children(node):
        yield from all_nodes(child)


SNIPPETS = st.sampled_from(
    [*' "()-!*:[]{}“”（）：＊ ', "x", "yz", "the", "AND", "OR", "NOT", "ANDNOT", "title:", "au:", "year:", "foo:", "2031", "..",
     "TO", "cat:", "cs.LG", "id:", "2101.00010", "10.5555/a", "10.5555/(", "arXiv", "量子", "量", "tilin*", "C++", "\n", "\x00", "\ud800"]
)  # fmt: skip
QUERY = st.one_of(st.text(max_size=60), st.lists(SNIPPETS, max_size=25).map("".join))


@given(QUERY)
@example("[" * 20_000)
def test_any_text_is_a_query(text: str) -> None:
    parsed = read(text)
    for node in all_nodes(parsed.node):
        if isinstance(node, And | Or):
            assert len(node.children) > 1
        if isinstance(node, Not):
            assert not isinstance(node.child, Not)
        if isinstance(node, And):
            assert not all(isinstance(child, Not) for child in node.children)
        if isinstance(node, Or):
            assert not any(isinstance(child, Not | Nothing) for child in node.children)
        if isinstance(node, Prefix):
            assert sum(map(str.isalnum, node.text)) >= 2
        if isinstance(node, WordNode):
            assert node.word.alternatives
        if isinstance(node, Phrase):
            assert node.words
    assert not isinstance(parsed.node, Not)
    assert len({str(leaf) for leaf in leaves(parsed.node) if isinstance(leaf, WordNode)}) <= 2 * MAX_WORDS
    "".join([str(parsed.node), parsed.free_text, parsed.as_title, *parsed.notes]).encode()


@given(QUERY, QUERY)
@example("0", "10.0000/(")
@example("10.0000/)", "10.0000/a(b")
def test_brackets_and_a_blank_mean_and(left: str, right: str) -> None:
    """Two queries without odd places, side by side in brackets, are both asked."""
    one, two = parse_lenient(left), parse_lenient(right)
    if not one.notes and not two.notes:
        whole = parse_lenient(f"({left}) AND ({right})")
        assert whole.node == parse_lenient(f"({left}) ({right})").node
        assert whole.notes == ()


@given(QUERY)
def test_reading_the_same_text_twice_gives_the_same(text: str) -> None:
    assert parse_lenient(text) == parse_lenient(text)


@given(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(['Thea "T." Example', "Lim (Jordan)", "张三", "O’Example: Ada*", "NOT Me"]),
    )
)
def test_quoted_value_finds_the_document_that_it_is_from(value: str) -> None:
    """E10: an author's link finds at least the page that it is on, whatever signs are in the name."""
    if exact_words(value):
        author = compile_predicate(parse_strict(f"author:{quoted(value)}"))
        title = compile_predicate(parse_strict(f"title:{quoted(value)}"))
        assert author(Document(authors=("Ada Other", value)))
        assert title(Document(title=value))


def test_names_of_topics_are_read_by_what_knows_them() -> None:
    names = Names({"LLM": "large-language-models"}.get, {"CoT": "chain-of-thought"}.get)
    assert str(parse_strict("topic:LLM term:CoT", names)) == "(+topic:large-language-models +term:chain-of-thought)"
    parsed = parse_lenient("topic:tiles term:planes x", names)
    assert str(parsed.node) == "(+tiles +planes +x)"
    assert parsed.notes == (
        "“tiles” is not a topic that is known here: read as words.",
        "“planes” is not a term that is known here: read as words.",
    )
    assert parse_lenient("Topic: tiles", names).notes == ()
