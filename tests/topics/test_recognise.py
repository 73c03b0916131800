"""Terms in texts: in every form, the longest, once, and never in formulas, code, links and addresses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.topics.glossary import Glossary, glossary
from octavo.topics.recognise import Recogniser, recogniser, terms_of

MADE_UP = Glossary.of(
    {
        "tiles.toml": """field = "Tiles"
field_chinese = "瓷砖"
[tile]
english = "tile"
chinese = "瓷砖"
unless = ["tile floor manager", "night on the tiles"]
meaning = "A flat piece of fired clay."
meaning_chinese = "烧制的扁平陶片。"
[tile-matrix]
english = "tile matrix"
chinese = "瓷砖矩阵"
short = ["TM"]
quiet = ["TMX"]
meaning = "Tiles in rows and columns."
meaning_chinese = "成行成列的瓷砖。"
[re-firing]
english = "re-firing"
chinese = "复烧"
also = ["multi-stage firing", "on\u2011kiln", "kiln's law"]
meaning = "Firing a tile again."
meaning_chinese = "再次烧制瓷砖。"
[colorization]
english = "colorization"
chinese = "上色"
meaning = "Giving tiles a colour."
meaning_chinese = "给瓷砖上色。"
"""
    }
)
TILES = Recogniser(MADE_UP)


def found(text: str, recognise: Recogniser = TILES) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.slug) for span in recognise.spans(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A tile.", ["tile"]),
        ("Tiles!", ["Tiles"]),
        ("TILES", ["TILES"]),
        ("pre-tiled multi-tile", ["tile"]),
        ("Tile Matrices are", ["Tile Matrices"]),
        ("tile-matrix", ["tile-matrix"]),
        ("tile\nmatrix", ["tile\nmatrix"]),
        ("TileMatrix", ["TileMatrix"]),
        ("a TM, two TMs", ["TM"]),
        ("tm Tm TMX", []),
        ("re-firing", ["re-firing"]),
        ("refiring", ["refiring"]),
        ("Re firing", ["Re firing"]),
        ("multistage firing", ["multistage firing"]),
        ("Multi\u2010Stage Firings", ["Multi\u2010Stage Firings"]),
        ("depends on kiln heat", []),
        ("on-kiln heat", ["on-kiln"]),
        ("by Kiln\u2019s law", ["Kiln\u2019s law"]),
        ("colourisation", ["colourisation"]),
        ("Colorisation and colorization", ["Colorisation"]),
        ("tile, matrix", ["tile"]),
        ("textile tilery tiler", []),
        ("(tile)", ["tile"]),
        ('"tile"', ["tile"]),
        ("β-tile", ["tile"]),
        ("the tile's edge", ["tile"]),
    ],
)
def test_a_term_is_recognised_in_its_forms(text: str, words: list[str]) -> None:
    assert [word for word, _ in found(text)] == words


def test_the_longest_name_counts() -> None:
    assert found("tile matrix of tiles") == [("tile matrix", "tile-matrix"), ("tiles", "tile")]


def test_a_term_is_reported_once_where_it_comes_first() -> None:
    assert found("tiles, a tile, tiles") == [("tiles", "tile")]


def test_pieces_of_a_text_share_what_was_seen() -> None:
    seen: set[str] = set()
    assert [len(TILES.spans(piece, seen)) for piece in ("a tile", "a tile", "a tile matrix")] == [1, 0, 1]


def test_a_phrase_that_a_term_excludes_is_passed_over() -> None:
    assert found("the tile floor manager likes a night on the tiles") == []
    assert found("the tile floor has a tile") == [("tile", "tile")]


@pytest.mark.parametrize(
    "text",
    [
        "$tile + n$",
        "$$ tile $$",
        r"\(tile\) and \[ tile \]",
        r"\begin{equation} tile \end{equation}",
        r"\citet{tile2026} \texttt{tile}",
        r"\tile",
        "`tile` and ``a tile``",
        "see https://example.org/a/tile-tile.",
        "www.example.org/tile",
        "example.org/tile",
        "tile@example.org",
        "kiln@tile.example",
        "[tile](https://example.org)",
        "<a href='x'>tile</a> <code>tile</code> <math><mi>tile</mi></math> <b class='tile'>",
        "tile.py kiln.tile tile() my_tile tile_1",
    ],
)
def test_nothing_is_recognised_where_it_is_not_words(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text", ["it costs $5 a tile and $6 a kiln", "a < b, tile > c", "a tile: `", "100 % tile \\% tiles", "$ tile $"]
)
def test_a_sign_that_opens_nothing_hides_nothing(text: str) -> None:
    assert [slug for _, slug in found(text)] == ["tile"]


def test_what_comes_after_something_hidden_is_recognised() -> None:
    assert found("$tile$ is a tile (https://example.org/tile) matrix") == [("tile", "tile")]


def test_chinese_is_recognised_by_the_longest_name() -> None:
    assert found("我们用瓷砖矩阵和瓷砖TM") == [("瓷砖矩阵", "tile-matrix"), ("瓷砖", "tile")]
    assert found("公式$瓷砖$") == []


@pytest.mark.parametrize("text", ["", "\n", "...", "$", "一", "Der Ziegel brennt im Ofen.", "x" * 5000])
def test_a_text_without_terms_has_none(text: str) -> None:
    assert found(text) == []


WORDS = st.sampled_from(
    [
        "tile", "Tiles", "matrix", "matrices", "TM", "TMs", "re", "firing", "multi", "stage", "on", "kiln", "s", "law", "floor",
        "manager", "$", "`", "\\", "<a>", "</a>", "瓷砖", "矩阵", "é", "@", "http://", ".", "_", "(", "colourisation",
    ]
)  # fmt: skip
TEXTS = st.lists(st.tuples(WORDS, st.sampled_from(["", " ", "-", "\n", "'", "  "]))).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)


@given(TEXTS | st.text(max_size=200))
def test_spans_are_in_order_within_the_text_without_overlaps_and_each_term_once(text: str) -> None:
    spans = TILES.spans(text)
    at = 0
    for span in spans:
        assert at <= span.start < span.end <= len(text)
        at = span.end
        assert MADE_UP.find(text[span.start : span.end].replace("\n", " ")) == MADE_UP.terms[span.slug]
    assert len({span.slug for span in spans}) == len(spans)


@given(TEXTS, TEXTS)
def test_what_was_seen_is_not_reported_again(one: str, other: str) -> None:
    seen: set[str] = set()
    first = TILES.spans(one, seen)
    assert seen == {span.slug for span in first}
    assert not seen.copy() & {span.slug for span in TILES.spans(other, seen)}


@given(TEXTS)
def test_terms_of_a_paper_are_those_of_its_parts(text: str) -> None:
    titled = terms_of(text, "a tile", TILES)
    assert set(titled) == {span.slug for span in TILES.spans(text)} | {"tile"}
    assert len(set(titled)) == len(titled)


def test_the_names_of_a_bundled_term_are_recognised_as_it() -> None:
    wrong = [
        (name, found(f"({name})", recogniser()))
        for term in glossary()
        for name in (term.english, *term.also, *term.short, term.chinese)
        if name not in term.quiet and len(name) > 1 and found(f"({name})", recogniser()) != [(name, term.slug)]
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("Attention has attracted much attention.", ["attention"]),
        ("This problem has received considerable attention in recent years.", []),
        ("We must pay attention to detail.", []),
        ("attention heads and cross-attention", ["attention", "cross-attention"]),
        ("policy makers and a policy network", ["policy"]),
        ("depends on policy; an on-policy method", ["policy", "on-policy"]),
        ("a contrast agent, and an agent that plans", ["agent"]),
        ("graph alignment and alignment of models", ["alignment"]),
        ("by a large margin, a large margin classifier", ["classification"]),
        ("The RAG pipeline wipes with a rag", ["retrieval-augmented-generation"]),
        ("a GAN, some GANs, Gan et al.", ["generative-adversarial-network"]),
        ("AI and ML in general; a road map", []),
        ("LoRA over LoRa radio", ["low-rank-adaptation"]),
        ("prompt gamma rays and a prompt", ["prompt"]),
        ("power transformers and Transformers", ["transformer"]),
        ("cell phones, and a cell", ["cell"]),
        ("non-i.i.d. data and A/B testing", ["independent-and-identically-distributed", "a-b-test"]),
        ("diffusion MRI and diffusion models", ["diffusion-model"]),
        ("multi-\nagent planning", ["multi-agent-system", "planning"]),
    ],
)
def test_a_word_of_two_meanings_is_told_by_what_is_around_it(text: str, slugs: list[str]) -> None:
    assert [slug for _, slug in found(text, recogniser())] == slugs


@pytest.mark.real
def test_the_words_that_a_real_reader_page_links_are_recognised_in_its_abstracts() -> None:
    page = Path(__file__).parents[3] / "shared" / "seeds" / "arxiv-daily.txt"
    if not page.exists():
        pytest.skip("no such page here")
    text = page.read_text(encoding="utf-8")
    # Each linked word of the page begins a line, whatever it stands in.
    linked = re.findall(
        r"(?<=[a-z,-])\n((?:agent|algorithm|benchmark|dataset|embedding|estimator|token|prompt)s?)\b", text
    )
    assert len(linked) > 20
    for word in linked:
        assert found(f"the {word}", recogniser()), word
    assert len(recogniser().slugs(text)) > 100
