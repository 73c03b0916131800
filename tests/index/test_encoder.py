"""The encoder: what counts as one word, what a vector promises, and that the model that is shipped is whole."""

from __future__ import annotations

import hashlib
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import octavo.data
from octavo.errors import SearchIndexError
from octavo.index.encoder import Encoder, StaticEncoder
from octavo.index.tokens import LONGEST_WORD, SHARE, SHARES, Tokens, folded, phrase_key

MODEL = Path(octavo.data.__path__[0]) / "encoder"

WORDS = ["deep", "learn", "graph", "tree", "alpha", "godel", "x", "##ing", "##s", "##x"]
PHRASES = np.sort(np.array([phrase_key(0, 1), phrase_key(2, 3), phrase_key(3, 2)], np.int64))


@pytest.fixture(scope="module")
def encoder() -> StaticEncoder:
    return StaticEncoder()


def named(texts: list[str]) -> list[list[str]]:
    """The tokens of each text by name, in order of their rows."""
    tokens = Tokens(WORDS, PHRASES)
    names = [*WORDS, *(f"{WORDS[key >> 20]} {WORDS[key & 0xFFFFF]}" for key in PHRASES.tolist())]
    rows, offsets = tokens.rows(texts)
    return [[names[row] for row in sorted(rows[a:b].tolist())] for a, b in pairwise(offsets.tolist())]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Deep graph", ["deep", "graph"]),
        ("deep learn", ["deep", "learn", "deep learn"]),
        ("deep-LEARN!", ["deep", "learn", "deep learn"]),
        ("learn deep", ["deep", "learn"]),
        ("graph tree graph", ["graph", "graph", "tree", "graph tree", "tree graph"]),
        ("learning", ["learn", "##ing"]),
        ("trees learnings", ["learn", "tree", "##ing", "##s", "##s"]),
        ("deep learning", ["deep", "learn", "##ing"]),
        ("Gödel Gödel", ["godel", "godel"]),
        ("α-graph \\alpha", ["graph", "alpha", "alpha"]),
        ("qqq deep", ["deep"]),
        ("x" * LONGEST_WORD, ["x", *["##x"] * (LONGEST_WORD - 1)]),
        ("x" * (LONGEST_WORD + 1), []),
        ("deep\x00graph", ["deep", "graph"]),
        ("量子計算 deep", ["deep"]),
        ("deep—graph", ["deep", "graph"]),
        ("", []),
        (" \n", []),
    ],
)
def test_a_text_becomes_tokens_when_read(text: str, tokens: list[str]) -> None:
    assert named([text]) == [tokens]


def test_texts_do_not_touch_each_other_when_read_together() -> None:
    assert named(["deep", "learn", "", "graph learning", ""]) == [
        ["deep"],
        ["learn"],
        [],
        ["learn", "graph", "##ing"],
        [],
    ]
    assert named([]) == []


@given(st.lists(st.text(max_size=60), max_size=8))
def test_reading_together_is_reading_alone_whatever_the_texts(texts: list[str]) -> None:
    assert named(texts) == [one for text in texts for one in named([text])]


@given(st.text())
def test_folding_gives_lower_case_ascii_whatever_the_text(text: str) -> None:
    found = folded(text)
    assert found.isascii()
    assert found == found.lower() == folded(found)


@settings(deadline=None)  # the first encoding unpacks the table
@given(st.lists(st.text(max_size=200), max_size=5))
def test_a_vector_has_length_one_or_zero_whatever_the_text(encoder: StaticEncoder, texts: list[str]) -> None:
    vectors = encoder.encode_documents(texts)
    assert vectors.shape == (len(texts), encoder.dimension)
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-4) | (lengths == 0))
    assert np.allclose(vectors, encoder.encode_queries(texts), atol=1e-4)


def test_the_static_encoder_is_an_encoder(encoder: StaticEncoder) -> None:
    assert isinstance(encoder, Encoder)


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        (
            "pruning of convolutional networks",
            "We remove filters from a CNN to compress it.",
            "We parse Turkish verbs.",
        ),
        (
            "machine translation",
            "An encoder-decoder that translates French sentences into German.",
            "Regret bounds of bandits.",
        ),
        (
            "regret of bandit algorithms",
            "An upper confidence bound policy for multi-armed problems.",
            "Image captions.",
        ),
        (
            "protein structure",
            "Folding amino acid sequences with equivariant networks.",
            "Speech enhancement in noise.",
        ),
        ("LLM hallucination", "Language models state falsehoods; we detect them.", "Optical flow of video."),
    ],
)
def test_what_means_alike_is_nearer_when_compared(encoder: StaticEncoder, query: str, near: str, far: str) -> None:
    found = encoder.encode_queries([query])[0] @ encoder.encode_documents([near, far]).T
    assert found[0] > found[1] + 0.05


def test_the_same_words_are_the_same_however_written(encoder: StaticEncoder) -> None:
    one, other = encoder.encode_queries(["Gödel-style PROOFS", "godel style proofs"])
    assert np.allclose(one, other)


def test_few_texts_get_the_vectors_that_many_get() -> None:
    """For few of them the table of all tokens is not unpacked."""
    texts = [
        f"{text} of tile number {n}" for n, text in enumerate(["graph networks", "", "Bayes", "\u74f7\u7816"] * 12)
    ]
    few, many = StaticEncoder(), StaticEncoder()
    alone = np.concatenate([few.encode_documents([text]) for text in texts])
    assert "_table" not in few.__dict__
    assert np.array_equal(many.encode_documents(texts), alone)
    assert "_table" in many.__dict__


@pytest.mark.parametrize("n", [3, 100], ids=["few", "many"])
def test_another_table_is_summed_beside_the_vectors(n: int) -> None:
    texts = [f"tiles of graph networks {'and walls ' * (number % 7)}" for number in range(n - 1)] + [""]
    encoder = StaticEncoder()
    table = np.random.default_rng(1).standard_normal((encoder._tokens.n_rows, 5)).astype(np.float32)
    vectors, sums = encoder.encode_and_sum(texts, table)
    assert np.array_equal(vectors, StaticEncoder().encode_documents(texts))
    for text, found in zip(texts, sums, strict=True):
        rows, _ = encoder._tokens.rows([text])
        assert found == pytest.approx(table[rows].sum(axis=0) / np.sqrt(len(rows) + 1), abs=1e-4)
    with pytest.raises(ValueError, match="a table of 7 rows"):
        encoder.encode_and_sum(texts, table[:7])


def test_threads_get_what_one_thread_gets_when_they_share_an_encoder() -> None:
    texts = [[f"unseen{n}word{m} graphs" for m in range(300)] for n in range(8)]
    shared = StaticEncoder()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(shared.encode_documents, texts))
    alone = StaticEncoder()
    for some, vectors in zip(texts, found, strict=True):
        assert np.array_equal(vectors, alone.encode_documents(some))


@pytest.mark.parametrize("text", ["", "*", "\x00", "🙂🙂", "量子", "\u202eאבג", "()[]" * 5000])
def test_a_text_without_words_has_no_meaning(encoder: StaticEncoder, text: str) -> None:
    assert not encoder.encode_queries([text]).any()
    assert encoder.coverage(text) == 0


def test_coverage_is_the_share_of_known_words(encoder: StaticEncoder) -> None:
    assert encoder.coverage("neural network") == 1
    assert encoder.coverage("neural zzxqvk network qqwzzkx") == 0.5


def test_an_unknown_word_shares_rows_with_few_others_where_the_table_has_them() -> None:
    words = [*WORDS, *(f"{SHARE}{i}" for i in range(50))]
    tokens = Tokens(words, PHRASES)
    several = [
        tokens.rows([word])[0].tolist() for word in ("learning", "learning", "graphing", "qqq", "deep", "share3")
    ]
    assert several[0] == several[1]
    assert [len(rows) for rows in several] == [2 + SHARES, 2 + SHARES, 2 + SHARES, SHARES, 1, SHARES]
    assert several[0][:2] == [words.index("learn"), words.index("##ing")]
    assert all(row >= len(WORDS) for rows in several for row in rows[2:])
    assert len({tuple(tokens.shares(f"word{i}")) for i in range(100)}) > 90


def test_trust_grows_with_what_training_knew_and_with_what_is_said() -> None:
    tokens = Tokens(["the", "deep", "graph", "rare", "learn"], PHRASES[:0], np.array([1e6, 5000, 5000, 3, 5000]))
    sentence = "deep graph learn " * 4
    assert tokens.trust("") == tokens.trust("量子 ()") == 0
    assert tokens.trust("qqq zzz") == 0
    assert tokens.trust("deep") < tokens.trust("deep graph learn deep") < tokens.trust(sentence) <= 1
    assert tokens.trust("rare " * 12) < 0.1 < 0.9 < tokens.trust(sentence)
    assert tokens.trust(f"{sentence} qqq zzz") < tokens.trust(sentence)


@given(st.text(max_size=200))
def test_trust_is_a_share_whatever_the_text(text: str) -> None:
    assert 0 <= Tokens(WORDS, PHRASES, np.arange(float(len(WORDS)))).trust(text) <= 1
    assert Tokens(WORDS, PHRASES).trust(text) == 0


def test_the_shipped_model_trusts_a_sentence_of_its_field_most(encoder: StaticEncoder) -> None:
    sentence = "We train a neural network to classify images and show that attention improves its accuracy."
    foreign = "Cyclosporine attenuates thrombocytopenia in heparinised marmosets with splenomegaly and pyrexia."
    assert encoder.trust(sentence) > encoder.trust(foreign) > 0
    assert encoder.trust(sentence) > 2 * encoder.trust("attention")


def test_the_shipped_model_is_what_its_fingerprint_says() -> None:
    about = json.loads((MODEL / "model.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256()
    for name in ("tokens.txt", "phrases.npy", "counts.npy", "vectors.npy", "scales.npy"):
        digest.update((MODEL / name).read_bytes())
    assert digest.hexdigest() == about["fingerprint"] == StaticEncoder().fingerprint


def test_the_shipped_model_is_small_and_holds_no_sentences() -> None:
    assert sum(path.stat().st_size for path in MODEL.iterdir()) <= 12_000_000
    tokens = (MODEL / "tokens.txt").read_text(encoding="ascii").split("\n")
    own = [token.removeprefix("##") for token in tokens if not token.startswith(SHARE)]
    assert all(token.isalnum() and len(token) <= 26 for token in own)
    assert len(set(tokens)) == len(tokens)


@pytest.mark.parametrize(
    "damage", ["no model.json", "no counts", "no vectors", "cut vectors", "a token too many", "no json"]
)
def test_a_damaged_model_is_told_when_opened(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "encoder"
    shutil.copytree(MODEL, folder)
    if damage == "no model.json":
        (folder / "model.json").unlink()
    elif damage == "no counts":
        (folder / "counts.npy").unlink()
    elif damage == "no vectors":
        (folder / "vectors.npy").unlink()
    elif damage == "cut vectors":
        (folder / "vectors.npy").write_bytes((MODEL / "vectors.npy").read_bytes()[:5000])
    elif damage == "a token too many":
        (folder / "tokens.txt").write_text((MODEL / "tokens.txt").read_text() + "\nmore")
    else:
        (folder / "model.json").write_text("{")
    with pytest.raises(SearchIndexError, match="can't be opened"):
        StaticEncoder(folder)


@pytest.mark.real
def test_a_title_finds_its_abstract_among_papers_that_no_training_saw(encoder: StaticEncoder) -> None:
    import gzip
    import tarfile

    path = Path(__file__).parents[2].parent / "shared/data/mlanthology/mlanthology-2026-03.tar"
    if not path.exists():
        pytest.skip("the real data set is not beside this checkout")
    with tarfile.open(path) as archive:
        for member in archive:
            if Path(member.name).name == "icml-2025.json.gz":
                file = archive.extractfile(member)
                assert file is not None
                papers = json.loads(gzip.decompress(file.read()))["papers"]
                break
    papers = [paper for paper in papers if paper["abstract"]]
    queries = encoder.encode_queries([paper["title"] for paper in papers])
    scores = queries @ encoder.encode_documents([paper["abstract"] for paper in papers]).T
    ranks = 1 + (scores > scores.diagonal()[:, None]).sum(1)
    assert (1 / ranks).mean() > 0.9
