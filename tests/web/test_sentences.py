"""What is said in English below the surfaces is said in Chinese on Chinese pages, all of it."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import httpx
import pytest

from octavo import errors
from octavo.ingest.linking.weights import PRIOR, WEIGHTS
from octavo.query.fields import FIELDS
from octavo.query.parser import MAX_CHARACTERS, parse_lenient
from octavo.query.topic_names import BUNDLED
from octavo.query.values import KIND_NAMES, kind_name
from octavo.sources.registry import get_source, source_names
from octavo.web.language import language
from octavo.web.phrases import SENTENCES, evidence, phrase
from tests.web.conftest import Elements
from tests.web.sentences_said import SOURCE, VALUE, said_in
from tests.web.translations import WEB, template

CHINESE = language("zh-CN")
HAN = re.compile(r"[\u4e00-\u9fff]")
MODULES = (
    "query/*.py",
    "rank/*.py",
    "app/*.py",
    "catalogue/*.py",
    "index/*.py",
    "web/pages/*.py",
    "web/catching_up.py",
    "locks.py",
    "judging.py",
)
"""What pages ask, and what that asks in turn."""
ONLY_COMMANDS = frozenset(
    (
        "app/evaluating.py",
        "app/network.py",
        "app/publishing.py",
        "app/topics.py",
        "index/encoder.py",
        "index/vector_writer.py",
    )
)
"""Modules whose errors no page can meet, or in which none of them is for readers."""
NOT_FOR_READERS = frozenset(
    (
        # Frames whose parts are tested one by one.
        f"“{VALUE}” {VALUE}: read as {VALUE}.",
        f"{VALUE}: {VALUE}{VALUE}",
        f"{VALUE}; {VALUE}",
        f"No paper is by anyone called {VALUE}. {VALUE}",
        f"There is no {VALUE} '{VALUE}'.",
        f"No paper of these years has a{VALUE} {VALUE}.",
        # What only commands say.
        f"--from {VALUE}",
        f"{VALUE} has no pairs.",
        f"{VALUE} has no pairs of {VALUE}.",
        # Faults that are told inside of another sentence, or that only a programmer can cause.
        f"{VALUE} must be resolved first: an index knows nothing of the reader",
        f"vectors of shape {VALUE} for {VALUE} papers",
        f"{VALUE} is not {VALUE} vectors long",
        f"{VALUE}.pks is not {VALUE} keys long",
        "no file of completions",
        "made on another kind of machine",
        "cut off",
        "its files do not fit together",
    )
)
STRICT = f", at character {VALUE}."
"""How what a strict reading raises ends; pages read leniently."""
MEANT = re.compile(r"[a-z' ]{3,}", re.IGNORECASE)

SAID = [
    pytest.param(text, id=f"{path.relative_to(SOURCE).as_posix()}:{line}")
    for pattern in MODULES
    for path in sorted(SOURCE.glob(pattern))
    if path.relative_to(SOURCE).as_posix() not in ONLY_COMMANDS
    for text, line in dict(said_in(path)).items()
    if text not in NOT_FOR_READERS and not text.endswith(STRICT) and MEANT.search(text.replace(VALUE, ""))
]


@pytest.mark.parametrize("text", SAID)
def test_every_note_and_error_in_the_source_is_translated(text: str) -> None:
    """A new one has to be put into `octavo.web.sentences`, in braces what changes, and translated."""
    # A value may be a name or a number; some faults begin with a small letter, behind a colon.
    ways = [text.replace(VALUE, "Xyzzy"), text.replace(VALUE, "7"), text.replace(VALUE, "7", 1).replace(VALUE, "Xyzzy")]
    ways += [text.replace(VALUE, "Xyzzy", 1).replace(VALUE, "7")]
    assert any(HAN.search(phrase(CHINESE, way[:1].upper() + way[1:]) + phrase(CHINESE, way)) for way in ways), text


def test_the_collection_finds_what_is_said() -> None:
    """Were it to find nothing, the test above would say nothing."""
    found = {str(one.values[0]) for one in SAID}
    assert len(found) > 150
    assert {
        "A quote is not closed: ignored.",
        f"There is no paper '{VALUE}'.",
        "`octavo rebuild` makes them.",
        "two papers fit equally well",
        f"The first {VALUE} letters of the text were compared.",
    } <= found


@pytest.mark.parametrize("kind", [one for _, one in inspect.getmembers(errors, inspect.isclass)], ids=str)
def test_what_an_error_says_of_itself_is_translated(kind: type[errors.OctavoError]) -> None:
    if issubclass(kind, errors.OctavoError):
        assert HAN.search(phrase(CHINESE, (kind.__doc__ or "").strip()))


def test_what_a_field_wants_is_translated() -> None:
    named = {kind_name(field) for field in FIELDS if field.kind in KIND_NAMES} | set(KIND_NAMES.values())
    assert [one for one in named if not HAN.search(phrase(CHINESE, one))] == []


def test_what_the_sources_are_is_translated() -> None:
    names = {"arXiv", "OpenReview", "Crossref", "OpenAlex", "Semantic Scholar", "DBLP", "ACL Anthology"}
    for source in map(get_source, source_names()):
        assert HAN.search(phrase(CHINESE, source.info.covers)), source.info.covers
        assert source.info.title in names or HAN.search(phrase(CHINESE, source.info.title)), source.info.title


def test_what_ties_records_is_translated() -> None:
    for level in WEIGHTS:
        assert level == PRIOR or HAN.search(evidence(CHINESE, level)), level
    assert evidence(CHINESE, "title: nearly equal") == "标题：几乎相同"
    assert evidence(CHINESE, "both have doi:10.5555/a") == "都有 doi:10.5555/a"
    assert evidence(language("en"), "title: nearly equal") == "title: nearly equal"


def test_every_count_in_a_module_has_both_its_forms_in_the_catalogue() -> None:
    """The extraction loses the second form where one of the values calls for a message itself."""
    known = {message.id for message in template() if isinstance(message.id, tuple)}
    found = 0
    for path in sorted(WEB.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "count":
                forms = tuple(one.value for one in node.args[:2] if isinstance(one, ast.Constant))
                if len(forms) == 2:
                    found += 1
                    assert forms in known, f"{path.name}:{node.lineno}"
    assert found > 10


# -- awkward queries --------------------------------------------------------------------------------------------------

QUERIES = (
    "topic:nosuch", "term:nosuch", "year:abc", "year:2030..2020", "date:2030-06..2020", "lastupdateddate:2020", "citations:many",
    "cat:zz", "id:zz", "has:zz", "lang:zz", "status:zz", "is:zz", "source:!!", "tag:!!", "(tiles", "tiles)", "tiles ()", '"tiles', '""',
    '"til* one"', "b*", "*", "tiles *", "tiles OR", "AND tiles", "tiles NOT", "tiles AND", 'tiles -"', "-", "tiles (-)", "year:", "tilte:tiles",
    "zzyzx:tiles", "(((((((((((((tiles)))))))))))))", "()", "!!!", "NOT tiles", "x" * (MAX_CHARACTERS + 10),
    " ".join(f"w{n}" for n in range(90)), '"' + " ".join(["a", "b"] * 60) + '"', " ".join(f"ab{n}*" for n in range(12)),
    "图神经网络", "量子計算", "“神经网络”", "龘龘龘", "图神经网络 龘龘", "tilse layout", "tiles layout zzyzx quartz", "2101.99999",
    "ftiles layuot quik", "author:nobody", "title:(", "tiles venue:", "doi:nothing", "TILE 2031 oral", "TILE 2031 tiles",
)  # fmt: skip


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query[:24])
def test_no_note_on_a_query_stays_english(client: httpx.Client, query: str) -> None:
    answer = client.get("/search", params={"q": query, "lang": "zh-CN"})
    assert answer.status_code == 200
    for note in re.findall(r'<p class="note">(.*?)</p>', answer.text, re.DOTALL):
        assert HAN.search(note), note
        assert not re.search(r"\b(?:read as|ignored|is not|shown are|has nothing|were|but)\b", note), note


def test_the_awkward_queries_have_all_odd_places() -> None:
    """Every kind of note that the parser can make is among those of the list."""
    notes = {note for query in QUERIES for note in parse_lenient(query, BUNDLED).notes}
    said = {
        text
        for path in (SOURCE / "query" / "parser.py", SOURCE / "query" / "wording.py")
        for text, _ in said_in(path)
        if text not in NOT_FOR_READERS and not text.endswith(STRICT)
    }
    for text in said:
        pattern = ".*".join(map(re.escape, text.split(VALUE)))
        assert any(re.fullmatch(pattern, note, re.DOTALL) for note in notes), text


@pytest.mark.parametrize(
    "path",
    [
        "/trends?show=xx", "/trends?by=x", "/trends?kind=x", "/trends?topic=nosuch", "/trends?term=nosuch", "/trends?venue=nosuch",
        "/trends?area=x", "/trends?from=2031&to=2020", "/trends?from=x", "/trends?from=1000&to=2031", "/trends?by=venue&show=rising",
        "/trends?topic=llm&term=distillation", "/trends?topic=it's", "/authors/%20", "/authors/nobody", "/paper/none", "/venues/none",
        "/topics/none", "/terms/none", "/glossary?part=none", "/search?q=a&sort=x", "/search?q=a&page=99", "/none", "/new/none",
    ],
)  # fmt: skip
def test_no_error_of_a_page_stays_english(client: httpx.Client, path: str) -> None:
    answer = client.get(path, headers={"Accept-Language": "zh"})
    assert answer.status_code >= 400
    page = Elements(answer.text.partition("<main")[2].partition("</main>")[0])
    assert HAN.search(page.text)
    told = re.sub(r"[“‘\"'].*?[”’\"']|octavo \w+|\(?--\w+ \w+\)?", "", page.text)
    assert not re.search(r"\b(?:There|is|no|Known|Did|you|lists|The|at|was)\b", told), page.text


# -- how they are read ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("title: oral, failed", "标题：oral, failed"),
        ("There is no field complete: read as a word.", "没有字段 complete：按词语处理。"),
        ('There is no topic "it\'s".', "没有主题“it's”。"),
        ("“soon” is not a year or a range of years: read as words.", "“soon”不是年份或年份范围：按词语处理。"),
        ("Read tilse as tiles as well.", "同时也查找了：tilse → tiles。"),
        (
            "Searched in English too: 砖 as tile or tiles; 墙 as wall; and 3 more.",
            "同时用英语搜索了：砖 → tile 或 tiles; 墙 → wall；另有 3 个。",
        ),
        ("No paper is by anyone called J. Example.", "没有名为 J. Example 的作者的论文。"),
        (
            "No paper is by anyone called J. Bee. Another process is adding papers; what it has not indexed yet is not searched.",
            "没有名为 J. Bee 的作者的论文。另一个进程正在添加论文；尚未建立索引的部分暂时搜索不到。",
        ),
        ("Did you mean tiles or tiling or tiled?", "是否要找：tiles、tiling 或 tiled？"),
        (
            "Search by meaning is off, papers are found by their words alone: the model Tile-1 is not on this machine.",
            "语义搜索已关闭，仅按词语查找论文：本机没有模型 Tile-1。",
        ),
    ],
)  # fmt: skip
def test_values_stay_as_they_are_and_sentences_in_sentences_are_said(english: str, chinese: str) -> None:
    assert phrase(CHINESE, english) == chinese
    assert phrase(language("en"), english) == english


def test_no_sentence_is_there_twice() -> None:
    assert len(set(SENTENCES)) == len(SENTENCES)


def test_a_module_of_sentences_is_in_the_catalogue_whole() -> None:
    assert set(SENTENCES) <= {message.id for message in template()}
    assert Path(WEB, "sentences.py").exists()
