"""The configuration: one file, the environment over it, and every fault with its line."""

from __future__ import annotations

import importlib
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.errors import ConfigError
from octavo.settings import ConfigFault, default_toml, load_settings
from octavo.settings.document import MAX_BYTES, MOST_FAULTS, Document, parse_document
from octavo.settings.schema import EVERY, Field, Table, settings_tables
from octavo.settings.values import Value, to_key, to_toml
from octavo.settings.values import address as checked_address
from octavo.sources.arxiv_harvest import PREFIXES
from octavo.sync.calendar import EVERY as TURNS
from tests.settings_reference import PAGE, with_reference

NO_ENVIRONMENT: dict[str, str] = {}
TABLES = settings_tables()


def home_with(folder: Path, content: str | bytes) -> Path:
    (folder / "octavo.toml").write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def faults_of(home: Path, **environ: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_settings(home, environ)
    assert all(isinstance(fault, ConfigFault) for fault in caught.value.faults)
    return [str(fault) for fault in caught.value.faults]


def found_in(home: Path) -> tuple[object, ...]:
    """The faults of a home that may be in order; an error without faults is one too."""
    try:
        load_settings(home, NO_ENVIRONMENT)
    except ConfigError as error:
        return error.faults or (None,)
    return ()


def document_of(text: str) -> Document:
    return parse_document(text, Document("octavo.toml"))


# What is in force


def test_the_defaults_hold_when_there_is_no_file(tmp_path: Path) -> None:
    found = load_settings(tmp_path / "nowhere", NO_ENVIRONMENT)
    assert found.contact == ""
    assert (found.network.retry_tries, found.network.timeout, found.network.retry_after_max) == (5, 90.0, 120.0)
    assert found.network.allow_private == ()
    assert (found.serve.host, found.serve.port) == ("127.0.0.1", 8737)
    assert {one.origin for one in found.values} == {"default"}
    arxiv = found.sources["arxiv"]
    assert (arxiv.wants, arxiv.every, arxiv.look_up) == ((), "daily", False)
    assert arxiv.options == {"metadata": PREFIXES[0], "check": "true"}
    assert set(arxiv.addresses) == {"oai", "feed", "api"}


FULL = """\
contact = "https://papers.example/bot"  # a page
[network]
retry_tries = 3
timeout = 10
allow_private = ["Mirror.lan", "[::1]"]
[arxiv]
categories = [
  "cs.lg",  # in any spelling
  "hep-th",
  "cs.LG",
]
since = 2031-05-09
check = false
every = "hourly"
oai_address = "http://mirror.lan:8080/oai/"
[pmlr]
volumes = [300, "v301"]
[crossref]
look_up = true
[semanticscholar]
api_key = "sesame"
"""


@pytest.mark.parametrize("content", [FULL, FULL.replace("\n", "\r\n"), "\ufeff" + FULL], ids=["plain", "CRLF", "BOM"])
def test_what_the_file_says_holds(tmp_path: Path, content: str) -> None:
    found = load_settings(home_with(tmp_path, content), NO_ENVIRONMENT)
    assert found.contact == "https://papers.example/bot"
    assert (found.network.retry_tries, found.network.timeout) == (3, 10.0)
    assert found.network.allow_private == ("mirror.lan", "::1")
    arxiv = found.sources["arxiv"]
    assert arxiv.wants == ("cs.LG", "hep-th")
    assert arxiv.every == "hourly"
    assert arxiv.options == {"since": "2031-05-09", "metadata": "arXivRaw", "check": "false"}
    assert arxiv.addresses["oai"] == "http://mirror.lan:8080/oai"
    assert arxiv.addresses["feed"].startswith("https://")
    assert found.sources["pmlr"].wants == ("v300", "v301")
    assert found.sources["crossref"].look_up
    assert found.sources["semanticscholar"].options == {"key": "sesame"}
    places = {(one.table, one.key): one.place for one in found.values if one.origin == "file"}
    assert places["arxiv", "categories"] == "octavo.toml, line 7"
    assert places["", "contact"] == "octavo.toml, line 1"


@pytest.mark.parametrize(
    "text",
    [
        'arxiv.categories = ["cs.LG"]',
        'arxiv = { categories = ["cs.LG"] }',
        '["arxiv"]\n"categories" = ["cs.LG"]',
        "[arxiv]\ncategories = ['cs.LG',]",
        '[arxiv]\ncategories = ["""\\\n  cs.LG"""]',
        "arxiv = {}\nopenreview = {}\n[pmlr]\ndblp = 1\n".replace("dblp = 1\n", "") + '[acl]\n[crossref]\n'
        'look_up = false\n[openalex]\n',
    ],
)  # fmt: skip
def test_toml_may_be_written_in_all_its_ways(tmp_path: Path, text: str) -> None:
    wants = load_settings(home_with(tmp_path, text), NO_ENVIRONMENT).sources["arxiv"].wants
    assert wants == (("cs.LG",) if "cs.LG" in text else ())


def test_the_environment_comes_before_the_file(tmp_path: Path) -> None:
    environ = {
        "OCTAVO_CONTACT": "ada@papers.example",
        "OCTAVO_ARXIV__CATEGORIES": "cs.LG, stat.ML,",
        "OCTAVO_ARXIV__SINCE": "all",
        "OCTAVO_ARXIV__CHECK": "No",
        "OCTAVO_NETWORK__TIMEOUT": "2.5",
        "OCTAVO_SERVE__PORT": "80",
        "OCTAVO_PMLR__VOLUMES": "300",
        "OCTAVO_HOME": str(tmp_path),
        "OCTAVO_SERVICE_HOST": "10.0.0.1",
        "OCTAVO_WEB_SERVICE_PORT_HTTP": "80",
        "OCTAVO_PORT_80_TCP_ADDR": "10.0.0.1",
        "OCTAVIA": "a car",
    }
    found = load_settings(home_with(tmp_path, FULL), environ)
    assert found.contact == "ada@papers.example"
    assert found.sources["arxiv"].wants == ("cs.LG", "stat.ML")
    assert found.sources["arxiv"].options == {"since": "all", "metadata": "arXivRaw", "check": "false"}
    assert (found.network.timeout, found.network.retry_tries, found.serve.port) == (2.5, 3, 80)
    assert found.sources["pmlr"].wants == ("v300",)
    (contact,) = (one for one in found.values if one.key == "contact")
    assert (contact.origin, contact.place) == ("environment", "OCTAVO_CONTACT")


def test_a_secret_is_in_no_repr(tmp_path: Path) -> None:
    found = load_settings(home_with(tmp_path, FULL), NO_ENVIRONMENT)
    assert "sesame" not in repr(found)


# Faults

ONE_FAULT = [
    # what is not known
    ("\n\n[arxiv]\ncatagories = []", 4, "there is no key `catagories` in [arxiv]; did you mean `categories`?"),
    ("  [arxiv]\n\tcatagories = []", 2, "there is no key `catagories` in [arxiv]; did you mean `categories`?"),
    ("[network]\nretry-tries = 5", 2, "there is no key `retry-tries` in [network]; did you mean `retry_tries`?"),
    ("[network]\nRETRY_TRIES = 5", 2, "there is no key `RETRY_TRIES` in [network]; did you mean `retry_tries`?"),
    ("[serve]\nxyz = 1", 2, "there is no key `xyz` in [serve]; there is host, port"),
    ("categories = []", 1, "there is no key `categories` above the tables; it stands below [arxiv]"),
    ('[serve]\ncontact = "a@b.example"', 2, "there is no key `contact` in [serve]; it stands above the first table"),
    ("[serve]\nlook_up = true", 2, "there is no key `look_up` in [serve]; it stands below [crossref] or [openalex] or [semanticscholar]"),
    ("[arxvi]\ncategories = 3\nxyz = 3", 1, "there is no table [arxvi]; did you mean [arxiv]?"),
    ("jsonl.x = 1\njsonl.y = 2", 1, "there is no table [jsonl]; there are network, arxiv, "),
    ("arxiv = 3", 1, "`arxiv` is the name of a table; begin it by a line [arxiv]"),
    ("[arxiv.sub]\nx = 1\ny = 2", 1, "there are no tables within a table here; write [arxiv]"),
    ("arxiv.sub.x = 1\narxiv.sub.y = 1", 1, "there are no tables within a table here; write [arxiv]"),
    ("[[arxiv]]\ncategories = 1\n[[arxiv]]", 1, "[[ ]] begins a list of tables, which there is none of; write [arxiv]"),
    # wrong types and values
    ("[arxiv]\ncategories = 'cs.LG'", 2, '`categories` is a text, not a list of texts; as in categories = ["cs.LG", "stat.ML"]'),
    ("[arxiv]\ncategories = {}", 2, "`categories` is a table, not a list of texts"),
    ("[arxiv]\ncategories = [\n  'cs.LG', # 1\n\n  ['x'],\n]", 5, "item 2 of `categories` is a list, not a text in quotes"),
    ("[arxiv]\ncategories = [\n\t{x=1},]", 3, "item 1 of `categories` is a table, not a text in quotes"),
    ("[arxiv]\ncategories = [\n'cs.LG', 'cs.lgg']", 3, "item 2 of `categories`: arXiv has no category cs.lgg. Did you mean cs.LG"),
    ("[pmlr]\nvolumes = [true]", 2, "item 1 of `volumes` is true or false, not a text in quotes"),
    ("[pmlr]\nvolumes = ['']", 2, "item 1 of `volumes` is empty"),
    ("[openreview]\nvenues = [2031]", 2, "item 1 of `venues` is a whole number, not a text in quotes"),
    ("[openreview]\nvenues = ['a\\nb', \"a\\nb\"]", 2, "item 1 of `venues`"),
    ("[arxiv]\ncheck = 1", 2, "`check` is a whole number, not true or false, which stand without quotes; as in check = true"),
    ("[arxiv]\nevery = 'yearly'", 2, '`every` is "yearly", not hourly, daily, weekly, monthly or never; as in every = "daily"'),
    ("[arxiv]\nmetadata = 'arxiv'", 2, '`metadata` is "arxiv", not arXivRaw or arXiv'),
    ("[arxiv]\nsince = 2031-02-30", 2, "`since`: there is no such date or time"),
    ("[arxiv]\nsince = '2031-02-30'", 2, '`since` is "2031-02-30", not a date such as 2026-01-31, or "all"'),
    ("[arxiv]\nsince = 2031-02-03T04:05:06Z", 2, "`since` is a date with a time, not a date"),
    ("[arxiv]\noai_address = 'ftp://arxiv.example'", 2, '`oai_address` is "ftp://arxiv.example", not an http or https address'),
    ("[arxiv]\noai_address = 'https://a.example/?x=1'", 2, "`oai_address` has a `?` or `#` in it"),
    ("[arxiv]\noai_address = 'https://a:b@c.example/'", 2, "`oai_address` has a user name or password in it, which Octavo never sends"),
    ("[arxiv]\noai_address = 'https://[x]/'", 2, '`oai_address` is "https://[x]/", not'),
    ("[network]\nretry_tries = 0", 2, "`retry_tries` is 0, not a whole number from 1 to 20; as in retry_tries = 5"),
    ("[network]\nretry_tries = 5.0", 2, "`retry_tries` is a number, not a whole number from 1 to 20"),
    ("[network]\nretry_tries = true", 2, "`retry_tries` is true or false, not a whole number"),
    (f"[network]\nretry_tries = {'9' * 4000}", 2, "`retry_tries` is a huge number, not a whole"),
    (f"[network]\nretry_tries = {'9' * 5000}", 2, "`retry_tries`: the number is too long"),
    ("[network]\ntimeout = nan", 2, "`timeout` is nan, not a number of seconds from 1 to 600; as in timeout = 90.0"),
    ("[network]\ntimeout = inf", 2, "`timeout` is a huge number, not"),
    ("[network]\nallow_private = ['http://a.example']", 2, 'item 1 of `allow_private` is "http://a.example", not the name of a host alone'),
    ("[network]\nallow_private = ['localhost:80']", 2, 'item 1 of `allow_private` is "localhost:80", not the name of a host'),
    ("contact = 'ada'", 1, '`contact` is "ada", not an e-mail address or the address of a web page; as in contact = "you@example.org"'),
    ('contact = "ada@x.example\\r\\nX-Evil: 1"', 1, "`contact` has a line end or another character in it"),
    ("[semanticscholar]\napi_key = 123", 2, "`api_key` can't be used; it must be a text"),
    # no TOML
    ("contact = ada@x.example", 1, '`contact`: the value can\'t be read; text stands in quotes: "like this"'),
    ("contact = 'a@b.example", 1, "`contact`: the text is not closed by a quotation mark"),
    ('contact = "a@b.example', 1, "`contact`: the text is not closed by a quotation mark"),
    ('contact = "a@b.example\n[arxiv]\ncategories = []', 1, "`contact`: the text is not closed"),
    ('contact = """a@b.example', 1, "`contact`: the text is not closed"),
    ('contact = "C:\\path"', 1, "`contact`: a backslash is written twice"),
    ("contact =", 1, "`contact`: there is no value behind the `=`"),
    ("contact = # nothing", 1, "`contact`: there is no value behind the `=`"),
    ("contact: 'x'", 1, "a `=` is missing between a key and its value"),
    ("[network]\ntimeout = 30 s", 2, "`timeout`: there is something behind the value"),
    ("= 1", 1, "this is neither `key = value` nor `[table]`"),
    ("[network\ntimeout = 30 s\nx = 1", 1, "the table's name is not closed by `]`"),
    ("[arxiv]\ncategories = [\n  'cs.LG',\n  stat.ML,\n]\n[serve]", 4, "`categories`: the value can't be read"),
    ("[arxiv]\ncategories = [\n  'cs.LG',\n\n[serve]\nport = 80", 2, "`categories`: the list is not closed by `]`, or a comma"),
    ("[arxiv]\ncategories = ['cs.LG' 'cs.AI']", 2, "`categories`: the list is not closed by `]`, or a comma"),
    ("[arxiv]\nevery = 'daily'\n\nevery = 'weekly'", 4, "`every` stands in line 2 already; keep one of them"),
    ("[arxiv]\n[serve]\n[arxiv]\n", 3, "[arxiv] stands in line 1 already; put its keys together there"),
    ("arxiv.check = true\n[arxiv]\nevery = 'daily'", 2, "cannot declare ('arxiv',) twice"),
    ("# \x00", 1, "there is a character that can't stand here: '\\x00'"),
    ("contact = ''\rx", 1, "a line ends with a carriage return alone"),
    (f"contact = {'[' * 5000}", 1, "`contact`: the brackets are nested too deeply"),
    (f"{'.'.join('a' * 5000)} = 1", 1, f"`{'a.' * 30}…`: the name has too many parts"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "said"), ONE_FAULT)
def test_a_fault_is_told_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    first = faults_of(home_with(tmp_path, text))[0]
    assert first.startswith(f"octavo.toml, line {line}: {said}")


SEVERAL = """\
contact = ada@x.example
[arxiv]
catagories = ["cs.LG"]
every = "yearly"
categories = [
  "cs.lgg",
  "cs.LG",
  3,
[pmlr]
volumes = [
  "v300",
  false,
  "v301",
  1.5,
]
[opnalex]
look_up = true
[serve]
port = 80
port = 81
[arxiv]
check = "yes"
"""


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    faults = faults_of(home_with(tmp_path, SEVERAL), OCTAVO_SERVE__PORT="x", OCTAVO_ARXIV_CATEGORIES="cs.LG")
    places = [fault.partition(": ")[0].removeprefix("octavo.toml, line ") for fault in faults]
    assert places == [*map(str, (1, 3, 4, 5, 12, 14, 16, 20, 21, 22)), "OCTAVO_ARXIV_CATEGORIES", "OCTAVO_SERVE__PORT"]


@pytest.mark.parametrize("header", ["[network", "[[network]]", "[netwrok]", "[network.more]"])
def test_a_fault_of_a_header_is_not_told_again_for_its_keys(tmp_path: Path, header: str) -> None:
    assert len(faults_of(home_with(tmp_path, f"{header}\ntimeout = 30\nx = 1"))) == 1


def test_the_error_of_several_faults_holds_them_all(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(home_with(tmp_path, SEVERAL), NO_ENVIRONMENT)
    assert caught.value.message.startswith("The configuration has 10 faults: octavo.toml, line 1: ")
    assert all(str(fault).rstrip(".") in caught.value.message for fault in caught.value.faults)
    assert "octavo config check" in caught.value.hint


def test_the_error_of_one_fault_is_a_sentence(tmp_path: Path) -> None:
    home = home_with(tmp_path, "\n\n\n\n\n[arxiv]\ncatagories = []")
    with pytest.raises(ConfigError) as caught:
        load_settings(home, NO_ENVIRONMENT)
    assert str(caught.value) == (
        "octavo.toml, line 7: there is no key `catagories` in [arxiv]; did you mean `categories`?"
    )


@pytest.mark.parametrize(
    ("variable", "given", "said"),
    [
        (
            "OCTAVO_ARXIV_CATEGORIES",
            "cs.LG",
            "there is no setting of that name; did you mean OCTAVO_ARXIV__CATEGORIES?",
        ),
        ("OCTAVO_CONTACTS", "x", "there is no setting of that name; did you mean OCTAVO_CONTACT?"),
        ("OCTAVO_FOO", "x", "there is no setting of that name; the form is OCTAVO_<TABLE>__<KEY>"),
        ("OCTAVO_ARXIV__CHECK", "perhaps", 'it is "perhaps", not true or false; as in OCTAVO_ARXIV__CHECK=true'),
        ("OCTAVO_SERVE__PORT", "8o", 'it is "8o", not a whole number from 1 to 65535; as in OCTAVO_SERVE__PORT=8737'),
        ("OCTAVO_NETWORK__TIMEOUT", "0", "it is 0.0, not a number of seconds from 1 to 600"),
        ("OCTAVO_ARXIV__EVERY", "", 'it is "", not hourly, daily'),
        ("OCTAVO_ARXIV__CATEGORIES", "cs.LG, cs.lgg", "item 2: arXiv has no category cs.lgg."),
        ("OCTAVO_SEMANTICSCHOLAR__API_KEY", "se\nsame", "it can't be used; it must be a text"),
        ("OCTAVO_CONTACT", "\udcff", "it has a line end or another character in it that can't be shown"),
    ],
)
def test_a_wrong_variable_is_named(tmp_path: Path, variable: str, given: str, said: str) -> None:
    (fault,) = faults_of(tmp_path, **{variable: given})
    assert fault.startswith(f"{variable}: {said}")


def test_a_secret_is_in_no_message(tmp_path: Path) -> None:
    text = "[semanticscholar]\napi_key = ['sesame']\napi_key = 'sesame'\n[openalex]\napi_key = 'se\tsame'"
    faults = faults_of(home_with(tmp_path, text), OCTAVO_SEMANTICSCHOLAR__API_KEY="sesame\n")
    assert len(faults) == 4
    assert not any("sesame" in fault for fault in faults)


# Files that are none


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\n\ncontact = 'J\xfcrgen'", "octavo.toml, line 3: there is a character that is not UTF-8"),
        ("contact = ''".encode("utf-16"), "octavo.toml, line 1: it is UTF-16; save it as UTF-8"),
        (b"#" * (MAX_BYTES + 1), "octavo.toml: it is larger than 256 kB, which no configuration is"),
        (b"\x00" * 50, "octavo.toml, line 1: "),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (fault,) = faults_of(home_with(tmp_path, content))
    assert fault.startswith(said)


def test_a_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").mkdir()
    assert faults_of(tmp_path) == ["octavo.toml: it is a folder; it must be a text file"]


def test_a_file_that_can_not_be_read_is_told_when_the_system_refuses(tmp_path: Path) -> None:
    path = tmp_path / "octavo.toml"
    path.write_text("")
    path.chmod(0)
    try:
        path.read_bytes()
    except PermissionError:
        assert faults_of(tmp_path) == ["octavo.toml: it can't be read: Permission denied"]
    else:
        pytest.skip("nothing is refused to this user")


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").symlink_to(tmp_path / "gone.toml")
    assert faults_of(tmp_path) == ["octavo.toml: it is a link to a file that is not there"]


def test_variables_are_checked_too_when_the_file_can_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").mkdir()
    assert len(faults_of(tmp_path, OCTAVO_SERVE__PORT="x")) == 2


def test_reading_ends_when_there_are_ever_more_faults(tmp_path: Path) -> None:
    faults = faults_of(home_with(tmp_path, "hello\n" * 5000))
    assert len(faults) == MOST_FAULTS + 1
    assert (
        faults[-1] == f"octavo.toml, line {MOST_FAULTS + 1}: nothing was read from here on, as there are so many faults"
    )


# Laws

NAMES = st.text("abc-_", min_size=1, max_size=2)
PLAIN = st.one_of(
    st.integers(-9, 9), st.booleans(), st.sampled_from(['"x"', "'#'", '"]\\""', "2031-05-09", '"""a\nb"""'])
)
LITERALS = st.recursive(
    PLAIN.map(lambda value: to_toml(value) if not isinstance(value, str) else value),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: "[" + ", # ]\n\n".join([*items, ""]) + "]"),
    max_leaves=5,
)
LINES = st.one_of(
    st.tuples(st.lists(NAMES, min_size=1, max_size=2).map(".".join), LITERALS).map(" = ".join),
    NAMES.map(lambda name: f"[{name}]"),
    NAMES.map(lambda name: f"[[{name}]]"),
    st.sampled_from(["", "# [x] = '", "x = [", "y = '", "oops", "]", "'''"]),
)


def flat(value: Any, keys: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    if isinstance(value, dict) and (value or not keys):
        return {path: leaf for key, inner in value.items() for path, leaf in flat(inner, (*keys, key)).items()}
    return {keys: value}


@settings(max_examples=300, deadline=None)
@given(st.lists(LINES, max_size=8).map("\n".join))
def test_what_is_read_is_what_tomllib_reads(text: str) -> None:
    document = document_of(text)
    try:
        expected = flat(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        assert document.faults
        return
    assert not document.faults
    lists = {header.keys for header in document.headers if header.is_list}
    found = {entry.keys: entry.value for entry in document.entries}
    empty = {header.keys for header in document.headers}
    for keys, value in expected.items():
        if keys not in lists and keys not in empty:
            assert found.pop(keys) == value
    assert not found
    lines = text.split("\n")
    for entry in document.entries:
        assert entry.keys[-1] in lines[entry.line - 1]


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.lists(LINES).map("\n".join).map(str.encode)))
def test_arbitrary_bytes_never_crash(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    home = tmp_path_factory.getbasetemp() / "bytes"
    home.mkdir(exist_ok=True)
    n_lines = content.count(b"\n") + content.count(b"\r") + 1
    for fault in found_in(home_with(home, content)):
        assert isinstance(fault, ConfigFault)
        assert 0 <= fault.line <= n_lines


def values_for(one: Field) -> st.SearchStrategy[Value]:
    """Values that a setting takes, in the form that they are kept in."""
    known: dict[str, st.SearchStrategy[Value]] = {
        "contact": st.sampled_from(["", "ada@papers.example", "https://papers.example/~ada#me"]),
        "allow_private": st.lists(st.sampled_from(["a.lan", "localhost", "::1"]), unique=True).map(tuple),
        "retry_tries": st.integers(1, 20),
        "timeout": st.floats(1, 600),
        "retry_after_max": st.floats(0, 86_400),
        "since": st.one_of(st.just("all"), st.dates(min_value=date(1000, 1, 1))),
        "metadata": st.sampled_from(PREFIXES),
        "host": st.sampled_from(["127.0.0.1", "::", "box.lan"]),
        "port": st.integers(1, 65_535),
        "every": st.sampled_from(EVERY),
        "encoder": st.sampled_from(["static", "none", "st:org/model", "fastembed:org/model", "onnx:~/m", "tiles"]),
        "query_prefix": st.sampled_from(["", "query: ", "Instruct: find\nQuery: "]),
        "document_prefix": st.sampled_from(["", "passage: "]),
        "api_key": st.text(st.characters(exclude_categories=["C", "Z"])),
    }
    if one.role == "address":
        return st.sampled_from(["http://localhost:8080", "https://mirror.example/a/b", "https://[::1]/x"])
    if one.role == "wants":
        return st.sampled_from([(), one.example or ()])
    return known.get(one.key, st.booleans())


CHOSEN = st.fixed_dictionaries(
    {}, optional={(table.name, one.key): values_for(one) for table in TABLES for one in table.fields}
)


@settings(max_examples=60, deadline=None)
@given(CHOSEN)
def test_what_is_written_into_the_commented_file_is_read(
    tmp_path_factory: pytest.TempPathFactory, chosen: dict[tuple[str, str], Value]
) -> None:
    home = tmp_path_factory.getbasetemp() / "written"
    home.mkdir(exist_ok=True)
    table, lines = "", []
    for line in default_toml().splitlines():
        if line.startswith("["):
            table = line[1:-1]
        key = line[1:].partition(" = ")[0]
        if line.startswith("#") and (table, key) in chosen:
            lines.append(f"{key} = {to_toml(chosen[table, key])}")
        else:
            lines.append(line)
    found = load_settings(home_with(home, "\n".join(lines)), NO_ENVIRONMENT)
    in_force = {(one.table, one.key): (one.value, one.origin) for one in found.values}
    for name, value in chosen.items():
        assert in_force.pop(name) == (value, "file")
    assert {origin for _, origin in in_force.values()} <= {"default"}


# The table of settings


def test_the_commented_file_changes_nothing(tmp_path: Path) -> None:
    found = load_settings(home_with(tmp_path, default_toml()), NO_ENVIRONMENT)
    assert {one.origin for one in found.values} == {"default"}
    assert max(map(len, default_toml().splitlines())) <= 120


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_key_stands_in_the_commented_file_with_what_it_does(table: Table) -> None:
    part = default_toml()
    if table.name:
        part = part.partition(f"\n[{to_key(table.name)}]\n")[2].partition("\n[")[0]
    for one in table.fields:
        assert f"\n#{one.key} = {to_toml(one.shape)}" in part
        assert one.says


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_examples_and_defaults_can_be_set(tmp_path: Path, table: Table) -> None:
    for one in table.fields:
        for value in (one.default, one.shape):
            if value is not None:
                line = f"{to_key(one.key)} = {to_toml(value)}"
                text = line if not table.name else f"[{to_key(table.name)}]\n{line}"
                load_settings(home_with(tmp_path, text), NO_ENVIRONMENT)
        if one.role == "address":
            assert checked_address(str(one.default)) == one.default


def test_variables_are_named_once() -> None:
    names = [table.variable(one.key) for table in TABLES for one in table.fields]
    assert len(names) == len(set(names))
    assert {"OCTAVO_CONTACT", "OCTAVO_ARXIV__CATEGORIES"} <= set(names)


def test_the_turns_are_those_of_the_calendar() -> None:
    assert (*TURNS, "never") == EVERY


def test_the_reference_is_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_reference(page, TABLES) == page, "make it anew: python -m tests.settings_reference"


def test_the_example_of_the_page_can_be_used(tmp_path: Path) -> None:
    example = PAGE.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
    found = load_settings(home_with(tmp_path, example), NO_ENVIRONMENT)
    assert found.sources["pmlr"].wants == ("v267",)


# Sources of other packages

OTHERS = """\
class Info:
    name, title, covers, reads, example, terms, seconds_between_requests = "tiles", "Tiles", "tiles", "", "", "", 2.0
class TileSource:
    info = Info
    addresses = {"api": "https://tiles.example/"}
    wants = "a floor: f1"
    def want(self, text):
        if text == "f0":
            raise RuntimeError("no ground floor")
        return text.upper()
class Broken:
    def __init__(self):
        raise RuntimeError("no glue")
"""


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sources of another package, one of which can't be loaded; returns a home."""
    (tmp_path / "tile_floors.py").write_text(OTHERS)
    about = tmp_path / "tile_floors-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tile-floors\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[octavo.sources]\ntile-floors = tile_floors:TileSource\nglue = tile_floors:Broken\narxiv = tile_floors:Broken\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    home = tmp_path / "home"
    home.mkdir()
    return home


def test_a_source_of_another_package_has_a_table(others: Path) -> None:
    home_with(others, '[tile-floors]\nwants = ["f1", "f2", "F1"]\nevery = "monthly"\n')
    found = load_settings(others, {"OCTAVO_TILE_FLOORS__API_ADDRESS": "https://mirror.example"})
    floors = found.sources["tile-floors"]
    assert (floors.wants, floors.every) == (("F1", "F2"), "monthly")
    assert floors.addresses == {"api": "https://mirror.example"}
    assert "\n[tile-floors]\n# Tiles: tiles. At most a request in 2 seconds." in default_toml()


def test_a_source_that_fails_is_told_with_the_line(others: Path) -> None:
    (fault,) = faults_of(home_with(others, '[tile-floors]\nwants = [\n"f0"]'))
    assert fault.startswith('octavo.toml, line 3: item 1 of `wants` is "f0", at which the source failed: ')


def test_a_source_that_can_not_be_loaded_costs_nothing_when_it_is_not_configured(others: Path) -> None:
    assert load_settings(others, NO_ENVIRONMENT).sources["arxiv"].options
    assert "glue" not in default_toml()


def test_a_source_that_can_not_be_loaded_is_told_when_it_is_configured(others: Path) -> None:
    faults = faults_of(home_with(others, "\n[glue]\nwants = ['x']"), OCTAVO_GLUE__WANTS="x")
    assert len(faults) == 2
    assert faults[0].startswith("octavo.toml, line 2: The source 'glue' of another package")
    assert faults[1].startswith("OCTAVO_GLUE__WANTS: The source 'glue'")
    assert all("no glue" in fault for fault in faults)
