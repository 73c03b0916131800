"""PMLR volumes: `octavo.sources.pmlr`. What a post becomes is in the pairs of `raw/pmlr`."""

from __future__ import annotations

import io
import tarfile
import zipfile
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import EmptyFileError, FormatError, SourceError, TruncatedFileError
from octavo.records.paper import Record, Venue
from octavo.sources.base import Fault, Page
from octavo.sources.pmlr import PmlrSource

SHARED = Path(__file__).resolve().parents[3] / "shared"

CONFIG = "shortname: CoTL\nyear: '2030'\nvolume: 901\nbooktitle: Tile Laying\npublished: 2031-01-12\n"


def post(name: str, volume: str = "901", **fields: str) -> str:
    lines = [f"title: Title of {name}", f"id: {name}", f"volume: '{volume}'"]
    lines += [f"{field.replace('_', '-')}: {value}" for field, value in fields.items()]
    return "\n".join(["---", *lines, "---", ""])


def tar_gz(path: Path, members: dict[str, str | bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def read(target: Path) -> list[Record | Fault]:
    source = PmlrSource()
    return [found for page in source.fetch(target) for found in source.parse(page)]


def parse(content: str | bytes, **context: str) -> Record | Fault:
    data = content.encode() if isinstance(content, str) else content
    (found,) = PmlrSource().parse(Page(data, "post.md", context=tuple(context.items())))
    return found


def record(content: str, **context: str) -> Record:
    found = parse(content, **context)
    assert isinstance(found, Record), found
    return found


MEMBERS = {
    "v901/_config.yml": CONFIG,
    "v901/_posts/2031-01-12-bee31a.md": post("bee31a"),
    "v901/_posts/2031-01-12-dee31a.md": post("dee31a"),
    "v901/README.md": "# no post",
    "v901/assets/bee31a/bee31a.pdf": b"%PDF",
}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_config_serves_every_post_when_members_come_in_any_order(tmp_path: Path, order: tuple[int, ...]) -> None:
    names = list(MEMBERS)
    members = {names[n]: MEMBERS[names[n]] for n in (*order, 3, 4)}
    found = read(tar_gz(tmp_path / "v901.tar.gz", members))
    assert {one.key for one in found if isinstance(one, Record)} == {"v901/bee31a", "v901/dee31a"}
    assert [(one.venue.short, one.venue.year) for one in found if isinstance(one, Record) and one.venue] == [
        ("CoTL", 2030),
        ("CoTL", 2030),
    ]


def test_volumes_keep_apart_when_one_archive_holds_several(tmp_path: Path) -> None:
    members = {
        "all/v902/_posts/2031-07-01-fox31a.md": post("fox31a", "902"),
        "all/v901/_posts/2031-01-12-bee31a.md": post("bee31a"),
        "all/v901/_config.yml": CONFIG,
        "all/v902/_config.yml": "shortname: ICML\nyear: '2031'\nvolume: '902'\n",
    }
    found = read(tar_gz(tmp_path / "all.tgz", members))
    assert {(one.key, one.venue) for one in found if isinstance(one, Record)} == {
        ("v901/bee31a", Venue("Tile Laying", "CoTL", 2030, "901")),
        ("v902/fox31a", Venue("", "ICML", 2031, "902")),
    }


def test_folder_of_archives_folders_and_a_zip_is_read(tmp_path: Path) -> None:
    tar_gz(tmp_path / "v901.tar.gz", MEMBERS)
    posts = tmp_path / "v902" / "_posts"
    posts.mkdir(parents=True)
    (posts / "2031-07-01-fox31a.md").write_text(post("fox31a", "902"))
    (posts.parent / "_config.yml").write_text("year: '2031'\n")
    with zipfile.ZipFile(tmp_path / "v903.zip", "w") as archive:
        archive.writestr("v903/_posts/2031-08-01-hay31a.md", post("hay31a", "903"))
    years = {one.key: one.venue.year for one in read(tmp_path) if isinstance(one, Record) and one.venue}
    assert years == {"v901/bee31a": 2030, "v901/dee31a": 2030, "v902/fox31a": 2031, "v903/hay31a": None}


@pytest.mark.parametrize("target", ["v901/_posts/2031-01-12-bee31a.md", "v901/_posts", "v901", "."])
def test_config_beside_is_found_when_part_of_a_volume_is_named(tmp_path: Path, target: str) -> None:
    posts = tmp_path / "v901" / "_posts"
    posts.mkdir(parents=True)
    (posts.parent / "_config.yml").write_text(CONFIG)
    (posts / "2031-01-12-bee31a.md").write_text(post("bee31a"))
    (found,) = read(tmp_path / target)
    assert isinstance(found, Record)
    assert found.venue == Venue("Tile Laying", "CoTL", 2030, "901")


def test_config_of_another_volume_is_not_believed() -> None:
    found = record(post("bee31a", "900"), shortname="CoTL", year="2030", volume="901")
    assert found.venue == Venue(volume="900")


def fetch_until_error(target: Path) -> tuple[list[Page], SourceError]:
    pages: list[Page] = []
    with pytest.raises(SourceError) as raised:
        pages.extend(PmlrSource().fetch(target))
    return pages, raised.value


def test_posts_are_read_without_a_config_that_is_broken_and_it_is_told(tmp_path: Path) -> None:
    target = tar_gz(tmp_path / "v901.tar.gz", {**MEMBERS, "v901/_config.yml": "a: [b\n"})
    pages, error = fetch_until_error(target)
    assert [page.context for page in pages] == [(("file_id", "bee31a"),), (("file_id", "dee31a"),)]
    assert isinstance(error, FormatError)
    assert "_config.yml can't be read: not YAML" in str(error)


def test_all_complete_posts_come_before_the_error_when_an_archive_is_cut(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        f"v901/_posts/2031-01-12-bee{n}.md": post(f"bee{n}", abstract="x" * 4000) for n in range(50)
    }
    whole = tar_gz(tmp_path / "v901.tar.gz", members).read_bytes()
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(whole[: len(whole) // 2])
    pages, error = fetch_until_error(cut)
    assert isinstance(error, TruncatedFileError)
    assert 0 < len(pages) < 50


@pytest.mark.parametrize("members", [{"v901/_config.yml": CONFIG}, {"v901/notes.md": "# Notes"}])
def test_archive_without_posts_is_refused(tmp_path: Path, members: dict[str, str | bytes]) -> None:
    with pytest.raises(FormatError, match="holds no post"):
        read(tar_gz(tmp_path / "v901.tar.gz", members))


def test_empty_file_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "v901.tar.gz"
    target.write_bytes(b"")
    with pytest.raises(EmptyFileError):
        read(target)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no front matter"),
        (b"title: Tiles\n", "no front matter"),
        (b"---\ntitle: Tiles\n", "front matter without an end"),
        (b"---\ntitle: a: b\n---\n", "not YAML"),
        (b"---\n- one\n---\n", "not a mapping"),
        (b"---\ntitle: \xff\n---\n", "not UTF-8"),
        (b"---\nid: bee31a\nvolume: 901\n---\n", "no title"),
        (b"---\nid: bee31a\nvolume: 901\ntitle: null\n---\n", "no title"),
        (b"---\nid: bee31a\nvolume: 901\ntitle: [a]\n---\n", "title is not text"),
        (b"---\nid: bee31a\ntitle: Tiles\n---\n", "no volume"),
        (b"---\nvolume: 901\ntitle: Tiles\n---\n", "no id"),
        (b"---\nid: a\nvolume: 901\ntitle: Tiles\nauthor: Ann Bee\n---\n", "author is not a list"),
        (b"---\nid: a\nvolume: 901\ntitle: Tiles\nauthor: [Ann Bee]\n---\n", "author holds what is not a name"),
        (b"---\nid: a\nvolume: 901\ntitle: T\nabstract: " + b"x" * 200_001 + b"\n---\n", "abstract is longer than 200,000 characters"),
        (b"---\n" + b"[" * 5_000 + b"\n---\n", "not YAML"),
    ],
)  # fmt: skip
def test_bad_post_costs_itself(content: bytes, reason: str) -> None:
    found = parse(content)
    assert isinstance(found, Fault)
    assert (found.place, found.reason) == ("post.md", reason)


def test_fault_names_the_post_by_its_file_when_nothing_in_it_can_be_read(tmp_path: Path) -> None:
    (found,) = read(tar_gz(tmp_path / "v.tar.gz", {"v901/_posts/2031-01-12-bee31a.md": ""}))
    assert found == Fault("v.tar.gz: v901/_posts/2031-01-12-bee31a.md", "no front matter", "bee31a")


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("title", "1984", "1984"),
        ("title", "Yes", "Yes"),
        ("title", "0o17", "0o17"),
        ("title", "2031-01-12", "2031-01-12"),
        ("title", "'Tiles: a Study'", "Tiles: a Study"),
        ("title", "Tiles that\n  fold over", "Tiles that fold over"),
        ("title", "' Outer blanks '", "Outer blanks"),
    ],
)
def test_scalar_stays_as_written(field: str, value: str, expected: str) -> None:
    found = record(f"---\nid: 12e3\nvolume: '048'\n{field}: {value}\n---\n")
    assert found.title.raw == expected
    assert found.key == "v048/12e3"


@pytest.mark.parametrize(
    ("fields", "pages"),
    [
        ("firstpage: 1\nlastpage: 15\npage: 1-15", "1-15"),
        ("firstpage: 7\nlastpage: 7", "7"),
        ("page: i-ix", "i-ix"),
        ("issn: 0000-0000", ""),
    ],
)
def test_pages_are_taken_from_the_first_and_last(fields: str, pages: str) -> None:
    found = record(f"---\ntitle: Tiles\nid: a\nvolume: 901\n{fields}\n---\n")
    assert found.venue is not None
    assert found.venue.pages == pages


@pytest.mark.parametrize(
    ("section", "award", "track"),
    [("Oral", "oral", ""), ("Poster", "poster", ""), ("Open Problems", "", "Open Problems"), ("''", "", "")],
)
def test_section_is_an_award_or_a_track(section: str, award: str, track: str) -> None:
    found = record(post("bee31a", section=section))
    assert found.venue is not None
    assert (found.award, found.venue.track) == (award, track)


def test_year_of_the_edition_is_not_that_of_printing() -> None:
    found = record(post("bee31a", date="2031-01-12"), year="2030")
    assert found.venue is not None
    assert (found.venue.year, found.published_on) == (2030, "2031-01-12")
    alone = record(post("bee31a", date="2031-01-12"))
    assert alone.venue is not None
    assert alone.venue.year is None


@pytest.mark.parametrize("name", ["a/b", "Ünïcode", "with space", "x" * 300])
def test_odd_id_makes_a_key_and_no_other_papers_identifier(name: str) -> None:
    found = record(post(name))
    assert found.key == f"v901/{name}"
    assert all(identifier.scheme == "pmlr" for identifier in found.identifiers)


def test_aliases_cannot_blow_a_post_up() -> None:
    names = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 12))
    found = record(f"---\ntitle: Tiles\nid: a\nvolume: 901\nl0: &l0 [x]\n{names}---\n")
    assert found.title.raw == "Tiles"


@given(st.binary(max_size=300))
def test_any_bytes_are_a_record_or_a_fault(content: bytes) -> None:
    for data in (content, b"---\n" + content + b"\n---\n", b"---\ntitle: T\nid: a\nvolume: 1\n" + content + b"\n---\n"):
        assert isinstance(parse(data), Record | Fault)


@pytest.mark.real
@pytest.mark.skipif(not (SHARED / "data/pmlr").is_dir(), reason="the real data is not here")
def test_real_volumes_are_read_whole() -> None:
    found = read(SHARED / "data/pmlr")
    records = [one for one in found if isinstance(one, Record)]
    assert (len(found), len(records), len({one.key for one in records})) == (2338, 2338, 2338)
    assert sum(one.abstract is not None for one in records) == 2335
    assert sum(any(name.scheme == "openreview" for name in one.identifiers) for one in records) == 727
    assert [one.key for one in records if not one.authors] == ["v291/lastname25a"]
    venues = {(one.venue.volume, one.venue.short, one.venue.year) for one in records if one.venue}
    assert venues == {
        ("37", "ICML", 2015), ("48", "ICML", 2016), ("195", "COLT", 2023), ("206", "AISTATS", 2023), ("244", "UAI", 2024),
        ("247", "COLT", 2024), ("270", "CoRL", 2024), ("291", "COLT", 2025), ("305", "CoRL", 2025),
    }  # fmt: skip
    by_key = {one.key: one for one in records}
    names = {author.name for author in by_key["v48/oord16"].authors}
    assert "Aäron van den Oord" in names
    assert "Hal Daumé III" in {author.name for author in by_key["v48/he16"].authors}


@pytest.mark.real
@pytest.mark.skipif(not (SHARED / "data/samples/pmlr-v267-posts").is_dir(), reason="the real data is not here")
def test_real_posts_without_a_config_are_read() -> None:
    found = {one.key: one for one in read(SHARED / "data/samples/pmlr-v267-posts") if isinstance(one, Record)}
    assert set(found) == {"v267/guan25b", "v267/lee25l", "v267/seth25a", "v267/thudi25a"}
    seth = found["v267/seth25a"]
    assert [str(name) for name in seth.identifiers] == ["pmlr:v267/seth25a", "openreview:zLHn677EMS"]
    assert dict(seth.links)["code"] == "https://github.com/RolnickLab/Alberta_Wells_Dataset"
