"""arXiv's categories by name, and the set of OAI-PMH that each of them is.

The table is arXiv's taxonomy (arxiv.org/category_taxonomy), which changes once in some years. Aliases stand in it
beside what they are an alias of (cs.NA and math.NA): arXiv lists a paper of the one in the sets of both.
"""

from __future__ import annotations

from difflib import get_close_matches

from octavo.sources.arxiv_oai import category_of_set

_SUBJECTS = {
    "astro-ph": "CO EP GA HE IM SR",
    "cond-mat": "dis-nn mes-hall mtrl-sci other quant-gas soft stat-mech str-el supr-con",
    "cs": "AI AR CC CE CG CL CR CV CY DB DC DL DM DS ET FL GL GR GT HC IR IT LG LO MA MM MS NA NE NI OH OS PF PL RO SC "
    "SD SE SI SY",
    "econ": "EM GN TH",
    "eess": "AS IV SP SY",
    "math": "AC AG AP AT CA CO CT CV DG DS FA GM GN GR GT HO IT KT LO MG MP NA NT OA OC PR QA RA RT SG SP ST",
    "nlin": "AO CD CG PS SI",
    "physics": "acc-ph ao-ph app-ph atm-clus atom-ph bio-ph chem-ph class-ph comp-ph data-an ed-ph flu-dyn gen-ph "
    "geo-ph hist-ph ins-det med-ph optics plasm-ph pop-ph soc-ph space-ph",
    "q-bio": "BM CB GN MN NC OT PE QM SC TO",
    "q-fin": "CP EC GN MF PM PR RM ST TR",
    "stat": "AP CO ME ML OT TH",
}
_ALONE = ("gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th", "math-ph", "nucl-ex", "nucl-th", "quant-ph")
_GROUPS = frozenset({"cs", "econ", "eess", "math", "physics", "q-bio", "q-fin", "stat"})
_BECAME = {
    "cmp-lg": "cs.CL", "adap-org": "nlin.AO", "comp-gas": "nlin.CG", "chao-dyn": "nlin.CD", "solv-int": "nlin.SI",
    "patt-sol": "nlin.PS", "alg-geom": "math.AG", "dg-ga": "math.DG", "funct-an": "math.FA", "q-alg": "math.QA",
    "mtrl-th": "cond-mat.mtrl-sci", "supr-con": "cond-mat.supr-con", "acc-phys": "physics.acc-ph",
    "ao-sci": "physics.ao-ph", "atom-ph": "physics.atom-ph", "bayes-an": "physics.data-an",
    "chem-ph": "physics.chem-ph", "plasm-ph": "physics.plasm-ph",
}  # fmt: skip

CATEGORIES = frozenset(
    [f"{archive}.{subject}" for archive, subjects in _SUBJECTS.items() for subject in subjects.split()]
).union(_ALONE)
"""Every category that papers are submitted to."""
_BY_LETTERS = {name.lower(): name for name in (*CATEGORIES, *_SUBJECTS)}


def category_named(text: str) -> str | None:
    """The category, archive or group of that name, in arXiv's letters; None where there is none.

    >>> [category_named(name) for name in ("cs.lg", "Hep-Th", "CS", "cs:cs:LG", "cs.ML")]
    ['cs.LG', 'hep-th', 'cs', 'cs.LG', None]
    """
    name = text.strip()
    if ":" in name and (found := category_of_set(name)) is not None:
        name = found.name
    return _BY_LETTERS.get(name.lower())


def is_group(category: str) -> bool:
    """Whether that is a group or archive of several categories."""
    return category in _SUBJECTS


def set_of(category: str) -> str:
    """The set of OAI-PMH that a category, archive or group is: what `category_of_set` reads.

    >>> [set_of(name) for name in ("cs.LG", "hep-th", "astro-ph.EP", "physics.optics", "astro-ph", "cs")]
    ['cs:cs:LG', 'physics:hep-th', 'physics:astro-ph:EP', 'physics:physics:optics', 'physics:astro-ph', 'cs']
    """
    if category in _GROUPS:
        return category
    archive, _, subject = category.partition(".")
    group = archive if archive in _GROUPS else "physics"
    return f"{group}:{archive}:{subject}" if subject else f"{group}:{archive}"


def like(text: str) -> list[str]:
    """Categories that may have been meant, the likeliest first, at most three: the same subject elsewhere (`stat.ML`
    for `cs.ML`), then near spellings.

    >>> like("cmp-lg"), like("cs.ML")[0], like("hep-t")[0]
    (['cs.CL'], 'stat.ML', 'hep-th')
    """
    name = text.strip().lower()
    if name in _BECAME:
        return [_BECAME[name]]
    subject = name.rpartition(".")[2] if "." in name else ""
    same = [real for letters, real in sorted(_BY_LETTERS.items()) if subject and letters.endswith(f".{subject}")]
    near = [_BY_LETTERS[letters] for letters in get_close_matches(name, _BY_LETTERS, n=3, cutoff=0.6)]
    return list(dict.fromkeys(same + near))[:3]
