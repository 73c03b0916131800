"""Pages under many readers at once, and beside a server that goes through the whole database for each page.

    python benchmarks/pages.py HOME [--readers 20] [--seconds 20] [--pause 0]
    python benchmarks/pages.py HOME --iteration

The first starts `octavo serve` on the catalogue in HOME and lets so many readers, each with a connection of its
own, ask for one page after the other, without a pause unless one is given: first lists and venues, then papers,
then searches that nobody asked before (two to four words of titles), then some of the same again and again. It tells
median and 95th percentile of what readers wait, pages a second, and the server's memory. The readers are threads of
this process and take a part of the machine for themselves.

The second tells what a page costs in the way of arxiv-sanity-lite, which keeps each paper as a packed pickle in a
table of SQLite and goes through all of them for each page: a list sorts all of them by date, a search counts the
words in each title, abstract and list of authors, papers like another are found with a linear SVM that is fitted to
the words of all (scikit-learn; 10,000 features of one and two words). It is written anew here, after what that
program does, without its web server; to its credit, the file is warm and nothing is rendered.
"""

from __future__ import annotations

import argparse
import http.client
import json
import pickle
import random
import re
import sqlite3
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from urllib.parse import quote

from octavo.config import catalogue_path

KEPT = 60
"""Searches that are asked again."""
RARE = 3
"""Repetitions of what takes seconds."""


def main() -> None:
    """Run one of the two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("--readers", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pause", type=float, default=0, help="seconds that a reader reads, on average")
    parser.add_argument("--iteration", action="store_true")
    arguments = parser.parse_args()
    if arguments.iteration:
        iterate(arguments.home)
    else:
        serve(arguments.home, arguments.readers, arguments.seconds, arguments.pause)


@contextmanager
def reading(home: Path) -> Iterator[sqlite3.Connection]:
    """The catalogue's file, only to be read."""
    with closing(sqlite3.connect(f"{catalogue_path(home).resolve().as_uri()}?mode=ro", uri=True)) as connection:
        yield connection


# Octavo's pages


def serve(home: Path, n_readers: int, seconds: float, pause: float) -> None:
    """Start the server and let readers ask."""
    lists, papers, searches = addresses(home)
    started = perf_counter()
    command = [sys.executable, "-m", "octavo", "--home", str(home), "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            port = port_of(server)
            print(f"answers after {perf_counter() - started:.2f} s; {n_readers} readers, pause {pause:g} s")
            ask(port, ["/", "/search?q=graph"], 1, 3, 0)  # the models are loaded
            sleep(5)
            asked: list[str] = []
            for name, kind in (("lists and venues", lists), ("papers", papers), ("new searches", searches)):
                times, asked = ask(port, kind, n_readers, seconds, pause)
                print(f"  {name}: {told(times, seconds)}; {memory(server.pid)}", flush=True)
            times, _ = ask(port, asked[:KEPT], n_readers, seconds, pause)
            print(f"  searches again: {told(times, seconds)}; {memory(server.pid)}")
        finally:
            server.terminate()


def port_of(server: subprocess.Popen[str]) -> int:
    """The port that the server says it answers on."""
    assert server.stdout
    for line in server.stdout:
        if found := re.search(r"http://[^/\s]+:(\d+)/", line):
            return int(found[1])
    sys.exit("the server did not start")


def addresses(home: Path) -> tuple[list[str], list[str], list[str]]:
    """Lists, papers and searches to ask for, in an order drawn by chance."""
    rng = random.Random(3)
    with reading(home) as connection:
        venues = connection.execute(
            "SELECT venue FROM papers WHERE venue GLOB '[A-Za-z]* [12][0-9][0-9][0-9]' AND venue NOT LIKE '% % %'"
            " GROUP BY venue ORDER BY count(*) DESC LIMIT 40"
        ).fetchall()
        papers = connection.execute("SELECT id, title FROM papers WHERE pk % 41 = 0 LIMIT 6000").fetchall()
    lists = ["/", "/venues", "/topics", "/glossary"]
    lists += [f"/venue/{venue.lower().replace(' ', '/')}" for (venue,) in venues]
    searches = []
    for _, title in papers:
        words = [word for word in title.split() if len(word) > 3 and word.isalpha()]
        if len(words) >= 4:
            searches.append("/search?q=" + quote(" ".join(rng.sample(words, rng.randrange(2, 5)))))
    shown = [f"/paper/{name}" for name, _ in papers]
    for kind in (lists, shown, searches):
        rng.shuffle(kind)
    return lists, shown, searches


def ask(port: int, paths: Sequence[str], n_readers: int, seconds: float, pause: float) -> tuple[list[float], list[str]]:
    """What readers waited for each page, and what they asked for; paths are asked in turn, from the first again."""
    until, lock = perf_counter() + seconds, threading.Lock()
    turn = iter(range(1_000_000_000))
    times: list[float] = []
    asked: list[str] = []
    faults: list[str] = []

    def read(number: int) -> None:
        rng = random.Random(number)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while perf_counter() < until:
            with lock:
                path = paths[next(turn) % len(paths)]
            if pause:
                sleep(rng.expovariate(1 / pause))
            if pause:  # the server ends a connection that nobody uses
                connection.close()
            started = perf_counter()
            connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
            response = connection.getresponse()
            response.read()
            with lock:
                times.append(perf_counter() - started)
                asked.append(path)
                if response.status != 200:
                    faults.append(f"{response.status} {path}")

    readers = [threading.Thread(target=read, args=(number,)) for number in range(n_readers)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    if faults:
        print(f"  {len(faults)} were not answered as asked, {faults[0]} the first")
    return times, list(dict.fromkeys(asked))


def told(times: Sequence[float], seconds: float) -> str:
    """Median, 95th percentile and number."""
    ordered = sorted(times)
    worst = ordered[int(len(ordered) * 0.95)]
    return f"median {median(ordered) * 1e3:.0f} ms, 95th {worst * 1e3:.0f} ms, {len(times) / seconds:.0f} pages/s"


def memory(pid: int) -> str:
    """Resident memory of a process and of its children (Linux only)."""
    if not Path("/proc/self/status").exists():
        return "memory can't be told here"
    children = Path(f"/proc/{pid}/task/{pid}/children")
    pids = [pid, *map(int, children.read_text().split() if children.exists() else ())]
    sums = {"VmRSS": 0, "RssAnon": 0}
    for one in pids:
        found = re.findall(r"^(VmRSS|RssAnon):\s+(\d+) kB", Path(f"/proc/{one}/status").read_text(), re.MULTILINE)
        for key, value in found:
            sums[key] += int(value)
    return f"{sums['VmRSS'] / 1024:.0f} MB resident, {sums['RssAnon'] / 1024:.0f} MB of it own"


# A server that goes through the whole database


def iterate(home: Path) -> None:
    """Print what pages cost that way."""
    with TemporaryDirectory(prefix="octavo-iteration-") as folder:
        store = sqlite3.connect(Path(folder, "papers.db"))
        n, sample = pack(home, store)
        print(f"{n:,} papers, {Path(folder, 'papers.db').stat().st_size / 1e6:,.0f} MB")
        shown(f"a list by date ({RARE} times)", lambda _: by_date(store), range(RARE))
        queries = [" ".join(re.findall(r"[a-z]{4,}", title.lower())[:3]) for title in sample[:RARE]]
        shown(f"a search ({RARE} queries)", lambda query: found_in(store, str(query)), queries)
        if find_spec("sklearn") is None:
            print("  papers like another: needs scikit-learn")
            return
        features = Path(folder, "features.p")
        started = perf_counter()
        make_features(store, features)
        print(f"  features of words made in {perf_counter() - started:.0f} s")
        shown("papers like another (once)", lambda _: like(features, n // 2), [0])


def shown(name: str, question: Callable[[object], object], asked: Sequence[object]) -> None:
    """Print the median time of a question."""
    times = []
    for one in asked:
        started = perf_counter()
        question(one)
        times.append(perf_counter() - started)
    print(f"  {name}: median {median(times) * 1e3:,.0f} ms", flush=True)


def pack(home: Path, store: sqlite3.Connection) -> tuple[int, list[str]]:
    """Put each paper as a packed pickle in one table and its date in another; gives their number and some titles."""
    store.execute("CREATE TABLE papers (key TEXT PRIMARY KEY, value BLOB)")
    store.execute("CREATE TABLE metas (key TEXT PRIMARY KEY, value BLOB)")
    titles = []
    n = 0
    with reading(home) as connection:
        for name, title, authors, abstract, year in connection.execute(
            "SELECT id, title, authors, abstract, year FROM papers WHERE abstract != ''"
        ):
            paper = {"title": title, "authors": json.loads(authors), "summary": abstract}
            store.execute("INSERT INTO papers VALUES (?, ?)", (name, zlib.compress(pickle.dumps(paper))))
            store.execute("INSERT INTO metas VALUES (?, ?)", (name, pickle.dumps({"time": year or 0})))
            n += 1
            if n % 20_011 == 0:
                titles.append(title)
    store.commit()
    return n, titles


def unpacked(store: sqlite3.Connection) -> Iterator[tuple[str, dict[str, object]]]:
    for name, value in store.execute("SELECT key, value FROM papers"):
        yield name, pickle.loads(zlib.decompress(value))


def by_date(store: sqlite3.Connection) -> list[str]:
    """The hundred newest."""
    dated = [(pickle.loads(value)["time"], name) for name, value in store.execute("SELECT key, value FROM metas")]
    return [name for _, name in sorted(dated, reverse=True)[:100]]


def found_in(store: sqlite3.Connection, query: str) -> list[str]:
    """The hundred papers in which the words are most often: ten points in a title, five in a name, one elsewhere."""
    words = query.lower().split()

    def count(text: str) -> int:
        text = text.lower()
        return sum(text.count(word) for word in words)

    scored = []
    for name, paper in unpacked(store):
        authors = " ".join(map(str, paper["authors"]))  # type: ignore[call-overload]
        score = 5 * count(authors) + 10 * count(str(paper["title"])) + count(str(paper["summary"]))
        if score:
            scored.append((score, name))
    return [name for _, name in sorted(scored, reverse=True)[:100]]


def make_features(store: sqlite3.Connection, path: Path) -> None:
    """The words of all papers, weighted, in a file."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(
        max_features=10_000, ngram_range=(1, 2), stop_words="english", sublinear_tf=True, min_df=5, max_df=0.5
    )
    matrix = vectorizer.fit_transform(f"{paper['title']} {paper['summary']}" for _, paper in unpacked(store))
    path.write_bytes(pickle.dumps(matrix.astype(np.float32)))


def like(path: Path, row: int) -> object:
    """The papers on the side of one paper of a plane that parts it from all others."""
    import numpy as np
    from sklearn.svm import LinearSVC

    matrix = pickle.loads(path.read_bytes())
    wanted = np.zeros(matrix.shape[0])
    wanted[row] = 1
    fitted = LinearSVC(class_weight="balanced", max_iter=10_000, tol=1e-6, C=0.1).fit(matrix, wanted)
    return np.argsort(-fitted.decision_function(matrix))[:100]


if __name__ == "__main__":
    main()
