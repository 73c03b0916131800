"""Use cases: the page of a topic, the glossary, and the page of a term."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from octavo.app.base import told
from octavo.app.subjects import TAKEN, bundled_terms, share_view, term_subject, topic_subject, topic_tree
from octavo.app.trends import MOST_VALUES, TrendCases
from octavo.errors import NotFound
from octavo.query.ast import Node as Tree
from octavo.query.ast import TermNode, TopicNode, conjunction

if TYPE_CHECKING:
    from octavo.index.text_query import Query
    from octavo.rank.trends import Bond
    from octavo.records.paper import Paper
    from octavo.topics.glossary import Glossary, Term
    from octavo.topics.nodes import Node
    from octavo.topics.tree import Tree as Topics
    from octavo.views_topics import TopicView
    from octavo.views_trends import BondView, GlossaryView, ShareView, TermPageView, TopicPageView

LIST = 10
"""Papers of each list of a page."""
READ = 2_000
"""Papers, the newest, of which authors are told."""
COMPARED = 500
"""Papers, the newest, whose middle is found: each of their vectors lies somewhere else on the disk."""
_VENUES, _WORDS, _AUTHORS, _TOPICS = 12, 16, 12, 8
_LEAST_TOGETHER = 5
_CHANCE = 10.83
"""Log-likelihood ratio that is passed by chance once in a thousand times."""
_KEPT_PAGES = 40


class SubjectPages(TrendCases):
    """The pages of topics and terms."""

    @told
    def topic_page(self, name: str) -> TopicPageView:
        """A topic: what it is, its years and venues, its key papers and newest, and who writes them.

        Raises:
            NotFound: no topic has that name; near names are told.
        """
        from octavo.index.text_query import compile_query
        from octavo.views_topics import TopicView
        from octavo.views_trends import TopicPageView

        tree = topic_tree()
        node = self._topic_named(name)
        notes = self.bring_up_to_date()
        slug = tree.canonical(node).slug
        if (kept := self._counted.tables.get(("page", node.slug))) is not None:
            return kept  # type: ignore[return-value]
        query = compile_query(TopicNode(slug))
        counts = self._facet("topic")
        recent = [pk for pk, _ in self._index.search(query, READ, 0, "newest").hits]
        key, key_papers = self._key_papers(query, recent)
        page = TopicPageView(
            TopicView.of(tree, node, counts.get(slug, 0)),
            tuple(self._topic_view(tree, one) for one in tree.ancestors(node)),
            self._years_of([topic_subject(tree, one) for one in tree.children(node)], "topic"),
            tuple(self._topic_view(tree, one) for one in tree.neighbours(node)),
            self._trend_of(topic_subject(tree, node)),
            self._venues_of(slug),
            key_papers,
            key,
            self._in_order(recent[:LIST]),
            self._authors(recent),
            len(recent),
            min(COMPARED, len(recent)) if key == "middle" else 0,
            self._bonds(query, counts.get(slug, 0), _WORDS),
            notes,
        )
        return self._keep_page(("page", node.slug), page)

    def _keep_page(self, key: object, page: TopicPageView) -> TopicPageView:
        pages = [one for one in self._counted.tables if isinstance(one, tuple) and one[0] == "page"]
        for one in pages[: len(pages) - _KEPT_PAGES + 1] if len(pages) >= _KEPT_PAGES else ():
            del self._counted.tables[one]
        self._counted.tables[key] = page
        return page

    def _topic_view(self, tree: Topics, node: Node) -> TopicView:
        from octavo.views_topics import TopicView

        return TopicView.of(tree, node, self._facet("topic").get(tree.canonical(node).slug, 0))

    def _venues_of(self, slug: str) -> tuple[ShareView, ...]:
        """The venues where the most papers of a topic appeared."""
        from octavo.index.text_query import compile_query

        totals = self._venue_totals
        found = self._index.facets(compile_query(conjunction([TopicNode(slug), *TAKEN])), ("venue",), _VENUES)["venue"]
        return tuple(share_view(name, n, totals.get(name, n)) for name, n in found)

    @property
    def _venue_totals(self) -> dict[str, int]:
        """How many papers with a topic appeared at each venue."""
        from octavo.index.text_query import compile_query

        if (found := self._counted.tables.get("venues")) is None:
            query = compile_query(conjunction([self._scope("topic"), *TAKEN]))
            found = dict(self._index.facets(query, ("venue",), MOST_VALUES)["venue"])
            self._counted.tables["venues"] = found
        return found  # type: ignore[return-value]

    def _key_papers(self, query: Query, recent: Sequence[int]) -> tuple[str, tuple[Paper, ...]]:
        """The papers that are cited most; where no source counts citations, those nearest to the middle of the newest
        ones."""
        cited = self._index.search(query, LIST, 0, "cited").hits
        papers = tuple(one for one in self._in_order([pk for pk, _ in cited]) if one.citations)
        if papers:
            return "cited", papers
        vectors, _ = self._space_of_meaning()
        if vectors is None or not recent:
            return "", ()
        from octavo.rank.trends import nearest_to_middle

        nearest = nearest_to_middle(vectors, recent[:COMPARED], LIST)
        return ("middle", self._in_order(nearest)) if nearest else ("", ())

    def _authors(self, pks: Sequence[int]) -> tuple[tuple[str, int], ...]:
        """Who wrote the most of these papers; who wrote only one is nobody in particular."""
        from collections import Counter

        from octavo.catalogue.authorships import Authorships

        found: Counter[str] = Counter()
        for _, names in Authorships(self._catalogue.database).names(sorted(pks)):
            found.update(set(names))
        most = sorted(((name, n) for name, n in found.items() if n > 1), key=lambda one: (-one[1], one[0]))
        return tuple(most[:_AUTHORS])

    def _in_order(self, pks: Sequence[int]) -> tuple[Paper, ...]:
        papers = self._papers_of(pks)
        return tuple(papers[pk] for pk in pks if pk in papers)

    # -- the glossary -------------------------------------------------------------------------------------------------

    @told
    def glossary(self, query: str = "", part: str = "") -> GlossaryView:
        """The terms of the glossary with how many papers speak of each; those that have `query` in a name, and of one
        part of it.

        Raises:
            NotFound: the glossary has no such part.
        """
        from octavo.views_trends import GlossaryView

        known = bundled_terms()
        if part and part not in known.fields:
            raise NotFound(f"The glossary has no part {part[:40]!r}.", hint=f"It has {', '.join(known.fields)}.")
        notes = self.bring_up_to_date()
        counts = self._facet("term")
        terms = tuple((one, counts.get(one.slug, 0)) for one in _matching(known, query) if part in ("", one.field))
        sizes = [(one.slug, one.english, one.chinese, len(known.of_field(one.slug))) for one in known.fields.values()]
        return GlossaryView(terms, tuple(sizes), len(known), query.strip(), part, notes)

    @told
    def term_page(self, name: str) -> TermPageView:
        """A term: what it means, its papers and years, and what it stands beside.

        Raises:
            NotFound: the glossary has no term of that name; near names are told.
        """
        from octavo.index.text_query import compile_query
        from octavo.views_trends import TermPageView

        known = bundled_terms()
        term = self._term_named(name)
        notes = self.bring_up_to_date()
        query = compile_query(TermNode(term.slug))
        n = self._facet("term").get(term.slug, 0)
        cited = self._in_order([pk for pk, _ in self._index.search(query, LIST, 0, "cited").hits])
        newest = [pk for pk, _ in self._index.search(query, LIST, 0, "newest").hits]
        part = known.fields[term.field]
        return TermPageView(
            term,
            part.english,
            part.chinese,
            tuple(known.terms[one] for one in term.see),
            tuple((f"arxiv:{one}", self._paper_of_arxiv(one)) for one in term.papers),
            n,
            self._trend_of(term_subject(term)),
            tuple(one for one in cited if one.citations),
            self._in_order(newest),
            self._bonds(query, n, _WORDS, {term.slug}),
            self._topics_of_term(query, n),
            notes,
        )

    def _paper_of_arxiv(self, value: str) -> Paper | None:
        from octavo.records.ids import Identifier

        pks = self._catalogue.find_by_identifier(Identifier("arxiv", value))
        return next(iter(self._in_order(pks[:1])), None)

    def _bonds(self, query: Query, n: int, most: int, without: Collection[str] = ()) -> tuple[BondView, ...]:
        """The terms that the papers of a query speak of more often than by chance, the surest first."""
        from octavo.rank.trends import bond
        from octavo.views_trends import BondView

        known, counts, every = bundled_terms(), self._facet("term"), self._index.n_papers
        found = []
        for slug, both in self._index.facets(query, ("term",), MOST_VALUES)["term"]:
            if both < _LEAST_TOGETHER or slug in without or slug not in known.terms:
                continue
            tied = bond(both, n, counts.get(slug, both), every)
            if tied.lift > 1 and tied.strength > _CHANCE:
                found.append(BondView(known.terms[slug], both, tied))
        return tuple(sorted(found, key=lambda one: (-one.bond.strength, one.term.slug))[:most])

    def _topics_of_term(self, query: Query, n: int) -> tuple[tuple[TopicView, Bond], ...]:
        from octavo.rank.trends import bond
        from octavo.views_topics import TopicView

        tree, counts, every = topic_tree(), self._facet("topic"), self._index.n_papers
        found = []
        for slug, both in self._index.facets(query, ("topic",), MOST_VALUES)["topic"]:
            node = tree.get(slug)
            if node is None or not node.parent or both < _LEAST_TOGETHER:
                continue
            tied = bond(both, n, counts.get(slug, both), every)
            if tied.lift > 1 and tied.strength > _CHANCE:
                found.append((TopicView.of(tree, node, both), tied))
        return tuple(sorted(found, key=lambda one: (-one[1].strength, one[0].node.slug))[:_TOPICS])

    @told
    def papers_about(self, kind: str, slug: str, limit: int = 50) -> tuple[Paper, ...]:
        """The newest papers of a `topic` or a `term`, named by its slug."""
        from octavo.index.text_query import compile_query

        self.bring_up_to_date()
        node: Tree = TopicNode(topic_tree().canonical(topic_tree()[slug]).slug) if kind == "topic" else TermNode(slug)
        return self._in_order([pk for pk, _ in self._index.search(compile_query(node), limit, 0, "newest").hits])


def _matching(known: Glossary, query: str) -> Iterable[Term]:
    """The terms that have what was typed in a name."""
    wanted = " ".join(query.casefold().split())
    if not wanted:
        return known
    found = known.find(wanted)
    named = [one for one in known if any(wanted in name.casefold() for name in one.names)]
    return list(dict.fromkeys([*([found] if found else []), *named]))
