"""Names that arXiv readers give to sections, and the arXiv categories behind them."""

from __future__ import annotations

import re

CATEGORY = re.compile(
    r"(?:cs|stat|math|eess|econ|q-bio|q-fin|physics|cond-mat|astro-ph|nlin)"
    r"\.(?:[A-Z]{2}|[a-z]{2,5}-[a-z]{2,4})"
    r"|quant-ph|gr-qc|math-ph|astro-ph|cond-mat|hep-(?:ex|lat|ph|th)|nucl-(?:ex|th)|cmp-lg"
)
"""A category as arXiv writes it: `cs.LG`, `physics.chem-ph`, `quant-ph`."""

# The official names (arxiv.org/category_taxonomy). Where two categories share a name, the first is the one
# that a reader of computer science is shown; the second takes its place where the first is what a paper was
# cross-listed from.
_NAMES = {
    "Artificial Intelligence": ("cs.AI",),
    "Computation and Language": ("cs.CL",),
    "Computational Complexity": ("cs.CC",),
    "Computational Engineering, Finance, and Science": ("cs.CE",),
    "Computational Geometry": ("cs.CG",),
    "Computer Science and Game Theory": ("cs.GT",),
    "Computer Vision and Pattern Recognition": ("cs.CV",),
    "Computers and Society": ("cs.CY",),
    "Cryptography and Security": ("cs.CR",),
    "Data Structures and Algorithms": ("cs.DS",),
    "Databases": ("cs.DB",),
    "Digital Libraries": ("cs.DL",),
    "Discrete Mathematics": ("cs.DM",),
    "Distributed, Parallel, and Cluster Computing": ("cs.DC",),
    "Emerging Technologies": ("cs.ET",),
    "Formal Languages and Automata Theory": ("cs.FL",),
    "General Literature": ("cs.GL",),
    "Graphics": ("cs.GR",),
    "Hardware Architecture": ("cs.AR",),
    "Human-Computer Interaction": ("cs.HC",),
    "Information Retrieval": ("cs.IR",),
    "Information Theory": ("cs.IT", "math.IT"),
    "Logic in Computer Science": ("cs.LO",),
    "Machine Learning": ("cs.LG", "stat.ML"),
    "Mathematical Software": ("cs.MS",),
    "Multiagent Systems": ("cs.MA",),
    "Multimedia": ("cs.MM",),
    "Networking and Internet Architecture": ("cs.NI",),
    "Neural and Evolutionary Computing": ("cs.NE",),
    "Numerical Analysis": ("cs.NA", "math.NA"),
    "Operating Systems": ("cs.OS",),
    "Other Computer Science": ("cs.OH",),
    "Performance": ("cs.PF",),
    "Programming Languages": ("cs.PL",),
    "Robotics": ("cs.RO",),
    "Social and Information Networks": ("cs.SI",),
    "Software Engineering": ("cs.SE",),
    "Sound": ("cs.SD",),
    "Symbolic Computation": ("cs.SC",),
    "Systems and Control": ("cs.SY", "eess.SY"),
    "Audio and Speech Processing": ("eess.AS",),
    "Image and Video Processing": ("eess.IV",),
    "Signal Processing": ("eess.SP",),
    "Applications": ("stat.AP",),
    "Computation": ("stat.CO",),
    "Methodology": ("stat.ME",),
    "Other Statistics": ("stat.OT",),
    "Statistics Theory": ("math.ST", "stat.TH"),
    "Algebraic Geometry": ("math.AG",),
    "Algebraic Topology": ("math.AT",),
    "Analysis of PDEs": ("math.AP",),
    "Classical Analysis and ODEs": ("math.CA",),
    "Combinatorics": ("math.CO",),
    "Differential Geometry": ("math.DG",),
    "Dynamical Systems": ("math.DS",),
    "Functional Analysis": ("math.FA",),
    "Logic": ("math.LO",),
    "Mathematical Physics": ("math-ph", "math.MP"),
    "Metric Geometry": ("math.MG",),
    "Optimization and Control": ("math.OC",),
    "Probability": ("math.PR",),
    "Biomolecules": ("q-bio.BM",),
    "Genomics": ("q-bio.GN",),
    "Molecular Networks": ("q-bio.MN",),
    "Neurons and Cognition": ("q-bio.NC",),
    "Quantitative Methods": ("q-bio.QM",),
    "Econometrics": ("econ.EM",),
    "Theoretical Economics": ("econ.TH",),
    "Computational Finance": ("q-fin.CP",),
    "Portfolio Management": ("q-fin.PM",),
    "Risk Management": ("q-fin.RM",),
    "Statistical Finance": ("q-fin.ST",),
    "Trading and Market Microstructure": ("q-fin.TR",),
    "Biological Physics": ("physics.bio-ph",),
    "Chemical Physics": ("physics.chem-ph",),
    "Computational Physics": ("physics.comp-ph",),
    "Data Analysis, Statistics and Probability": ("physics.data-an",),
    "Disordered Systems and Neural Networks": ("cond-mat.dis-nn",),
    "Materials Science": ("cond-mat.mtrl-sci",),
    "Medical Physics": ("physics.med-ph",),
    "Quantum Physics": ("quant-ph",),
}
_BY_KEY = {name.casefold().replace(",", "").replace(" and ", " & "): codes for name, codes in _NAMES.items()}


def find_section(name: str) -> tuple[str, ...]:
    """The categories of that name, the likelier first; a code is its own name. Empty for other names.

    >>> find_section("Machine Learning"), find_section("cs.CL"), find_section("News")
    (('cs.LG', 'stat.ML'), ('cs.CL',), ())
    """
    name = name.strip()
    if found := re.fullmatch(rf"(.*?)\s*\(({CATEGORY.pattern})\)", name):
        return (found[2],)
    if CATEGORY.fullmatch(name):
        return (name,)
    return _BY_KEY.get(name.casefold().replace(",", "").replace(" and ", " & "), ())


def categories_of(section: str, primary: str) -> tuple[str, ...]:
    """The categories of a paper in that section, cross-listed from `primary` (empty where it was not).

    >>> categories_of("Machine Learning", ""), categories_of("Machine Learning", "stat.ML")
    (('cs.LG',), ('stat.ML', 'cs.LG'))
    >>> categories_of("Machine Learning", "cs.LG")
    ('cs.LG', 'stat.ML')
    """
    listed = [code for code in find_section(section) if code != primary][:1]
    return tuple([primary, *listed] if primary else listed)
