"""Reading an edition out of a name or a code. Names of venues are facts; titles, people and ids are made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records.edition_codes import filed, track_of
from octavo.records.edition_comments import edition_in_comment
from octavo.records.editions import is_preprint_server, parse_edition
from octavo.records.venues import (
    TRACKS,
    Edition,
    phrases,
    venue_series,
    venues,
)

ICML = Edition("icml", 2025)


# One edition in all its spellings


@pytest.mark.parametrize(
    "name",
    [
        "Proceedings of the 42nd International Conference on Machine Learning",
        "Proc. of the Forty-Second Int. Conf. on Machine Learning",
        "ICML 2025",
        "ICML'25",
        "ICML ’25",
        "ICML-25",
        "ICML25",
        "ICML, 2025",
        "ICML (2025)",
        "In ICML 2025, Vancouver, Canada, July 13-19, 2025",
        "PMLR v267",
        "PMLR, 267",
        "Proceedings of Machine Learning Research, 267",
        "Proceedings of Machine Learning Research, vol. 267, pp. 1-20",
        "volume 267 of Proceedings of Machine Learning Research",
        "Proceedings of the 42nd International Conference on Machine Learning, PMLR 267:101-120",
        "International Conference on Machine Learning (ICML) 2025",
        "2025 International Conference on Machine Learning",
        "ICML 2025: 42nd International Conference on Machine Learning",
        "42nd International Conference on Machine Learning, ICML 2025, Virtual Event",
        "ICML 2025 Conference Proceedings",
        "ICML 2025 Oral",
        "ICML.cc/2025/Conference",
        "ICML.cc/2025/Conference/Rejected_Submission",
        "ICML.cc/2025/Conference/-/Submission",
        "dblp.org/conf/ICML/2025",
        "conf/icml/Example25",
        "conf/icml/ExampleB25a",
        "icml-2025",
        "icml2025",
        "ICML_2025",
        "https://proceedings.mlr.press/v267/",
        "https://proceedings.mlr.press/v267/example25a.html",
        "  ICML\n 2025 ",
        "ＩＣＭＬ 2025",
    ],
)
def test_the_spellings_of_one_edition_are_one_value(name: str) -> None:
    assert parse_edition(name) == ICML


@pytest.mark.parametrize("name", ["International Conference on Machine Learning (ICML)", "ICML", "In: ICML"])
def test_an_edition_takes_the_year_beside_it_when_the_name_has_none(name: str) -> None:
    assert parse_edition(name) == Edition("icml", None)
    assert parse_edition(name, year=2025) == ICML


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2024 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", "CVPR 2024"),
        ("IEEE Computer Society Conference on Computer Vision and Pattern Recognition, 2005", "CVPR 2005"),
        ("Computer Vision – ECCV 2022", "ECCV 2022"),
        ("Medical Image Computing and Computer Assisted Intervention – MICCAI 2023", "MICCAI 2023"),
        ("Machine Learning: ECML 2007", "ECML PKDD 2007"),
        ("Advances in Neural Information Processing Systems 36", "NeurIPS 2023"),
        ("Advances in Neural Information Processing Systems, volume 32, 2019", "NeurIPS 2019"),
        ("Advances in Neural Information Processing Systems 20 (2008)", "NeurIPS 2007"),
        ("Thirty-sixth Conference on Neural Information Processing Systems", "NeurIPS 2022"),
        ("Proceedings of the 31st International Conference on Neural Information Processing Systems", "NeurIPS 2017"),
        ("31st Conference on Neural Information Processing Systems (NIPS 2017), Long Beach, CA, USA.", "NeurIPS 2017"),
        ("NIPS'16", "NeurIPS 2016"),
        ("JMLR: W&CP volume 28", "ICML 2013"),
        ("Proceedings of The 8th Conference on Robot Learning, PMLR 305", "CoRL 2025"),
        ("AAAI-24", "AAAI 2024"),
        ("Proceedings of the AAAI Conference on Artificial Intelligence, 38(1), pages 1-9", "AAAI 2024"),
        ("AAAI'20: Proceedings of the Thirty-Fourth AAAI Conference on Artificial Intelligence", "AAAI 2020"),
        ("Proceedings of the Fourteenth National Conference on Artificial Intelligence", "AAAI 1997"),
        ("Proceedings of the Twenty-Ninth International Joint Conference on Artificial Intelligence", "IJCAI 2020"),
        ("KDD '23", "KDD 2023"),
        ("Proc. 15th ACM Conf. on Recommender Systems", "RecSys 2021"),
        ("Robotics: Science and Systems XIX", "RSS 2023"),
        ("Machine Translation Summit XIII: Papers", "MT Summit 2011"),
        ("INTERSPEECH 2020", "Interspeech 2020"),
        ("21st Annual Conference of the International Speech Communication Association", "Interspeech 2020"),
        ("ECCV (12) 2020", "ECCV 2020"),
        ("Ninth Conference of the European Chapter of the Association for Computational Linguistics", "EACL 1999"),
        ("Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics", "ACL 2020"),
        ("Proceedings of the 2019 Conference of the North American Chapter of the Association for Computational Linguistics: Human Language Technologies, Volume 1 (Long and Short Papers)", "NAACL 2019"),
        ("Proceedings of the Tenth International Conference on Language Resources and Evaluation (LREC'16)", "LREC 2016"),
        ("Proceedings of the Fourteenth Workshop on Semantic Evaluation", "SemEval 2020"),
        ("Proceedings of the Eighth Workshop on Statistical Machine Translation", "WMT 2013"),
        ("Proceedings of the Fifth Conference on Machine Translation", "WMT 2020"),
        ("Journal of Machine Learning Research, 24(12):1-40, 2023", "JMLR 2023"),
        ("IEEE Robotics and Automation Letters, vol. 7, no. 3, pp. 7644-7651, July 2022", "RA-L 2022"),
        ("IEEE Trans. Pattern Anal. Mach. Intell. 2020", "TPAMI 2020"),
        ("Pattern Recognition (2023)", "PR 2023"),
        ("Transactions of the Association for Computational Linguistics, Volume 8", "TACL 2020"),
    ],
)  # fmt: skip
def test_an_edition_is_read_when_its_venue_writes_it_in_its_own_way(name: str, expected: str) -> None:
    assert str(parse_edition(name)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("EMNLP-IJCNLP 2019", "EMNLP 2019"),
        ("EMNLP/IJCNLP (1) 2019", "EMNLP 2019"),
        ("Proceedings of COLING/ACL 2006", "ACL 2006"),
        (
            "Proceedings of the 59th Annual Meeting of the Association for Computational Linguistics and the 11th International Joint Conference on Natural Language Processing (Volume 1: Long Papers)",
            "ACL 2021",
        ),
        ("IJCAI-ECAI 2022", "IJCAI 2022"),
        ("IJCAI-PRICAI 2020", "IJCAI 2020"),
        ("LREC-COLING 2024", "COLING 2024"),
        ("ECML-PKDD 2018", "ECML PKDD 2018"),
        ("Findings of the Association for Computational Linguistics: ACL-IJCNLP 2021", "ACL 2021 Findings"),
        ("ICML 2012 and COLT 2012", None),
        ("ICCV/ECCV 2020", None),
        ("Accepted to IEEE RA-L and ICRA 2020", None),
        ("ACM Transactions on Graphics (SIGGRAPH 2023)", None),
    ],
)
def test_two_venues_are_one_edition_only_when_they_were_held_as_one(name: str, expected: str | None) -> None:
    assert parse_edition(name) == (parse_edition(expected) if expected else None)
    assert (str(parse_edition(name)) if expected else None) == expected


# What is not the venue


@pytest.mark.parametrize(
    "name",
    [
        "International Conference on Machine Learning and Cybernetics",
        "International Conference on Machine Learning Technologies 2025",
        "European Workshop on Machine Learning",
        "Conference on Machine Learning",
        "Chinese Conference on Computer Vision 2017",
        "International Journal of Machine Learning and Cybernetics",
        "Machine Learning with Applications",
        "Proceedings of Machine Learning 2020",
        "Nature Physics",
        "Science Advances 2020",
        "International Conference on Natural Language Processing",
        "the vldb journal of tiles",
        "AAAI Spring Symposium 2020",
        "Lecture Notes in Computer Science",
        "Lecture Notes in Computer Science 2024",
        "CEUR Workshop Proceedings",
        "ACM International Conference Proceeding Series",
        "Computer Vision, A Reference Guide",
        "arXiv preprint arXiv:2101.00010",
        "CoRR abs/2101.00010",
        "PMLR",
        "date 2019",
        "case 2023",
        "log 2022",
        "Findings of the Association for Computational Linguistics",
        "journals/corr/abs-2101-00010",
        "10.5555/example",
        "10.1109/TPAMI.2023.1234567",
        "aclweb.org/ACL/ARR/2024/June",
        "W18-5401",
        "Proceedings",
        "2025",
        "25",
        "",
        " ",
        "\x00",
        "ICML " * 300,
    ],
)
def test_no_edition_is_guessed_when_a_name_is_another_venues_or_none(name: str) -> None:
    assert parse_edition(name) is None


def test_a_journal_is_not_the_conference_of_its_name() -> None:
    assert parse_edition("The VLDB Journal: The International Journal on Very Large Data Bases") == Edition("vldbj")
    assert parse_edition("Very Large Data Bases") == Edition("vldb")
    assert parse_edition("Pattern Recognition") != parse_edition("International Conference on Pattern Recognition")


@pytest.mark.parametrize(
    ("name", "year"),
    [
        ("ICCV 2024", None),
        ("International Conference on Computer Vision", 2024),
        ("ICML 1970", None),
        ("ICML 2025", 2019),
        ("43rd International Conference on Machine Learning, 2025", None),
        ("12th and 13th International Conference on Machine Learning, 2025", None),
        ("150th International Conference on Machine Learning", None),
        ("ICML 2019 ICML 2021", None),
    ],
)
def test_no_edition_is_read_when_years_contradict_each_other(name: str, year: int | None) -> None:
    assert parse_edition(name, year=year) is None


@pytest.mark.parametrize(("printed", "expected"), [(2024, None), (2025, 2025), (2026, 2025), (2027, None)])
def test_a_year_of_printing_does_not_move_an_edition(printed: int, expected: int | None) -> None:
    found = parse_edition(f"Proceedings of the 42nd International Conference on Machine Learning, {printed}")
    assert found == (Edition("icml", expected) if expected else None)


# Tracks


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Workshop on Moving Tiles at NeurIPS 2023", ("neurips", 2023, "workshop")),
        ("Second Workshop on Tiles @ NeurIPS 2021", ("neurips", 2021, "workshop")),
        ("Tiles for Climate @ NeurIPS 2021", ("neurips", 2021, "workshop")),
        ("Proceedings of the Third ICML Workshop on Tiles 2025", ("icml", 2025, "workshop")),
        ("ICLR 2024 Workshop on Reliable Tiles", ("iclr", 2024, "workshop")),
        ("ICML.cc/2025/Workshop/Tiles", ("icml", 2025, "workshop")),
        ("2023 IEEE/CVF Conference on Computer Vision and Pattern Recognition Workshops (CVPRW)", ("cvpr", 2023, "workshop")),
        ("CVPRW 2023", ("cvpr", 2023, "workshop")),
        ("ECCV 2018 Workshops (3)", ("eccv", 2018, "workshop")),
        ("Findings of the Association for Computational Linguistics: EMNLP 2021", ("emnlp", 2021, "findings")),
        ("Findings of the Association for Computational Linguistics ACL 2024", ("acl", 2024, "findings")),
        ("Findings of the ACL 2023", ("acl", 2023, "findings")),
        ("Findings of ACL 2025", ("acl", 2025, "findings")),
        ("EMNLP 2023 (Findings)", ("emnlp", 2023, "findings")),
        ("NeurIPS 2023 Datasets and Benchmarks Track", ("neurips", 2023, "datasets and benchmarks")),
        ("NeurIPS.cc/2023/Track/Datasets_and_Benchmarks", ("neurips", 2023, "datasets and benchmarks")),
        ("NeurIPS.cc/2025/Datasets_and_Benchmarks_Track", ("neurips", 2025, "datasets and benchmarks")),
        ("ICML.cc/2025/Position_Paper_Track", ("icml", 2025, "position")),
        ("ICML 2025 Position Paper Track", ("icml", 2025, "position")),
        ("NAACL 2021: Industry Track", ("naacl", 2021, "industry")),
        ("EMNLP 2020: System Demonstrations", ("emnlp", 2020, "demo")),
        ("COLING 2020: Tutorial Abstracts", ("coling", 2020, "tutorial")),
        ("ACL 2022: Student Research Workshop", ("acl", 2022, "student")),
        ("Companion Proceedings of the ACM Web Conference 2023", ("www", 2023, "companion")),
        ("NeurIPS 2022 Competition Track", ("neurips", 2022, "competition")),
        ("CoNLL 2017 Shared Task", ("conll", 2017, "shared task")),
        ("ICLR Blogposts 2023", ("iclr", 2023, "blogposts")),
        ("Proceedings of COLING 2012: Posters", ("coling", 2012, "main")),
        ("Proceedings of the 2020 Workshop on Semantic Evaluation", ("semeval", 2020, "main")),
        ("KDD 2023 Applied Data Science Track", ("kdd", 2023, "applied data science")),
    ],
)  # fmt: skip
def test_a_track_is_kept_apart_from_the_main_edition(name: str, expected: tuple[str, int, str]) -> None:
    found = parse_edition(name)
    assert found == Edition(*expected)
    assert found is not None
    assert found.main == Edition(*expected[:2])


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Datasets & Benchmarks", "datasets and benchmarks"),
        ("srw", "student"),
        ("demos", "demo"),
        ("main", "main"),
        ("long", "main"),
        ("Position", "position"),
        ("journal", "journal"),
        ("wptp", ""),
        ("", ""),
    ],
)
def test_a_sources_word_for_a_track_is_read(said: str, expected: str) -> None:
    assert track_of(said) == expected


# Codes


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("2024.acl-long", ("acl", 2024, "main")),
        ("2024.acl-long.12", ("acl", 2024, "main")),
        ("2020.acl-main.1", ("acl", 2020, "main")),
        ("2022.findings-acl.3", ("acl", 2022, "findings")),
        ("2023.findings-emnlp", ("emnlp", 2023, "findings")),
        ("2022.acl-srw.1", ("acl", 2022, "student")),
        ("2020.emnlp-demos.1", ("emnlp", 2020, "demo")),
        ("2020.lrec-1.9", ("lrec", 2020, "main")),
        ("2022.bionlp-1.3", ("bionlp", 2022, "main")),
        ("2014.amta-wptp.1", None),
        ("2022.unheardof-1.1", None),
        ("P18-1001", ("acl", 2018, "main")),
        ("P18-1", ("acl", 2018, "main")),
        ("P18-2001", ("acl", 2018, "main")),
        ("P18-4001", None),
        ("N19-2001", None),
        ("C98-2001", ("acl", 1998, "main")),
        ("Q13-1001", ("tacl", 2013, "main")),
        ("D19-5001", None),
        ("10.18653/v1/2024.acl-long.1", ("acl", 2024, "main")),
        ("10.18653/v1/p18-1001", ("acl", 2018, "main")),
        ("10.1109/CVPR52688.2022.00123", ("cvpr", 2022, "main")),
        ("https://doi.org/10.1109/cvprw63382.2024.00123", ("cvpr", 2024, "workshop")),
        ("10.1609/aaai.v38i1.12345", ("aaai", 2024, "main")),
        ("10.24963/ijcai.2023/12", ("ijcai", 2023, "main")),
        ("10.21437/Interspeech.2023-12", ("interspeech", 2023, "main")),
        ("conf/nips/ExampleBC21", ("neurips", 2021, "main")),
        ("conf/nips/2021", ("neurips", 2021, "main")),
        ("conf/cvpr/Example21", None),
        ("journals/jmlr/Example20", ("jmlr", 2020, "main")),
        ("nips2016", ("neurips", 2016, "main")),
        ("acl-2024-findings", ("acl", 2024, "findings")),
        ("robot-learning.org/CoRL/2024/Conference/Withdrawn_Submission", ("corl", 2024, "main")),
        ("thecvf.com/CVPR/2025/Conference", ("cvpr", 2025, "main")),
        ("ACM.org/TheWebConf/2024/Conference", ("www", 2024, "main")),
        ("logconference.io/LOG/2023/Conference", ("log", 2023, "main")),
        ("NeurIPS.cc/2031/Unheard_Of", None),
        ("TMLR", ("tmlr", None, "main")),
        ("TMLR/Rejected", ("tmlr", None, "main")),
    ],
)  # fmt: skip
def test_a_code_names_its_edition(code: str, expected: tuple[str, int | None, str] | None) -> None:
    assert parse_edition(code) == (Edition(*expected) if expected else None)


# Laws


def _editions(tracks: tuple[str, ...]) -> st.SearchStrategy[Edition]:
    series = st.sampled_from([one for one in venues() if one.kind != "preprint server"])
    made = st.builds(
        lambda one, year, track: filed(one.key, year, track), series, st.integers(1950, 2030), st.sampled_from(tracks)
    )
    return made.filter(lambda edition: edition is not None)  # type: ignore[return-value]


@given(_editions(TRACKS))
def test_an_address_of_an_edition_leads_back_to_it(edition: Edition) -> None:
    assert parse_edition(edition.slug) == edition


@given(_editions(TRACKS))
def test_a_name_of_an_edition_leads_back_to_it(edition: Edition) -> None:
    series = venue_series(edition.venue)
    assert series is not None
    if edition.track == "main" or series.kind != "journal":
        assert parse_edition(edition.full_name) == edition
        if series.spoken:
            assert parse_edition(edition.name) == edition
            assert parse_edition(f"Proceedings of {edition.name}") == (edition if series.kind != "journal" else None)


def test_each_edition_of_each_venue_is_read_from_its_full_name() -> None:
    for series in venues():
        for year in range(max(series.first, 1950), 2031):
            edition = filed(series.key, year)
            if edition is not None and edition.venue == series.key:
                assert parse_edition(edition.full_name) == edition


@given(_editions(("main",)), st.data())
def test_a_strange_word_makes_a_name_another_venues(edition: Edition, data: st.DataObject) -> None:
    parts = edition.full_name.split()
    place = data.draw(st.integers(0, len(parts)))
    name = " ".join((*parts[:place], "Zorbling", *parts[place:]))
    assert parse_edition(name) is None


@given(st.text(max_size=200), st.none() | st.integers(-5, 3000))
def test_any_text_is_read_or_left(text: str, year: int | None) -> None:
    found = parse_edition(text, year=year)
    if found is not None:
        series = venue_series(found.venue)
        assert series is not None
        assert found.track in TRACKS
        assert found.year is None or series.has(found.year)
    edition_in_comment(text)
    is_preprint_server(text)


_WORDS = sorted({word for first, some in phrases().items() for phrase in some for word in (first, *phrase.rest)})


@given(st.lists(st.sampled_from([*_WORDS, "42nd", "2025", "'25", "7", "(", ",", "@", "zorbling"]), max_size=14))
def test_any_words_of_venues_are_read_or_left(some: list[str]) -> None:
    found = parse_edition(" ".join(some))
    if found is not None and "zorbling" in some:
        assert found.track == "workshop"
