"""The edition of a record, and of a comment: what each says best. Venues are facts, the rest is made up."""

from __future__ import annotations

import pytest

from octavo.records.edition_comments import edition_in_comment
from octavo.records.editions import edition_of
from octavo.records.ids import Identifier
from octavo.records.paper import Record, Venue
from octavo.records.text import Text

# Records


def _record(venue: Venue | None = None, *identifiers: str, journal_ref: str = "", comment: str = "") -> Record:
    pairs = (text.partition(":") for text in identifiers)
    return Record(
        source="made-up",
        key="1",
        title=Text.of("Moving tiles", "plain"),
        venue=venue,
        identifiers=tuple(Identifier(scheme, value) for scheme, _, value in pairs),
        journal_ref=journal_ref,
        comment=comment,
    )


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (_record(), "None"),
        (_record(Venue(short="ICML", year=2025)), "ICML 2025"),
        (_record(Venue(short="NeurIPS", year=2022, track="Datasets & Benchmarks")), "NeurIPS 2022 Datasets and Benchmarks"),
        (_record(Venue(short="CoRL", year=2023, track="workshop")), "CoRL 2023 Workshop"),
        (_record(Venue(short="NeurIPS Workshop Tiles", year=2018, track="workshop")), "NeurIPS 2018 Workshop"),
        (_record(Venue(short="JMLR", year=2016, track="open source software")), "JMLR 2016 Open Source Software"),
        (_record(Venue(name="Advances in Neural Information Processing Systems", short="NeurIPS", year=2021)), "NeurIPS 2021"),
        # A printed volume repeats the name of the year before; its number tells.
        (_record(Venue(name="Proceedings of The 8th Conference on Robot Learning", short="CoRL", year=2025, volume="305")), "CoRL 2025"),
        (_record(Venue(short="MIDL", year=2023, volume="172"), "pmlr:v172/example22a"), "MIDL 2022"),
        (_record(Venue(volume="267", publisher="PMLR")), "ICML 2025"),
        (_record(Venue(short="JMLR", year=2013, volume="28")), "JMLR 2013"),
        # The names of a record say two venues.
        (_record(Venue(name="ICML 2025", short="COLT", year=2025)), "None"),
        # A name that is not known is not the venue of its short name.
        (_record(Venue(name="Proceedings of the Sixth Workshop on Tile Processing", short="IJCNLP", year=2008)), "None"),
        (_record(Venue(name="Lecture Notes in Computer Science", year=2020)), "None"),
        (_record(Venue(name="Proceedings of the 2002 Conference on Empirical Methods in Natural Language Processing", year=2002, track="workshop"), "acl:W02-1001"), "EMNLP 2002"),
        (_record(Venue(name="Proceedings of the ACL-02 Workshop on Tiles", year=2002, track="workshop"), "acl:W02-0401"), "ACL 2002 Workshop"),
        (_record(Venue(name="Proceedings of the 56th Annual Meeting of the Association for Computational Linguistics: System Demonstrations"), "acl:P18-4001"), "ACL 2018 Demo"),
        (_record(None, "acl:2022.findings-acl.3"), "ACL 2022 Findings"),
        (_record(Venue(name="Proceedings of the 11th Conference of the Association for Machine Translation in the Americas", year=2014, track="wptp"), "acl:2014.amta-wptp.1"), "None"),
        (_record(None, "doi:10.1109/cvpr52688.2022.00123"), "CVPR 2022"),
        (_record(None, "dblp:conf/icml/Example21"), "ICML 2021"),
        (_record(Venue(name="CVPR Workshops", year=2021), "dblp:conf/cvpr/Example21"), "CVPR 2021 Workshop"),
        (_record(None, "openreview:AbC12xYz90"), "None"),
        (_record(journal_ref="Proc. ICML 2025"), "ICML 2025"),
        (_record(comment="Accepted at ICML 2025"), "None"),
    ],
)  # fmt: skip
def test_a_records_edition_is_told_by_what_it_says_best(record: Record, expected: str) -> None:
    assert str(edition_of(record)) == expected


# Comments


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("Accepted at ICML 2025", "ICML 2025"),
        (
            "12 pages, 3 figures. Accepted to NeurIPS 2023 (spotlight). Code: https://example.org/iclr2020",
            "NeurIPS 2023",
        ),
        ("To appear in Proc. of the 42nd Int. Conf. on Machine Learning", "ICML 2025"),
        ("ICML 2019, PMLR 97:695-704", "ICML 2019"),
        ("Published as a conference paper at ICLR 2018", "ICLR 2018"),
        ("14 pages + appendix; camera-ready version, EMNLP'24 Findings", "EMNLP 2024 Findings"),
        ("Accepted to the ICML 2025 Workshop on Tiles", "ICML 2025 Workshop"),
        ("Accepted to ICML 2025, Workshop on Moving Tiles", "ICML 2025 Workshop"),
        ("IEEE Transactions on Multimedia (accepted)", "TMM"),
        ("Submitted to ICML 2025", "None"),
        ("Under review as a conference paper at ICLR 2026", "None"),
        ("Extended version of our paper at ICML 2025", "None"),
        ("An extended abstract appeared at ICML 2025", "None"),
        ("Winner of the Tile Challenge at CVPR 2024", "None"),
        ("Accepted at the Tile Symposium, in the week of ICML 2025", "None"),
        ("Accepted at LEAP, CoRL 2025", "None"),
        ("Accepted at ICML 2025. Presented at COLT 2025", "None"),
        ("Accepted at ICML", "None"),
        ("12 pages", "None"),
        ("", "None"),
    ],
)
def test_a_comment_tells_an_edition_only_when_the_paper_appeared_there(comment: str, expected: str) -> None:
    assert str(edition_in_comment(comment)) == expected
