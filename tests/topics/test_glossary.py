"""The glossary: what is in it, what is refused, and how a name is found."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import FormatError
from octavo.topics.forms import key, plurals, spellings
from octavo.topics.glossary import Glossary, Term, glossary

HEAD = 'field = "Tiles"\nfield_chinese = "瓷砖"\n'
GLAZE = """
[glaze]
english = "glaze"
chinese = "釉"
also = ["glazed tile"]
short = ["GLZ"]
see = ["kiln"]
papers = ["1706.03762"]
meaning = "What makes a tile shine."
meaning_chinese = "使瓷砖发亮之物。"
"""
KILN = """
[kiln]
english = "kiln"
chinese = "窑"
meaning = "Where tiles are fired."
meaning_chinese = "烧制瓷砖之处。"
"""
TILES = Glossary.of({"tiles.toml": HEAD + GLAZE + KILN})

DAILY = """
agent agents algorithm algorithms alignment attention Bayesian benchmark benchmarks cell curvature dataset
datasets diffusion distillation embedding embeddings entropy estimator estimators federated geometric language languages
manifold matrix matrices memory privacy prompt prompts quantum sheaf stochastic token tokens topology vision
"""
"""The words that a daily reader of arXiv makes links of."""


def test_the_bundled_glossary_is_as_large_as_promised() -> None:
    assert len(glossary()) >= 500
    assert all(len(glossary().of_field(field)) >= 10 for field in glossary().fields)


@pytest.mark.parametrize("word", DAILY.split())
def test_the_words_of_a_daily_reader_are_found(word: str) -> None:
    assert glossary().find(word)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Gram matrices", "gram-matrix"),
        ("gramian", "gram-matrix"),
        ("RL", "reinforcement-learning"),
        ("rl", "reinforcement-learning"),
        ("强化学习", "reinforcement-learning"),
        ("fine tuning", "fine-tuning"),
        ("FineTuning", "fine-tuning"),
        ("behavioural cloning", "behavior-cloning"),
        ("sheaves", "sheaf"),
        ("hyperparameter optimisation", "hyperparameter-optimization"),
        ("AI", "artificial-intelligence"),
        ("MAP estimate", "maximum-a-posteriori"),
        ("behavior-cloning", "behavior-cloning"),
    ],
)
def test_a_term_is_found_by_any_of_its_names(name: str, slug: str) -> None:
    term = glossary().find(name)
    assert term
    assert term.slug == slug


@pytest.mark.parametrize("name", ["", "-", "thelightofthemoon", "?"])
def test_what_is_no_name_finds_nothing(name: str) -> None:
    assert glossary().find(name) is None


def test_every_name_of_every_term_leads_to_it() -> None:
    wrong = [(name, term.slug) for term in glossary() for name in term.names if glossary().find(name) != term]
    assert wrong == []


def test_every_definition_is_a_few_sentences_in_its_language() -> None:
    for term in glossary():
        assert 20 <= len(term.meaning) <= 320, term.slug
        assert term.meaning[0].isupper(), term.slug
        assert term.meaning.endswith("."), term.slug
        assert 8 <= len(term.meaning_chinese) <= 120, term.slug
        assert term.meaning_chinese.endswith("。"), term.slug


def test_every_term_has_neighbours_and_names_that_can_be_shown() -> None:
    for term in glossary():
        assert term.see, term.slug
        assert all(name == name.strip() for name in term.names), term.slug


def test_the_files_are_toml_and_say_to_any_reader_the_same() -> None:
    for entry in (files("octavo.data") / "glossary").iterdir():
        tables = tomllib.loads(entry.read_text(encoding="utf-8"))
        for slug, table in tables.items():
            if isinstance(table, dict):
                term = glossary().terms[slug]
                given_values = {name: list(value) if isinstance(value, tuple) else value for name, value in shown(term)}
                assert table == {name: value for name, value in given_values.items() if value}, slug


def shown(term: Term) -> list[tuple[str, object]]:
    return [(one.name, getattr(term, one.name)) for one in fields(term) if one.name not in ("slug", "field")]


def test_a_small_glossary_is_read_whole() -> None:
    glaze = TILES.terms["glaze"]
    assert (glaze.name(), glaze.name("zh_CN"), glaze.field) == ("glaze", "釉", "tiles")
    assert (glaze.definition("en"), glaze.definition("zh")) == (glaze.meaning, glaze.meaning_chinese)
    assert glaze.names == ("glaze", "glazed tile", "GLZ", "釉")
    assert TILES.fields["tiles"].name("zh") == "瓷砖"
    assert [term.slug for term in TILES] == ["glaze", "kiln"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + GLAZE, "tiles.toml:4: glaze: see: there is no other term 'kiln'"),
        (HEAD + KILN.replace('english = "kiln"\n', ""), "tiles.toml:4: kiln: english is missing"),
        (HEAD + KILN.replace('"窑"', '""'), "tiles.toml:4: kiln: chinese is missing or empty"),
        (HEAD + KILN.replace('"Where tiles are fired."', '" "'), "tiles.toml:4: kiln: meaning is missing or empty"),
        (HEAD + GLAZE + KILN.replace('"kiln"', '"Glazed-Tile"'), "'Glazed-Tile' is a name of glaze already"),
        (HEAD + GLAZE + KILN.replace('"窑"', '"釉"'), "tiles.toml:14: kiln: '釉' is a name of glaze already"),
        (HEAD + KILN + KILN, "tiles.toml:10: there is a term kiln already, in line 4"),
        (HEAD + KILN.replace("chinese =", "chinesisch ="), "tiles.toml:4: kiln: unknown: chinesisch"),
        (HEAD + KILN.replace('"窑"', '"窑'), "tiles.toml:6: neither [slug] nor name ="),
        (HEAD + KILN.replace('"窑"', '["窑"]'), "tiles.toml:4: kiln: chinese is missing or empty"),
        (HEAD + KILN.replace("[kiln]", "[Kiln 2]"), "a slug has small letters"),
        (HEAD + KILN + 'see = ["kiln"]\n', "there is no other term 'kiln'"),
        (HEAD + KILN + 'see = [""]\n', "see must be a list of texts"),
        (HEAD + KILN + 'papers = ["10.5555/tiles"]\n', "is no arXiv identifier"),
        (KILN, "tiles.toml:1: the field has no name"),
    ],
)
def test_a_faulty_file_is_refused_with_the_line(text: str, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        Glossary.of({"tiles.toml": text})
    assert said in str(caught.value)


def test_a_term_of_two_files_is_refused_with_both() -> None:
    with pytest.raises(FormatError, match=r"kiln already, in tiles\.toml"):
        Glossary.of({"tiles.toml": HEAD + KILN, "walls.toml": HEAD + KILN})


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(FormatError) as caught:
        Glossary.of({"tiles.toml": HEAD + GLAZE, "walls.toml": HEAD + KILN.replace('"窑"', '""')})
    assert "tiles.toml:4" in str(caught.value)
    assert "walls.toml:4" in str(caught.value)


@pytest.mark.parametrize(
    ("word", "some"),
    [
        ("matrix", "matrices"),
        ("policy", "policies"),
        ("loss", "losses"),
        ("hypothesis", "hypotheses"),
        ("search", "searches"),
        ("array", "arrays"),
        ("agent", "agents"),
    ],
)
def test_a_plural_is_known(word: str, some: str) -> None:
    assert some in plurals(word)


def test_a_spelling_of_one_side_of_the_ocean_gives_the_other() -> None:
    assert "regularised" in spellings("regularized")
    assert "behavior cloning" in spellings("behaviour cloning")
    assert spellings("sample size") == ("sample size",)


@given(st.text(max_size=40))
def test_a_key_has_no_key_but_itself(name: str) -> None:
    assert key(key(name)) == key(name)
