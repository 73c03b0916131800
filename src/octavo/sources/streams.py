"""Files, folders and archives as members, and members as pages: the one place where sources read from disk.

    target -> open_members -> Member (name, unpacked bytes) -> line_pages | array_pages | whole_page -> Page

A file is what its first bytes say, whatever its name says. It may be plain, gzip, bzip2 or xz, a tar of any
of these, or a zip. A fault ends the reading with an error that says what, where and what to do; everything
complete before it is given out first. (`array_pages` is in `octavo.sources.arrays`.)
"""

from __future__ import annotations

import os
import stat
from codecs import getincrementaldecoder
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from octavo.errors import (
    EmptyFileError,
    EncodingError,
    FormatError,
    LimitError,
    MissingFileError,
    SourceError,
    TruncatedFileError,
)
from octavo.sources.archives import is_tar, is_zip, tar_entries, zip_entries
from octavo.sources.base import Page
from octavo.sources.packed import CHUNK, Meter, Stream, open_stream, unpacked

PAGE_BYTES = 1024 * 1024
"""What a page of lines holds, about."""
MAX_ENTRY = 16 * 1024 * 1024
"""Bytes of one line or of one entry of an array."""
MAX_WHOLE = 4 * 1024 * 1024
"""Bytes of a member that is one page."""
WRONG_SOURCE = "Is it another source's? `octavo add --help` lists them."
"""The hint where a file is not what its source reads."""
_FEW_ZEROS = 100
"""Where there is at most one zero in so many characters, it is text."""
_ANY_ZEROS = 4
"""So many are none, however short the text is."""
_HEAD = 512
_UTF8_BOM = b"\xef\xbb\xbf"

Context = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Member:
    """One file: named by the reader, or found in a folder or an archive."""

    name: str
    """Its path in the folder or archive, `/` between the parts; the file's own name where it stands alone.
    Only ever shown and compared: it may hold anything, `../x` too."""
    place: str
    """For faults: `mlanthology.tar: icml-2025.json.gz`, or the file's name where it stands alone."""
    stream: Stream
    """Its bytes, unpacked."""
    done: Callable[[], int]
    """Bytes read of the whole target so far, packed as it is; of `size_of(target)`."""


# Targets


def size_of(target: Path) -> int:
    """Bytes of a file, or of all the files below a folder that would be read; 0 where it can't be told."""
    try:
        return sum(path.stat().st_size for path in _files_below(target)) if target.is_dir() else target.stat().st_size
    except OSError:
        return 0


def folder_name(folder: Path) -> str:
    """The name of a folder, also of `.` and `/`."""
    return folder.name or folder.resolve().name or str(folder)


@contextmanager
def open_members(
    target: Path, wanted: Callable[[str], bool] | None = None, *, folder: bool = True, kind: str = "file"
) -> Iterator[Iterator[Member]]:
    """The members of a file, an archive or a folder, in order; each is good until the next is asked for.

    A context, since whoever stops half-way (at a fault, or once it knows) must not leave the file open.
    `wanted` chooses by name in folders and archives; a file that the reader named is always wanted.
    `folder=False` refuses a folder. `kind` says in errors what was looked for: `.json file`.

    Raises:
        SourceError: as the members are asked for, of the kind that fits. A member that is damaged inside raises
            from its own stream.
    """
    with closing(_members(target, wanted, folder=folder, kind=kind)) as members:
        yield members


def _members(
    target: Path, wanted: Callable[[str], bool] | None, *, folder: bool, kind: str
) -> Generator[Member, None, None]:
    if not target.is_dir():
        yield from _members_of_file(target, target.name, wanted, kind, before=0)
        return
    if not folder:
        raise FormatError(f"{_shown(target.name)} is a folder.", hint="Name a file in it.")
    found = False
    before = 0
    for path in _files_below(target):
        name = path.relative_to(target).as_posix()
        size = path.stat().st_size
        if size and (wanted is None or wanted(name)):
            found = True
            place = f"{folder_name(target)}: {name}"
            try:
                yield from _members_of_file(path, place, wanted, kind, before=before, name=name)
            except SourceError as fault:
                # One file of a folder must not cost the others: its fault waits until it is read.
                yield Member(_shown(name), _shown(place), Stream(_failing(fault)), partial(int, before))
        before += size
    if not found:
        raise FormatError(f"{_shown(folder_name(target))} holds no {kind}.", hint="Name the folder or file that does.")


def fetch_pages(
    target: Path,
    split: Callable[[Member], Iterator[Page]],
    wanted: Callable[[str], bool] | None = None,
    *,
    folder: bool = True,
    kind: str = "file",
) -> Iterator[Page]:
    """Yield the pages that `split` makes of each member. A damaged member costs only what is damaged of it:
    the others are read, and its error is raised at the end.

    Raises:
        SourceError: the first that any member raised, or what `open_members` raises.
    """
    first: SourceError | None = None
    with open_members(target, wanted, folder=folder, kind=kind) as members:
        for member in members:
            try:
                yield from split(member)
            except LimitError:
                raise
            except SourceError as fault:
                first = first or fault
    if first is not None:
        raise first


def _failing(fault: SourceError) -> Iterator[bytes]:
    yield from ()
    raise fault


def _files_below(folder: Path) -> Iterator[Path]:
    """Regular files below a folder, sorted; hidden ones are passed over and links to folders are not
    followed."""
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(base, name)
            if not name.startswith(".") and path.is_file():
                yield path


def _members_of_file(
    path: Path, place: str, wanted: Callable[[str], bool] | None, kind: str, *, before: int, name: str = ""
) -> Iterator[Member]:
    place = _shown(place)
    with _opened(path, place) as file:

        def done() -> int:
            return before + file.tell()

        raw = open_stream(file, place)
        if is_zip(raw.peek(4)):
            entries = zip_entries(file, place, Meter(place, file.tell))
        else:
            stream = unpacked(raw, place, Meter(place, file.tell))
            if not is_tar(stream.peek(_HEAD)):
                yield Member(_shown(name or path.name), place, stream, done)
                return
            entries = tar_entries(stream, place)
        meter = Meter(place, file.tell)
        empty, found = True, False
        for entry in entries:
            empty = False
            if wanted is None or wanted(entry.name):
                found = True
                entry_place = f"{place}: {_shown(_last_parts(entry.name))}"
                yield Member(_shown(entry.name), entry_place, unpacked(entry.stream, entry_place, meter), done)
    if empty:
        raise EmptyFileError(f"{place} is an archive with nothing in it.", hint="Get the file again.")
    if not found:
        raise FormatError(f"{place} holds no {kind}.", hint=WRONG_SOURCE)


@contextmanager
def _opened(path: Path, place: str) -> Iterator[IO[bytes]]:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise FormatError(f"{place} is neither a file nor a folder.", hint="Name a file.")
        if not found.st_size:
            raise EmptyFileError(f"{place} is empty.", hint="Get the file again.")
        file = path.open("rb")
    except FileNotFoundError as fault:
        raise MissingFileError(f"There is no file {_shown(str(path))}.", hint="Check the path.") from fault
    except PermissionError as fault:
        raise MissingFileError(f"{_shown(str(path))} may not be read.", hint="Change its permissions.") from fault
    except (OSError, ValueError) as fault:
        raise MissingFileError(f"{_shown(str(path))} can't be opened: {fault}.", hint="Check the path.") from fault
    with file:
        yield file


def _last_parts(name: str) -> str:
    """The end of a name in an archive; the folders above it say nothing."""
    return "/".join(name.split("/")[-2:]) if len(name) > 60 else name


def _shown(name: str) -> str:
    """A name that is safe to show and to store: one line, whatever bytes the disk or an archive has in it."""
    return "".join(char if char.isprintable() else "?" for char in name)


# Pages


def line_pages(member: Member, *, context: Context = ()) -> Iterator[Page]:
    """Yield the lines of a JSON-lines member in pages of about PAGE_BYTES, each of whole lines.

    Lines that are not UTF-8 or no JSON are left to `parse`, which counts them as faults.

    Raises:
        EmptyFileError: nothing but blanks.
        EncodingError: UTF-16 or UTF-32.
        FormatError: it does not begin with `{`.
        LimitError: a line longer than MAX_ENTRY.
        TruncatedFileError, CompressionError: after the pages of all complete lines.
    """
    check_encoding(member)
    _check_begins(member, b"{", "JSON lines (one object a line)")
    line = 1
    held = bytearray()
    fault: SourceError | None = None
    more = True
    while more:
        try:
            chunk = member.stream.read()
        except SourceError as raised:
            fault, chunk = raised, b""
        more = bool(chunk)
        held += chunk
        if more and len(held) < PAGE_BYTES:
            continue
        cut = held.rfind(b"\n") + 1
        if not more and fault is None and held[cut:].strip():
            # The last line needs no line end; but one without its bracket is what a cut leaves.
            fault = None if held.rstrip().endswith(b"}") else _cut_line(member, line + held.count(b"\n"))
            cut = cut if fault else len(held)
        if cut:
            content = bytes(held[:cut])
            yield Page(content=content, place=member.place, line=line, done=member.done(), context=context)
            line += content.count(b"\n")
            del held[:cut]
        elif len(held) > MAX_ENTRY:
            raise LimitError(
                f"{member.place}, line {line} is longer than {MAX_ENTRY >> 20} MB; reading stopped.",
                hint="Is it JSON lines?",
            )
    if fault is not None:
        raise fault


def _cut_line(member: Member, line: int) -> TruncatedFileError:
    return TruncatedFileError(f"{member.place} ends too early: line {line} breaks off.", hint="Get the file again.")


def whole_page(member: Member, *, context: Context = (), limit: int = MAX_WHOLE) -> Page:
    """The member as one page.

    Raises:
        EmptyFileError: nothing in it.
        LimitError: longer than `limit`.
        TruncatedFileError, CompressionError: as its stream says.
    """
    parts: list[bytes] = []
    size = 0
    while chunk := member.stream.read():
        parts.append(chunk)
        size += len(chunk)
        if size > limit:
            raise LimitError(f"{member.place} is larger than {limit >> 20} MB.", hint="Is it the right file?")
    if not size:
        raise EmptyFileError(f"{member.place} is empty.", hint="Get the file again.")
    content = b"".join(parts).removeprefix(_UTF8_BOM)
    return Page(content=content, place=member.place, done=member.done(), context=context)


# Encodings


def check_encoding(member: Member) -> None:
    """Take a UTF-8 mark off the start of a member, and refuse what is plainly of another encoding.

    Raises:
        EncodingError: UTF-16 or UTF-32, by its mark or by its zeros.
    """
    head = member.stream.peek(4)
    if head.startswith(_UTF8_BOM):
        member.stream.read_exactly(len(_UTF8_BOM))
    elif is_wide(head):
        raise EncodingError(f"{member.place} is UTF-16 or UTF-32, from byte 0 on.", hint="Save it as UTF-8.")


def is_wide(head: bytes) -> bool:
    """Tell by its first four bytes, its mark or its zeros, whether a file is UTF-16 or UTF-32."""
    zeros = tuple(byte == 0 for byte in head[:4])
    return head.startswith((b"\xff\xfe", b"\xfe\xff")) or zeros in _WIDE


_WIDE = frozenset(
    (
        (False, True), (True, False), (False, True, False, True), (True, False, True, False),
        (False, True, True, True), (True, True, True, False),
    )
)  # fmt: skip


def shown_start(head: bytes) -> str:
    """How a file begins, for a message: its first letters, or that it has none.

    >>> shown_start(b"<html><body>\\n"), shown_start(b"k\\xbe\\x87")
    ('“<html><body>”', 'bytes that are no text')
    """
    text = head[:24].decode("utf-8", "ignore" if is_text(head) else "replace")
    shown = " ".join(text.split())[:20]
    return f"“{shown}”" if is_text(head) and shown.isprintable() else "bytes that are no text"


def is_text(head: bytes) -> bool:
    """Tell whether the first bytes of a file are UTF-8 text; its last letter may be cut."""
    try:
        text = getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return has_few_zeros(text.count("\0"), len(text))


def has_few_zeros(zeros: int, length: int) -> bool:
    """Tell whether zeros are so few that they may have been pasted into a text; a file of another kind has many."""
    return zeros <= max(length // _FEW_ZEROS, _ANY_ZEROS)


def decode(content: bytes, place: str) -> str:
    """`content` as text.

    Raises:
        EncodingError: not UTF-8; says at which byte and in which line.
    """
    try:
        return content.decode()
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise EncodingError(
            f"{place} is not UTF-8: byte {fault.start} (line {line}) is 0x{content[fault.start]:02x}.",
            hint="Save it as UTF-8.",
        ) from fault


def _check_begins(member: Member, mark: bytes, form: str) -> None:
    """The first byte that is no blank tells a wrong file before a million lines are each called broken."""
    head = member.stream.peek(_HEAD).lstrip()
    while not head and member.stream.peek(CHUNK):
        member.stream.read()  # Nothing but blanks so far.
        head = member.stream.peek(_HEAD).lstrip()
    if not head:
        member.stream.read()  # Raises what ended it, if that was a fault.
        raise EmptyFileError(f"{member.place} is empty.", hint="Get the file again.")
    if not head.startswith(mark):
        raise FormatError(
            f"{member.place} is not {form}: it begins with {shown_start(head)}.",
            hint=WRONG_SOURCE,
        )
