"""`/glossary/<term>`: what a word of the field means, and what is written about it."""

from __future__ import annotations

from octavo.app import Octavo
from octavo.app.near_names import near_terms
from octavo.records.ids import Identifier
from octavo.topics.glossary import glossary
from octavo.web.asked import LISTS, MOST_LISTED, Answer, Asked, Page
from octavo.web.charts import by_year
from octavo.web.pages.topic import FEED_SIZE, not_there, readable


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The page of a term; of another name of it, where that page is; the nearest names where there is none."""
    name = asked.names["name"][:200]
    known = glossary()
    term = known.get(name) or known.find(name) or known.find(readable(name))
    say = asked.language.say
    is_chinese = asked.language.code.startswith("zh")
    if term is None:
        near = [
            (one.chinese if is_chinese else one.english, f"/glossary/{one.slug}") for one in near_terms(readable(name))
        ]
        message = say("The glossary has no term “{name}”.", name=readable(name)[:80])
        return not_there(message, near, ("/glossary", say("The whole glossary")), readable(name))
    if term.slug != name:
        return Answer("", location=f"/glossary/{term.slug}{'' if asked.kind == 'html' else f'.{asked.kind}'}")
    shown = term.name("zh" if is_chinese else "en")
    if asked.is_whole:
        papers = octavo.papers_about("term", term.slug, MOST_LISTED if asked.kind == "bib" else FEED_SIZE)
        return Answer("term.html", papers=papers, title=f"Octavo: {shown}")
    view = octavo.term_page(term.slug)
    if asked.as_json:
        return Answer("", data=view.to_dict())
    values = {
        "view": view,
        "years": by_year(asked.language, shown, view.trend.shares),
        "first": [(value, Identifier("arxiv", value.partition(":")[2]).url, paper) for value, paper in view.first],
        "others": [one for one in term.names if one not in (term.english, term.chinese)],
        "written": octavo.written([*view.cited, *view.newest]),
    }
    return Answer("term.html", values)


PAGES = (Page("/glossary/{name}", answer, kinds=("json", *LISTS)),)
