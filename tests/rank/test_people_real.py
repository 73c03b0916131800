"""Names of real papers: what is gathered, and how often co-authors say what ids confirm."""

from __future__ import annotations

import io
import json
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.rank.parting import Mention, part
from octavo.rank.people import coauthor_keys
from octavo.records.names import author, parse_author
from octavo.records.people import PersonId, fit, person_ids, spelling_of

DATA = Path(__file__).parents[3] / "shared" / "data"

pytestmark = [pytest.mark.real, pytest.mark.skipif(not DATA.is_dir(), reason="the real data set is not here")]

PART = tuple(f"{venue}-{year}.json.gz" for venue in ("icml", "neurips") for year in (2017, 2018, 2019, 2020))
WITH_IDS = (
    "aistats2025",
    "alt2025",
    "colm2024",
    "colm2025",
    "corl2021",
    "corl2022",
    "corl2023",
    "corl2024",
    "corl2025",
)


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    """A home with eight proceedings of mlanthology."""
    folder = tmp_path_factory.mktemp("real")
    with (
        tarfile.open(DATA / "mlanthology" / "mlanthology-2026-03.tar") as whole,
        tarfile.open(folder / "part.tar", "w") as small,
    ):
        for member in whole:
            if member.name.endswith(PART):
                small.addfile(member, io.BytesIO(whole.extractfile(member).read()))  # type: ignore[union-attr]
    with Octavo(folder / "home") as octavo:
        assert octavo.add("mlanthology", folder / "part.tar").added > 5_000
        yield octavo


def test_a_rare_name_is_mostly_one_group(some: Octavo) -> None:
    for name in ("Yoshua Bengio", "Y. Bengio", "Bengio, Yoshua"):
        view = some.author(name)
        assert {written.lower() for written in view.names} == {"yoshua bengio"}
        assert len(view.groups[0].papers) > view.total / 2 > 10


@pytest.mark.parametrize("name", ["Wei Wang", "Yang Liu", "Bo Li", "Lei Li", "Jing Zhang"])
def test_a_common_name_is_never_joined_without_ids(some: Octavo, name: str) -> None:
    view = some.author(name)
    assert view.groups == ()
    assert len(view.rest) == view.total > 1


@pytest.mark.parametrize(
    ("name", "variants"),
    [
        ("Bernhard Schölkopf", {"Bernhard Schölkopf"}),
        ("Laurens van der Maaten", {"Laurens van der Maaten"}),
        ("Nando de Freitas", {"Nando de Freitas"}),
        ("Michael I. Jordan", {"Michael I. Jordan", "Michael Jordan"}),
        ("Gael Varoquaux", {"Gael Varoquaux"}),
    ],
)
def test_accents_and_particles_are_gathered(some: Octavo, name: str, variants: set[str]) -> None:
    view = some.author(name)
    assert variants <= set(view.names)
    assert all(fit(name, written) for written in view.names)


def listed() -> Iterator[tuple[int, int, str, frozenset[PersonId], list[str]]]:
    """Authors of 2,400 papers as (paper, place, name, ids, names of the paper); ids only where the profile's name fits,
    since some lists are in two orders."""
    with tarfile.open(DATA / "paperlists" / "paperlists-head-33f9884e.tar.gz") as archive:
        files = (member for member in archive if member.name.endswith(tuple(f"/{name}.json" for name in WITH_IDS)))
        papers = [paper for member in files for paper in json.load(archive.extractfile(member))]  # type: ignore[arg-type]
    for number, paper in enumerate(papers):
        names = [name.strip() for name in paper["author"].split(";")]
        columns = {key: str(paper.get(key) or "").split(";") for key in ("orcid", "dblp", "or_profile", "authorids")}
        profiles = columns["or_profile"] if "~" in str(paper.get("or_profile")) else columns["authorids"]
        for place, name in enumerate(names):
            profile, dblp, orcid = (
                column[place].strip() if len(column) == len(names) else ""
                for column in (profiles, columns["dblp"], columns["orcid"])
            )
            pid = dblp.rpartition("/pid/")[2].removesuffix(".html")
            ids = [f"openreview:{profile}", *([f"dblp:pid/{pid}"] if pid.count("/") == 1 else [])]
            person = parse_author(name)
            found = person_ids(author(person.given, person.family, ids=ids, orcid=orcid))
            sure = any(known.name and fit(known.name, name) for known in found)
            yield number, place, name, found if sure else frozenset(), names


def test_co_authors_join_nobody_whom_orcid_or_dblp_keep_apart() -> None:
    """The ids are hidden from the parting, and asked afterwards."""
    named: dict[tuple[str, str], dict[Mention, frozenset[PersonId]]] = defaultdict(dict)
    for paper, place, name, ids, names in listed():
        way = spelling_of(parse_author(name))
        if way.given:
            beside = coauthor_keys(names[:place] + names[place + 1 :])
            named[way.family, way.given[0]][Mention(paper, place, name, frozenset({way}), frozenset(), beside)] = ids
    told: Counter[str] = Counter()
    for mentions in named.values():
        for group in part(mentions).people:
            told.update(_told(mentions[one], mentions[other]) for one, other in combinations(group.mentions, 2))
    assert told["apart"] == 0
    assert told["same"] > 3_500


def _told(ones: frozenset[PersonId], others: frozenset[PersonId]) -> str:
    if ones & others:
        return "same"
    hard = {known.kind for known in ones if known.kind != "openreview"} & {known.kind for known in others}
    return "apart" if hard else "unknown"  # some people have two profiles
