"""Venues and editions as values, and the table of what is known of them. Its names, years and volumes are facts."""

from __future__ import annotations

import io
import re
import tarfile
from collections import Counter
from pathlib import Path

import pytest

from octavo.records.edition_codes import edition_of_code, filed
from octavo.records.editions import find_venue, is_preprint_server, parse_edition
from octavo.records.venue_words import roman, words
from octavo.records.venues import (
    JOINT,
    KINDS,
    Edition,
    edition_of_volume,
    short_name,
    venue_of_code,
    venue_series,
    venues,
)

DATA = Path(__file__).parents[3] / "shared" / "data"
ICML = Edition("icml", 2025)


# Venues


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("ICML", "icml"),
        ("nips", "neurips"),
        ("International Conference on Machine Learning", "icml"),
        ("ICML 2025", "icml"),
        ("acmmm", "acmmm"),
        ("siggraph_asia", "siggraphasia"),
        ("JMLR", "jmlr"),
        ("arXiv", "arxiv"),
        ("Workshop on Tiles at ICML 2025", None),
        ("A Venue of Tiles", None),
        ("", None),
    ],
)
def test_a_venue_is_found_by_its_names(name: str, key: str | None) -> None:
    found = find_venue(name)
    assert (found.key if found else None) == key


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("arXiv", True), ("CoRR abs/2101.00010", True), ("arXiv.org e-Print archive", True), ("bioRxiv", True),
     ("SSRN Electronic Journal", True), ("ICML", False), ("Workshop on arXiv", False), ("", False)],
)  # fmt: skip
def test_a_preprint_server_is_told_from_a_venue(name: str, is_one: bool) -> None:
    assert is_preprint_server(name) is is_one


def test_names_of_an_edition_are_as_readers_write_them() -> None:
    assert (ICML.name, str(ICML), ICML.slug) == ("ICML 2025", "ICML 2025", "icml-2025")
    assert ICML.full_name == "42nd International Conference on Machine Learning"
    findings = Edition("acl", 2024, "findings")
    assert (findings.name, findings.slug) == ("ACL 2024 Findings", "acl-2024-findings")
    assert Edition("icml").name == "ICML"
    assert Edition("jmlr", 2020).full_name == "Journal of Machine Learning Research 2020"
    assert Edition("emnlp", 2024).full_name == "2024 Conference on Empirical Methods in Natural Language Processing"
    assert Edition("unheard", 2031).name == "UNHEARD 2031"


def test_short_names_are_those_of_lists() -> None:
    codes = ("neurips", "NIPS", "acmmm", "mloss", "corl", "www", "Unheard", "")
    assert list(map(short_name, codes)) == ["NeurIPS", "NeurIPS", "ACM MM", "JMLR", "CoRL", "WWW", "UNHEARD", ""]


@pytest.mark.parametrize(
    ("volume", "expected"),
    [("267", "ICML 2025"), ("v267", "ICML 2025"), ("028", "ICML 2013"), ("r9", "UAI 2011"), ("R9", "UAI 2011"),
     ("9", "AISTATS 2010"), ("172", "MIDL 2022"), ("9999", "None"), ("", "None")],
)  # fmt: skip
def test_a_volume_of_pmlr_holds_an_edition(volume: str, expected: str) -> None:
    assert str(edition_of_volume(volume)) == expected


@pytest.mark.parametrize(
    ("text", "value"), [("i", 1), ("iv", 4), ("xix", 19), ("xlviii", 48), ("iiii", None), ("vision", None), ("", None)]
)
def test_roman_numbers_are_read(text: str, value: int | None) -> None:
    assert roman(text) == value


# The table


def test_the_table_holds_together() -> None:
    table = venues()
    assert len(table) > 200
    assert Counter(series.kind for series in table).keys() == set(KINDS)
    assert [short for short, n in Counter(series.short for series in table).items() if n > 1] == []
    for series in table:
        assert re.fullmatch(r"[a-z0-9]+", series.key), series.key
        assert all((series.short, series.name, series.field, series.first)), series.key
        for rule in (series.ordinals, series.volumes):
            assert list(rule) == sorted(rule), series.key
            assert [year for _, year, _ in rule] == sorted({year for _, year, _ in rule}), series.key
            assert all(year >= series.first for _, year, _ in rule), series.key
        assert all(series.has(year) for _, year in series.pmlr), series.key
    volumes = Counter(volume for series in table for volume, _ in series.pmlr)
    assert max(volumes.values()) == 1
    editions = Counter((series.key, year) for series in table for _, year in series.pmlr)
    assert max(editions.values()) == 1


def test_no_name_belongs_to_two_venues() -> None:
    owners: dict[tuple[str, ...], set[str]] = {}
    for series in venues():
        shorts = [series.short] if series.spoken else []
        for name in (series.name, *shorts, *series.aliases, *series.exact):
            owners.setdefault(words(name.partition(" [")[0].removeprefix("workshop: ")), set()).add(series.key)
    assert {name: keys for name, keys in owners.items() if len(keys) > 1} == {}


def test_codes_of_sites_belong_to_one_venue() -> None:
    for field in ("dblp", "acl", "openreview", "codes"):
        given_to = Counter(code for series in venues() for code in getattr(series, field))
        assert [code for code, n in given_to.items() if n > 1] == []


def test_what_was_held_as_one_is_filed_under_a_venue_of_that_year() -> None:
    for (key, year), other in JOINT.items():
        series, host = venue_series(key), venue_series(other)
        assert series is not None
        assert host is not None
        assert host.has(year)
        assert filed(key, year) == Edition(other, year)


@pytest.mark.parametrize(
    ("key", "number", "year"),
    [("icml", 42, 2025), ("icml", 2, 1983), ("icml", 10, 1993), ("neurips", 31, 2017), ("iclr", 12, 2024),
     ("aaai", 24, 2010), ("aaai", 38, 2024), ("ijcai", 24, 2015), ("ijcai", 29, 2020), ("ecai", 27, 2024),
     ("iccv", 9, 2003), ("eccv", 17, 2022), ("coling", 31, 2025), ("coling", 28, 2020), ("acl", 60, 2022),
     ("aistats", 12, 2009), ("aistats", 26, 2023), ("uai", 40, 2024), ("colt", 36, 2023), ("www", 26, 2017)],
)  # fmt: skip
def test_ordinals_and_years_lead_to_each_other(key: str, number: int, year: int) -> None:
    series = venue_series(key)
    assert series is not None
    assert series.ordinal(year) == number
    assert series.has(year)
    assert parse_edition(f"{number}. {series.name}") is None
    ending = "st" if number % 10 == 1 and number != 11 else "nd" if number % 10 == 2 and number != 12 else "th"
    assert parse_edition(f"{number}{ending} {series.name}") == filed(key, year)


def test_an_ordinal_is_none_when_no_edition_had_it() -> None:
    icml = venue_series("icml")
    assert icml is not None
    assert icml.ordinal(1981) is None
    assert icml.ordinal(1970) is None


# The real data


@pytest.mark.real
@pytest.mark.skipif(not DATA.is_dir(), reason="the real data set is not here")
def test_lists_of_the_real_data_are_filed_under_editions() -> None:
    with tarfile.open(DATA / "mlanthology" / "mlanthology-2026-03.tar") as archive:
        lists = [Path(name).name.removesuffix(".json.gz") for name in archive.getnames() if name.endswith(".json.gz")]
    for archive_path in (DATA / "paperlists").glob("*.tar.gz"):
        with tarfile.open(archive_path) as archive:
            lists += [Path(name).stem for name in archive.getnames() if name.endswith(".json")]
    assert len(lists) > 250
    assert [name for name in lists if edition_of_code(name) is None] == []


@pytest.mark.real
@pytest.mark.skipif(not DATA.is_dir(), reason="the real data set is not here")
@pytest.mark.parametrize("volume", [37, 48, 195, 206, 244, 247, 270, 291, 305])
def test_a_real_volumes_configuration_agrees_with_the_table(volume: int) -> None:
    with tarfile.open(DATA / "pmlr" / f"v{volume}.tar.gz") as archive:
        (name,) = [name for name in archive.getnames() if name.endswith("/_config.yml")]
        config = archive.extractfile(name)
        assert isinstance(config, io.BufferedReader)
        text = config.read().decode()
    short, year = (
        re.search(r"^shortname: (\S+)$", text, re.MULTILINE),
        re.search(r"^year: '(\d+)'$", text, re.MULTILINE),
    )
    assert short is not None
    assert year is not None
    series = venue_of_code(short[1])
    assert series is not None
    assert edition_of_volume(str(volume)) == Edition(series.key, int(year[1]))
