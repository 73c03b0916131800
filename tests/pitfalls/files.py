"""Small made-up files, each with the field in question in it."""

from __future__ import annotations

import json
from typing import Any


def snapshot(**fields: Any) -> str:
    """A line of arXiv's snapshot."""
    entry = {
        "id": "2101.00010", "title": "A paper of its kind", "authors_parsed": [["Bee", "Ann", ""]], "abstract": "It says so.",
        "categories": "cs.LG", "versions": [{"version": "v1", "created": "Mon, 4 Jan 2021 19:18:42 GMT"}],
    }  # fmt: skip
    return json.dumps(entry | fields) + "\n"


def crossref(title: str = "A paper of its kind", doi: str = "10.5555/abc", **fields: Any) -> str:
    """An answer of Crossref's about one work."""
    work = {"DOI": doi, "title": [title], "type": "journal-article", "author": [{"given": "Ann", "family": "Bee"}]}
    return json.dumps({"status": "ok", "message-type": "work", "message": work | fields})


def csl(title: str = "A paper of its kind", **fields: Any) -> str:
    """A file of one reference in CSL-JSON."""
    return json.dumps([{"id": "k", "type": "article-journal", "title": title, "DOI": "10.5555/csl"} | fields])


def openreview(title: str = "A paper of its kind", **content: Any) -> str:
    """A note of OpenReview's second API."""
    values = {name: {"value": value} for name, value in {"title": title, **content}.items()}
    return json.dumps({"notes": [{"id": "AbC12xYz90", "forum": "AbC12xYz90", "content": values}]})


def semanticscholar(title: str = "A paper of its kind", **fields: Any) -> str:
    """A paper of Semantic Scholar's."""
    return json.dumps({"paperId": "0123", "title": title} | fields)


def openalex(title: str = "A paper of its kind", **fields: Any) -> str:
    """A work of OpenAlex's."""
    return json.dumps({"id": "https://openalex.org/W1", "title": title, "display_name": title} | fields)


def mlanthology(title: str = "A paper of its kind", **fields: Any) -> str:
    """A file of Papers With Proceedings."""
    paper = {"bibtex_key": "bee2031kind", "title": title, "authors": [{"given": "Ann", "family": "Bee"}]}
    return json.dumps({"venue": "icml", "year": 2031, "papers": [paper | fields]})


def paperlists(title: str = "A paper of its kind", **fields: Any) -> str:
    """A list of papercopilot's."""
    return json.dumps(
        [{"id": "k1", "title": title, "author": "Ann Bee", "status": "Poster", "site": "", "track": "main"} | fields]
    )


def own(title: str = "A paper of its kind", **fields: Any) -> str:
    """A line of Octavo's own."""
    return json.dumps({"source": "tiles", "key": "1", "title": title} | fields) + "\n"


def ris(title: str = "A paper of its kind", *lines: str) -> str:
    """A reference in RIS."""
    return "\n".join(["TY  - JOUR", f"TI  - {title}", *lines, "ER  - ", ""])


def bibtex(title: str = "A paper of its kind", **fields: str) -> str:
    """An entry of BibTeX."""
    values = {"author": "Bee, Ann", "year": "2031"} | fields
    return (
        f"@misc{{k, title = {{{title}}}" + "".join(f", {name} = {{{value}}}" for name, value in values.items()) + "}\n"
    )


def acl(title: str, extra: str = "") -> str:
    """A file of the ACL Anthology; `title` is the inside of its element."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><collection id="P31"><volume id="1"><meta><booktitle>Tiles</booktitle>'
        f'<year>2031</year></meta><paper id="1"><title>{title}</title>{extra}</paper></volume></collection>'
    )


def dblp(title: str, *, authors: str = "<author>Ann Bee</author>", prolog: str = "") -> str:
    """DBLP's dump with one article; `title` is the inside of its element."""
    return (
        f'{prolog}<dblp><article key="journals/tile/Bee31" mdate="2031-05-09">{authors}<title>{title}</title>'
        "<year>2031</year></article></dblp>"
    )


def atom(*entries: tuple[str, str], inside: str = "<author><name>Ann Bee</name></author>") -> str:
    """An answer of arXiv's API: (id with its version, title) of each entry."""
    parts = "".join(
        f"<entry><id>http://arxiv.org/abs/{name}</id><title>{title}</title><updated>2031-02-01T00:00:00Z</updated>"
        f"<published>2031-01-04T00:00:00Z</published><summary>It says so.</summary>{inside}"
        '<category term="cs.LG"/></entry>'
        for name, title in entries
    )
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom"><title>arXiv Query: all:tiles</title><id>http://arxiv.org/api/x</id>'
        "<updated>2031-02-02T00:00:00Z</updated>"
        f"<opensearch:totalResults>{len(entries)}</opensearch:totalResults><opensearch:startIndex>0</opensearch:startIndex>"
        f"<opensearch:itemsPerPage>{len(entries)}</opensearch:itemsPerPage>{parts}</feed>"
    )


def feed(
    name: str = "2101.00010v1",
    *,
    creator: str = "Ann Bee",
    kind: str = "new",
    of: str = "cs.LG",
    categories: str = "cs.LG",
    day: str = "Wed, 08 Jan 2031",
) -> str:
    """arXiv's RSS feed of one category with one announcement."""
    terms = "".join(f"<category>{term}</category>" for term in categories.split())
    return (
        '<rss xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/" version="2.0">'
        f"<channel><title>{of} updates on arXiv.org</title><link>http://rss.arxiv.org/rss/{of}</link>"
        f"<lastBuildDate>{day} 05:00:00 +0000</lastBuildDate><pubDate>{day} 00:00:00 -0500</pubDate><item>"
        f"<title>A paper of its kind</title><link>https://arxiv.org/abs/{name.partition('v')[0]}</link>"
        f"<description>arXiv:{name} Announce Type: {kind} \nAbstract: It says so.</description>"
        f'<guid isPermaLink="false">oai:arXiv.org:{name}</guid>{terms}<pubDate>{day} 00:00:00 -0500</pubDate>'
        f"<arxiv:announce_type>{kind}</arxiv:announce_type><dc:creator>{creator}</dc:creator></item></channel></rss>"
    )
