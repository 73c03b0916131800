"""From a list to a folder: the papers, the plan, the pages in several processes, the index, the swap."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import version
from multiprocessing import get_context, parent_process
from pathlib import Path

from octavo.app import Octavo
from octavo.app.publishing import KINDS
from octavo.errors import OctavoError, UsageError
from octavo.export.feeds import Feed, feed
from octavo.records.paper import Paper
from octavo.views import brief
from octavo.views_publishing import ListView, PublishedView
from octavo.web.asked import MOST_LISTED
from octavo.web.language import CODES, language
from octavo.web.publish import finding
from octavo.web.publish.folder import check, mark, new_site
from octavo.web.publish.plan import Plan, Publication, make_plan
from octavo.web.publish.writing import FINDER, ICON, SCRIPT, STYLES, Setup, Task, Writer, Written
from octavo.web.render import STATIC, to_json
from octavo.web.safety import safe_address

Progress = Callable[[str, int, int], None]

_FEW = 300
"""Papers that are written without other processes, which take a second to start."""
_CHUNK = 50
"""Papers, or names, of one task."""
_PAGES = 8
"""Pages of a list of one task."""
_WRITER: list[Writer] = []
"""The writer of a process that helps."""


def publish(
    octavo: Octavo,
    folder: Path,
    wanted: Publication,
    *,
    search: bool = True,
    processes: int | None = None,
    progress: Progress = lambda *_: None,
) -> PublishedView:
    """Write a list of papers as a site into `folder`, which is replaced whole.

    Args:
        octavo: Whose catalogue it is.
        folder: Where to; it must not be there, be empty, or be a site that this wrote.
        wanted: Which list, and how.
        search: Whether the site is to be searchable, as far as Pagefind is installed.
        processes: How many write; else as many as the machine has processors, for a long list.
        progress: Told of the work.

    Raises:
        UsageError: the list or the folder can't be.
        NotFound: no paper is on the list.
        BusyError: another process writes that folder.
        OctavoError: a file could not be written, or Pagefind failed.
    """
    _check(wanted)
    check(folder.expanduser().resolve())
    found = octavo.listed(wanted.kind, wanted.value, most=wanted.most, progress=progress)
    plan = make_plan(found, wanted.title or found.name, octavo.topics_of_list(found.papers))
    has_search = search and finding.is_possible()
    notes = [] if has_search or not search else [f"Without search: Pagefind is not installed. {finding.HOW}"]
    try:
        with new_site(folder) as out:
            setup = Setup(plan, out, wanted.languages, version("octavo"), has_search, wanted.with_notes)
            done = _write(octavo, setup, _n_processes(len(plan.ids), processes), progress)
            _write_lists(octavo, out, found, plan, wanted)
            _copy_static(out)
            if has_search:
                progress("index", len(plan.ids), len(plan.ids))
                finding.index(out)
            mark(out)
            n_files, n_bytes = _size(out)
    except OSError as error:
        raise OctavoError(f"The site can't be written: {error.strerror or error}.") from error
    pages = sum(one.pages for one in done)
    title = plan.title or language(wanted.languages[0]).say("Papers")
    return PublishedView(
        str(folder),
        title,
        len(plan.ids),
        pages,
        n_files,
        n_bytes,
        wanted.languages,
        has_search,
        found.gone,
        tuple(notes),
    )


def _check(wanted: Publication) -> None:
    """Refuse what can't be written.

    Raises:
        UsageError: no such list or language, or an address that is none.
    """
    if wanted.kind not in KINDS:
        raise UsageError(f"There is no kind of list {wanted.kind[:40]!r}.", hint=f"Known are {', '.join(KINDS)}.")
    if wanted.kind in ("venue", "query", "tag") and not wanted.value.strip():
        raise UsageError(f"The {wanted.kind} is empty.", hint='Say which: octavo publish DIR --venue "ICML 2025".')
    if not wanted.languages or any(code not in CODES for code in wanted.languages):
        raise UsageError("There is no such language.", hint=f"Known are {', '.join(CODES)}.")
    if wanted.address and not safe_address(wanted.address):
        raise UsageError(f"{wanted.address[:80]!r} is no address of the web.", hint="It begins with https://.")


def _n_processes(n_papers: int, asked: int | None) -> int:
    if asked is not None:
        return max(1, asked)
    return (
        1
        if n_papers < _FEW
        else min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    )


def _tasks(plan: Plan) -> Iterator[Task]:
    """All pages, those that take long first."""
    n_papers = len(plan.ids)
    yield Task("frame")
    yield from (Task("papers", at, min(n_papers, at + _CHUNK)) for at in range(0, n_papers, _CHUNK))
    for number, part in enumerate(plan.parts):
        last = part.paging(1).last_page
        yield from (Task("part", at, min(last + 1, at + _PAGES), number) for at in range(1, last + 1, _PAGES))
    n_people = len(plan.people)
    yield from (Task("people", at, min(n_people, at + 20 * _CHUNK)) for at in range(0, n_people, 20 * _CHUNK))
    yield from (Task("letter", number, number + 1) for number in range(len(plan.letters)))


def _write(octavo: Octavo, setup: Setup, processes: int, progress: Progress) -> list[Written]:
    """Write all pages."""
    done, n_papers = [], 0
    for written in _each(octavo, setup, list(_tasks(setup.plan)), processes):
        done.append(written)
        n_papers += written.papers
        progress("papers", n_papers, len(setup.plan.ids))
    return done


def _each(octavo: Octavo, setup: Setup, tasks: Sequence[Task], processes: int) -> Iterator[Written]:
    if processes == 1:
        yield from map(Writer(octavo, setup).do, tasks)
        return
    # Spawned: a fork would share the open catalogue.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_begin, initargs=(octavo.home, setup))
    try:
        yield from (one.result() for one in as_completed([pool.submit(_do, task) for task in tasks]))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(home: Path, setup: Setup) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asked is told, and ends this one
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _WRITER.append(Writer(Octavo(home), setup))


def _end_with_parent() -> None:
    """Where the process that asked is killed nobody takes what this one writes, and the next run wants the folder."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _do(task: Task) -> Written:
    return _WRITER[0].do(task)


def _write_lists(octavo: Octavo, out: Path, found: ListView, plan: Plan, wanted: Publication) -> None:
    """The list for programs: JSON, BibTeX and feeds."""
    title = plan.title or language(wanted.languages[0]).say("Papers")
    data = {"title": title, "total": len(found.papers), "papers": [brief(paper) for paper in found.papers]}
    (out / "index.json").write_bytes(to_json(data))
    with (out / "index.bib").open("w", encoding="utf-8", errors="replace") as file:
        file.writelines(octavo.export("bibtex", names=plan.ids))
    for form in ("atom", "rss"):
        (out / f"index.{form}").write_bytes(_feed(form, title, found.papers, wanted))


def _feed(form: str, title: str, papers: Sequence[Paper], wanted: Publication) -> bytes:
    base = wanted.address.rstrip("/") or "."
    about = Feed(title, f"{base}/index.html", f"{base}/index.{form}", base, wanted.languages[0])
    text = feed(form, about, papers[:MOST_LISTED])
    for paper in papers[:MOST_LISTED]:
        text = text.replace(f"/paper/{paper.id}", f"/paper/{paper.id}.html", 1)
    return text.encode("utf-8", "replace")


def _copy_static(out: Path) -> None:
    (out / "static").mkdir(exist_ok=True)
    for name in (*STYLES, SCRIPT, FINDER, ICON):
        shutil.copyfile(STATIC / name, out / "static" / name)
    # GitHub's pages would go through each file with Jekyll.
    (out / ".nojekyll").touch()


def _size(out: Path) -> tuple[int, int]:
    sizes = [path.stat().st_size for path in out.rglob("*") if path.is_file() and path.name != ".lock"]
    return len(sizes), sum(sizes)
