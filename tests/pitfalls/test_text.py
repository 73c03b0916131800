r"""The text half of group C: titles and abstracts keep every word, and nothing of their notation."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from octavo.export import FORMATS
from octavo.records.text import Text
from tests.pitfalls import files
from tests.pitfalls.conftest import FILES, Shelf

TEX: dict[str, Callable[[str], str]] = {
    "arxiv-snapshot": lambda text: files.snapshot(title=text, abstract=text),
    "bibtex": lambda text: files.bibtex(text, abstract=text),
    "mlanthology": lambda text: files.mlanthology(text, abstract=text),
    "openreview": lambda text: files.openreview(text, abstract=text),
}
"""Formats in which authors write TeX."""
PLAIN: dict[str, Callable[[str], str]] = {
    "semanticscholar": lambda text: files.semanticscholar(text, abstract=text),
    "csl": lambda text: files.csl(text, abstract=text),
    "ris": lambda text: files.ris(text, f"AB  - {text}"),
    "jsonl": lambda text: files.own(text, abstract=text),
    "crossref": lambda text: files.crossref(text, abstract=text),
}
EVERY = TEX | PLAIN


def as_read(shelf: Shelf, source: str, text: str) -> dict[str, Any]:
    """The paper that a format makes of a text."""
    shelf.put("a.file", EVERY[source](text), source)
    return shelf.paper()


@pytest.mark.parametrize("source", TEX)
@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (
            r"{\'E}lodie {\v S}imi{\'c}, J\"urg {\L}ozi\'nski, Kal{\=\i}te, M\H ore, Dvo{\v r}\'{a}k",
            "Élodie Šimić, Jürg Łoziński, Kalīte, Mőre, Dvořák",
        ),
        (r"\'Elodie \v{S}imi\'c, J{\"u}rg \L{}ozi\'{n}ski, M\H{o}re", "Élodie Šimić, Jürg Łoziński, Mőre"),
        (r"Nguy{\~{\^e}}n and Nguy\~{\^{e}}n", "Nguyễn and Nguyễn"),
    ],
)
def test_c01_accents_are_letters(shelf: Shelf, source: str, written: str, plain: str) -> None:
    paper = as_read(shelf, source, written)
    assert (paper["title"], paper["abstract"]) == (plain, plain)
    assert shelf.octavo.search("title:Simic").total == ("Šimić" in plain)


def test_c03_braces_vanish_and_formulas_stay(shelf: Shelf, other_shelf: Callable[[], Shelf]) -> None:
    written = r"The {{Q{u}X}} model and the ${\rm QCH}$ for sets \{a,b\}"
    paper = as_read(shelf, "bibtex", written)
    assert paper["title"] == "The QuX model and the QCH for sets {a,b}"
    assert Text.of(written, "tex").marked == r"The QuX model and the ${\rm QCH}$ for sets {a,b}"
    text = shelf.export("bibtex")
    assert r"{{Q{u}X}} model and the ${\rm QCH}$" in text
    back = other_shelf()
    back.put("back.bib", text)
    assert back.paper()["title"] == paper["title"]


@pytest.mark.parametrize("source", ["arxiv-snapshot", "mlanthology", "openreview"])
@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("A note } on graphs", "A note } on graphs"),
        ("A note { on graphs", "A note { on graphs"),
        (r"See \href{https://example.org/a}{the page} for code", "See the page for code"),
        ("ends with a backslash \\", "ends with a backslash \\"),
        (r"\begin{tiles} a \foo[x]{bar", r"a foo[x]{bar"),
        (r"$\undefined{ a \over b", "$ a / b"),
        ("}}} x {{{ y", "}}} x {{{ y"),
    ],
)
def test_c04_a_bad_brace_or_macro_costs_no_word(
    shelf: Shelf, other_shelf: Callable[[], Shelf], source: str, written: str, plain: str
) -> None:
    title = as_read(shelf, source, written)["title"]
    assert title == plain
    back = other_shelf()
    back.put("back.bib", shelf.export("bibtex"))
    assert back.paper()["title"] == title


@pytest.mark.parametrize("source", TEX)
@pytest.mark.parametrize("title", [r"\frac{\frac{}}", "{}", r"\emph{}", r"\textbf{{}}", r"\vspace{}", "{{}}{}"])
def test_c04_a_title_of_nothing_but_macros_is_none(shelf: Shelf, source: str, title: str) -> None:
    view = shelf.put("a.file", TEX[source](title), source)
    assert [reason for _, reason, _ in view.faults] == ["no title"]


C05 = "We cut the cost from $5 to $3 per run while $x>0$ holds, a saving of $2."


@pytest.mark.parametrize("source", TEX)
def test_c05_money_is_no_formula(shelf: Shelf, source: str) -> None:
    paper = as_read(shelf, source, C05)
    assert paper["title"] == paper["abstract"] == C05.replace("$x>0$", "x>0")
    assert r"from \$5 to \$3 per run while $x>0$ holds, a saving of \$2" in shelf.export("bibtex")
    assert Text.of(C05, "tex").html().count("<math") == 1


@pytest.mark.parametrize("source", TEX)
def test_c06_words_in_macros_and_their_names_stay(shelf: Shelf, source: str) -> None:
    paper = as_read(
        shelf, source, r"\textsc{Bert}-like \mytool{} gives B{\ensuremath{\beta}}x and $\rset$; \ourname beats it"
    )
    assert paper["title"] == r"Bert-like mytool gives Bβx and $\rset$; ourname beats it"
    for word in ("bert", "mytool", "rset", "ourname"):
        assert shelf.octavo.search(f"title:{word}").total == 1


C07 = [
    "for 0<x and y>1 we show n<m; end",
    "p<0.05 and x<y> then a<b, or c<d",
    "if a<b> and i<j then 1<2<3 > 0",
    "a <- b, <= 5, x<->y, <3 and <unk> tokens",
]


@pytest.mark.parametrize("source", EVERY)
@pytest.mark.parametrize("text", C07)
def test_c07_less_than_is_no_tag(shelf: Shelf, source: str, text: str) -> None:
    paper = as_read(shelf, source, text)
    assert (paper["title"], paper["abstract"]) == (text, text)


@pytest.mark.parametrize("source", ["crossref", "ris", "csl"])
def test_c07_less_than_is_no_tag_beside_tags(shelf: Shelf, source: str) -> None:
    paper = as_read(shelf, source, "p<0.05 and x<y> then a<b, i<j of <i>it</i>")
    assert paper["title"] == "p<0.05 and x<y> then a<b, i<j of it"


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("arxiv-snapshot", "R&D for Q&A: the <b> tag"), ("bibtex", "R&D for Q&A: the <b> tag"),
        ("openreview", "R&D for Q&A: the <b> tag"), ("semanticscholar", "R&D for Q&A: the <b> tag"),
        ("crossref", r"R&D for Q\&A: the <b> tag"),
        ("ris", r"R&amp;amp;D for Q\&A: the &amp;lt;b&amp;gt; tag"), ("jsonl", r"R&amp;amp;D for Q\&A: the &amp;lt;b&amp;gt; tag"),
    ],
)  # fmt: skip
def test_c08_entities_are_decoded_by_the_rule_of_their_source(shelf: Shelf, source: str, plain: str) -> None:
    assert as_read(shelf, source, r"R&amp;amp;D for Q\&A: the &amp;lt;b&amp;gt; tag")["title"] == plain
    assert shelf.octavo.get(shelf.paper()["id"]).paper.title == plain


def test_c08_entities_in_xml_are_decoded_once(shelf: Shelf) -> None:
    shelf.put("a.xml", files.dblp("R&amp;D of &amp;lt;b&amp;gt; in caf&eacute; &lt;i&gt;."))
    assert shelf.paper()["title"] in ("R&D of &lt;b&gt; in café <i>", "R&D of <b> in café <i>")


GLOW = "Glow of thin <mml:math><mml:msub><mml:mi>WX</mml:mi><mml:mn>2</mml:mn></mml:msub></mml:math> films"


@pytest.mark.parametrize("source", ["crossref", "semanticscholar", "csl", "ris", "bibtex", "mlanthology", "openreview"])
@pytest.mark.parametrize(
    "written",
    [
        GLOW, GLOW.replace("<mml:math>", '<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML" display="inline">'),
        GLOW.replace("mml:", ""),
    ],
)  # fmt: skip
def test_c09_mathml_in_a_title_is_read(shelf: Shelf, source: str, written: str) -> None:
    if source in ("csl", "ris") and "mml:" not in written:
        pytest.skip("an element without its prefix may be a word in angle brackets")
    paper = as_read(shelf, source, written)
    assert paper["title"] == "Glow of thin WX2 films"
    (claim,) = shelf.claims(paper["id"])
    assert Text.of(claim["title"]["text"], claim["title"]["markup"]).html() == "Glow of thin WX<sub>2</sub> films"
    for form in FORMATS:
        assert form == "jsonl" or "mml" not in shelf.export(form)


@pytest.mark.parametrize(
    ("less", "greater"), [(r"$\less$", r"$\greater$"), ("$<$", "$>$"), (r"{\textless}", r"{\textgreater}")]
)
def test_c09_mathml_is_read_when_its_signs_were_taken_for_text(shelf: Shelf, less: str, greater: str) -> None:
    shelf.put("a.bib", files.bibtex(GLOW.replace("<", "\x01").replace(">", greater).replace("\x01", less)))
    assert shelf.paper()["title"] == "Glow of thin WX2 films"


def test_c10_mixed_content_is_read_whole(shelf: Shelf) -> None:
    shelf.put("P31.xml", files.acl("<fixed-case>BERT</fixed-case> for <tex-math>\\alpha</tex-math>-trees, said “yes”"))
    assert shelf.paper()["title"] == "BERT for α-trees, said “yes”"
    assert "title = {{BERT} for $\\alpha$-trees, said ``yes''}" in shelf.export("bibtex")


@pytest.mark.parametrize("source", [*EVERY, "dblp"])
@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("Deep\u0000 nets\u000b and \ufffe trees", "Deep nets and trees"),
        ("Graphs \u202egnp.exe", "Graphs gnp.exe"),  # C13
        ("a\u001bb\u0085c\uffff\ufeff d\u00ad", "ab… c d"),
    ],
)
def test_c11_and_c13_what_cannot_be_shown_is_taken_out(shelf: Shelf, source: str, written: str, clean: str) -> None:
    if source == "dblp":
        shelf.put("a.xml", files.dblp(written))
    else:
        as_read(shelf, source, written)
    title = shelf.paper()["title"]
    assert title.replace("…", "").replace(" ", "") == clean.replace("…", "").replace(" ", "")
    for form in FORMATS:
        text = shelf.export(form)
        assert not {char for char in text if ord(char) < 32 and char not in "\n\t"}
        assert not set(text) & set("\ufffe\uffff\u202e")


@pytest.mark.parametrize("name", ["a.bib", "a.ris"])
def test_c11_a_file_is_told_from_its_content_when_a_zero_is_in_it(shelf: Shelf, name: str) -> None:
    make = files.bibtex if name == "a.bib" else files.ris
    shelf.put(name, make("Deep\x00 nets\x00 and trees"))
    assert shelf.titles() == ["Deep nets and trees"]


@pytest.mark.parametrize(
    "source", ["arxiv-snapshot", "mlanthology", "openreview", "semanticscholar", "csl", "jsonl", "crossref"]
)
def test_c12_half_a_surrogate_pair_costs_its_letter_alone(shelf: Shelf, source: str) -> None:
    as_read(shelf, source, "\ud835 bold")  # json.dumps writes it as \ud835
    assert shelf.titles() == ["\ufffd bold"]
    for form in FORMATS:
        shelf.export(form).encode()


@pytest.mark.parametrize("field", ["key", "source", "comment", "journal_ref"])
def test_c12_half_a_surrogate_pair_may_stand_in_any_field(shelf: Shelf, field: str) -> None:
    shelf.put("a.jsonl", files.own("Tiles", **{field: "\ud835 x"}) + files.own("Graphs", key="2"))
    assert shelf.titles() == ["Graphs", "Tiles"]


@pytest.mark.parametrize("source", EVERY)
@pytest.mark.parametrize("text", ["مقدمة في GNN (v2.0)", "a\u2066b\u2069 \u200fc"])
def test_c13_right_to_left_titles_stay(shelf: Shelf, source: str, text: str) -> None:
    assert as_read(shelf, source, text)["title"] == text
    assert shelf.octavo.search("مقدمة").total == ("مقدمة" in text)


@pytest.mark.parametrize("source", EVERY)
@pytest.mark.parametrize(
    "text",
    [
        "N/A", "n/a.", "See PDF", "Abstract not available.", "-", "", "abstract", "[No abstract]", "Abstract: N/A", "N.A.",
        "(no abstract available)", "Please see the PDF.", "undefined",
    ],
)  # fmt: skip
def test_c14_a_placeholder_is_no_abstract(shelf: Shelf, source: str, text: str) -> None:
    shelf.put(
        "a.file",
        EVERY[source]("x").replace('"x"', '"Tiles"').replace("{x}", "{Tiles}").replace("- x", "- Tiles"),
        source,
    )
    real = shelf.paper()["abstract"]
    assert real in ("Tiles", "x")
    content = {"ris": files.ris("Tiles", f"AB  - {text}"), "bibtex": files.bibtex("Tiles", abstract=text)}.get(source)
    if content is None:
        made = json.loads(EVERY[source]("Tiles"))
        content = json.dumps(_with_abstract(made, text))
    shelf.put("b.file", content, source)
    assert shelf.paper()["abstract"] is None


def _with_abstract(value: Any, text: str) -> Any:
    """The JSON with another abstract in it."""
    if isinstance(value, list):
        return [_with_abstract(part, text) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        name: ({"value": text} if isinstance(part, dict) else text)
        if name == "abstract"
        else _with_abstract(part, text)
        for name, part in value.items()
    }


@pytest.mark.parametrize("text", [r"\emph{N/A}", "<p>No abstract available.</p>", "**N/A**"])
def test_c14_a_placeholder_is_none_in_any_notation(shelf: Shelf, text: str) -> None:
    shelf.put("a.json", files.mlanthology(abstract=text))
    assert shelf.paper()["abstract"] is None


def test_c14_a_real_abstract_wins_and_a_short_one_is_kept(shelf: Shelf) -> None:
    shelf.put("a.json", files.mlanthology(abstract="N/A", doi="10.5555/abc"))
    shelf.put("b.json", files.crossref(abstract="<jats:p>N/A loss functions.</jats:p>"))
    assert shelf.paper()["abstract"] == "N/A loss functions."
    assert shelf.octavo.search("abstract:loss").total == 1


@pytest.mark.parametrize(
    "text", ["lorem $x_{1}$ " * 10_000, "{" * 20_000 + "x" + "}" * 20_000, "a<b> " * 25_000, "<y>" * 40_000]
)
@pytest.mark.parametrize("source", ["arxiv-snapshot", "bibtex", "mlanthology", "crossref", "ris"])
def test_c15_long_and_deep_texts_are_stored_whole(shelf: Shelf, source: str, text: str) -> None:
    content = {"ris": files.ris("Tiles", f"AB  - {text}"), "bibtex": files.bibtex("Tiles", abstract=text)}.get(source)
    if content is None:
        content = json.dumps(_with_abstract(json.loads(EVERY[source]("Tiles")), text))
    shelf.put("a.file", content, source)
    found = shelf.paper()["abstract"]
    assert "x" in found or "b" in found or "y" in found
    assert "lorem" not in text or found.count("lorem") == 10_000


@pytest.mark.parametrize("source", ["arxiv-snapshot", "bibtex", "mlanthology", "crossref", "ris", "jsonl"])
def test_c15_a_text_past_the_cap_costs_its_entry_and_says_so(shelf: Shelf, source: str) -> None:
    text = "x" * 200_001
    view = shelf.put("a.file", EVERY[source](text), source)
    ((_, reason, _),) = view.faults
    assert "longer than 200,000 characters" in reason


class _Tags(HTMLParser):
    """Collects tags and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {tag, *(name for name, _ in attrs)}


@pytest.mark.parametrize("source", EVERY)
def test_f01_script_in_a_record_is_text_everywhere(shelf: Shelf, source: str) -> None:
    """Pages do not exist yet; what they will show is `Text.html`, and links are of http and https alone."""
    title = r"On $\frac{1}{<svg onload=document.title='x'>}$ bounds <b onmouseover=alert(1)>A</b>"
    paper = as_read(shelf, source, title)
    for claim in shelf.claims(paper["id"]):
        written = claim["title"]
        tags = _Tags()
        tags.feed((Text.of(written["text"], written["markup"]) if isinstance(written, dict) else Text(written)).html())
        assert not tags.seen & {"svg", "onload", "onmouseover", "script"}
    for form in ("bibtex", "ris", "csl"):
        assert shelf.export(form)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.bib", files.bibtex(url="javascript:alert(1)")),
        ("a.ris", files.ris("A paper of its kind", "UR  - javascript:alert(1)", "L1  - data:text/html,x")),
        ("a.json", files.csl(URL="javascript:alert(1)", issued={})),
        (
            "a.jsonl",
            files.own(
                links={"page": "javascript:alert(1)", "pdf": "file:///etc/hostname", "evil": "https://example.org/"}
            ),
        ),
        ("a.json", files.mlanthology(pdf_url="javascript:alert(1)", code_url="data:x", venue_url="vbscript:x")),
        ("a.json", files.openreview(pdf="javascript:alert(1)", code="javascript:alert(1)")),
    ],
)
def test_f01_an_address_that_is_no_web_address_is_no_link(shelf: Shelf, name: str, content: str) -> None:
    shelf.put(name, content)
    assert not any("alert" in str(link) or "evil" in kind for kind, link in shelf.paper()["links"].items())
    assert all(link.startswith("https://") for link in shelf.paper()["links"].values())
    for form in FORMATS:
        assert "javascript:" not in shelf.export(form)


def test_text_goes_out_and_comes_back_in_every_form(shelf: Shelf, other_shelf: Callable[[], Shelf]) -> None:
    """C02, C03, C05, C07, C08 and C10 together."""
    titles = ["The {{Q{u}X}} of $x>0$ for \\$5", "R&amp;D of n<m; Nguy{\\~{\\^e}}n", "said ``yes'' -- 100\\% of {BERT}"]
    for number, title in enumerate(titles):
        shelf.put("a.jsonl", files.snapshot(id=f"2101.0001{number}", title=title))
    for form in FORMATS:
        back = other_shelf()
        back.put(FILES[form], shelf.export(form))
        assert back.titles() == shelf.titles()
