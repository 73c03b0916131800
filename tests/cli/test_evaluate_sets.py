"""Reading judged sets: every layout, and lines that can't be read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from octavo.errors import FormatError, MissingFileError, OctavoError, TruncatedFileError, UsageError
from octavo.evaluating import JudgedSet, judgements_path, kinds, read_set
from tests.cli.judged import DOCUMENTS, QRELS, QUERIES, write_lines, write_set


def keys(judged: JudgedSet) -> list[str]:
    return [record.key for record in judged.documents()]


def test_a_set_is_read_when_its_files_are_plain(tmp_path: Path) -> None:
    judged = read_set(write_set(tmp_path))
    assert keys(judged) == ["t1", "t2", "t3", "q1", "q2", "m1"]
    assert judged.queries["q2:long"] == "a quarry that gives marble"
    assert judged.grades["t1:short"] == {"t1": 2.0, "t2": 1.0}
    assert judged.chosen(0) == ["t1:short", "t1:long", "q2:short", "q2:long", "m1:long"]
    assert not judged.reasons


def test_a_set_is_the_same_when_it_is_gzipped_or_in_the_layout_of_beir(tmp_path: Path) -> None:
    plain = read_set(write_set(tmp_path / "plain"))
    beir = tmp_path / "beir"
    (beir / "qrels").mkdir(parents=True)
    renamed = [{"_id": one["id"], **{name: one[name] for name in one if name != "id"}} for one in DOCUMENTS]
    write_lines(beir / "corpus.jsonl", [{**one, "metadata": {"url": "x"}} for one in renamed])
    write_lines(beir / "queries.jsonl", [{"_id": one["id"], "text": one["text"], "metadata": {}} for one in QUERIES])
    (beir / "qrels" / "test.tsv").write_text(QRELS, encoding="utf-8")
    (beir / "qrels" / "train.tsv").write_text("q1\tt2\t1\n", encoding="utf-8")
    packed = tmp_path / "packed"
    packed.mkdir()
    write_lines(packed / "corpus.jsonl.gz", DOCUMENTS)
    write_lines(packed / "queries.jsonl.gz", QUERIES)
    (packed / "qrels.tsv.gz").write_bytes(gzip.compress(QRELS.encode()))
    for other in (read_set(beir), read_set(packed)):
        assert keys(other) == keys(plain)
        assert (other.queries, other.grades) == (plain.queries, plain.grades)
    assert read_set(beir, "train").grades == {"q1": {"t2": 1.0}}


@pytest.mark.parametrize(
    ("qrels", "expected"),
    [
        ("q1\td1\t1\n", {"q1": {"d1": 1.0}}),
        ("query-id\tcorpus-id\tscore\nq1\td1\t2\n", {"q1": {"d1": 2.0}}),
        ("q1 0 d1 1\nq1 0 d2 0\n", {"q1": {"d1": 1.0, "d2": 0.0}}),  # TREC's
        ("q1\td1\t0.5\r\nq1\td2\t-1\r\n", {"q1": {"d1": 0.5, "d2": -1.0}}),
        ("\ufeffq1\td1\t1", {"q1": {"d1": 1.0}}),
        ("q 1\td 1\t1\n", {"q 1": {"d 1": 1.0}}),
    ],
)
def test_judgements_are_read_in_every_form(tmp_path: Path, qrels: str, expected: dict[str, dict[str, float]]) -> None:
    assert read_set(write_set(tmp_path, qrels=qrels)).grades == expected


def test_bad_lines_are_skipped_counted_and_named_when_there_are_some(tmp_path: Path) -> None:
    folder = write_set(tmp_path, qrels=QRELS + "q2:long\tq2\t1\nonly two\nq2:long\tq1\tmuch\nq2:long\tq1\tnan\n")
    with (folder / "corpus.jsonl").open("ab") as file:
        file.write(b'{broken\n[1]\n{"title": "No id"}\n{"id": "t1", "title": "Again"}\n{"id": "e", "title": " "}\n')
        file.write(b'\n{"id": 7, "title": "A number", "text": null}\n\xff\xfe\n')
    with (folder / "queries.jsonl").open("ab") as file:
        file.write(b'{"id": "q2:long", "text": "again"}\n{"id": "q3"}\n')
    judged = read_set(folder)
    assert keys(judged)[-1] == "7"
    assert judged.reasons == {
        "judged a second time": 1,
        "not query id, document id and grade": 3,
        "broken JSON": 2,
        "not a JSON object": 1,
        "no id": 1,
        "an id that an earlier line has": 2,
        "no title and text": 1,
        "no text": 1,
    }
    assert ("corpus.jsonl, line 10", "an id that an earlier line has", "t1") in judged.faults
    assert ("qrels.tsv, line 9", "judged a second time", "q2:long q2") in judged.faults


def test_queries_and_documents_are_named_when_they_do_not_fit(tmp_path: Path) -> None:
    folder = write_set(tmp_path, qrels=QRELS + "nobody\tt1\t1\nt1:long\tgone\t1\nt1:long\tgone too\t0\n")
    left_out = read_set(folder).left_out({str(one["id"]) for one in DOCUMENTS})
    assert left_out.unjudged.to_dict() == {"count": 1, "first": ["x9:short"]}
    assert left_out.unknown_queries.first == ("nobody",)
    assert left_out.unknown_documents.first == ("gone",)  # the other is no answer


def test_queries_without_an_answer_are_left_out_when_all_they_have_is_zeros(tmp_path: Path) -> None:
    judged = read_set(write_set(tmp_path, qrels="t1:short\tt1\t0\nq2:short\tq2\t1\n"))
    assert judged.chosen(0) == ["q2:short"]


def test_the_draw_of_queries_is_the_same_when_the_seed_is(tmp_path: Path) -> None:
    judged = read_set(write_set(tmp_path))
    drawn = {seed: judged.chosen(3, seed) for seed in range(20)}
    assert all(len(some) == 3 and some == judged.chosen(3, seed) for seed, some in drawn.items())
    assert len({tuple(some) for some in drawn.values()}) > 3
    assert judged.chosen(99) == judged.chosen(0)


@pytest.mark.parametrize(
    ("gone", "expected"), [("corpus.jsonl", "no corpus"), ("queries.jsonl", "no queries"), ("qrels.tsv", "no qrels")]
)
def test_a_set_is_refused_when_a_file_is_missing(tmp_path: Path, gone: str, expected: str) -> None:
    (write_set(tmp_path) / gone).unlink()
    with pytest.raises(MissingFileError, match=expected):
        read_set(tmp_path)


def test_a_set_is_refused_when_it_has_no_answers_or_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="judged answer"):
        read_set(write_set(tmp_path, qrels="nobody\tt1\t1\n")).chosen(0)
    with pytest.raises(FormatError, match="no folder"):
        read_set(tmp_path / "qrels.tsv")


def test_a_split_must_be_named_when_there_are_several(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "dev.tsv").write_text("a\tb\t1\n")
    assert judgements_path(tmp_path).name == "dev.tsv"
    (tmp_path / "qrels" / "train.tsv").write_text("a\tb\t1\n")
    with pytest.raises(UsageError, match="dev, train"):
        judgements_path(tmp_path)
    assert judgements_path(tmp_path, "train").name == "train.tsv"
    with pytest.raises(MissingFileError, match="test"):
        judgements_path(tmp_path, "test")


def test_a_set_is_refused_when_its_corpus_is_cut_off(tmp_path: Path) -> None:
    folder = write_set(tmp_path)
    whole = gzip.compress((folder / "corpus.jsonl").read_bytes())
    (folder / "corpus.jsonl").unlink()
    (folder / "corpus.jsonl.gz").write_bytes(whole[:-20])
    with pytest.raises(OctavoError) as told:
        keys(read_set(folder))
    assert isinstance(told.value, TruncatedFileError)


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["a:x", "b:x", "a:y", "b:y"], {"x": ["a:x", "b:x"], "y": ["a:y", "b:y"]}),
        (["a:x", "b:x", "c", "b:y"], {"x": ["a:x", "b:x"], "y": ["b:y"]}),
        (["a:x", "b:x"], {}),  # one kind tells nothing
        (["a", "b", "c", "d"], {}),
        (["a:1", "b:2", "c:3", "d:4"], {}),  # each its own: no kinds
        ([":x", ":y", "a:", "b:"], {}),
    ],
)
def test_kinds_are_told_by_the_end_of_ids(ids: list[str], expected: dict[str, list[str]]) -> None:
    assert kinds(ids) == expected
