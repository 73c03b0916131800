"""The short names of venues, for the codes that lists of papers file them under."""

from __future__ import annotations

_SHORT_NAMES = {
    "aaai": "AAAI",
    "aacl": "AACL",
    "acl": "ACL",
    "acml": "ACML",
    "acmmm": "ACM MM",
    "aistats": "AISTATS",
    "alt": "ALT",
    "automl": "AutoML",
    "coling": "COLING",
    "colm": "COLM",
    "colt": "COLT",
    "conll": "CoNLL",
    "corl": "CoRL",
    "cvpr": "CVPR",
    "dmlr": "DMLR",
    "eacl": "EACL",
    "eccv": "ECCV",
    "emnlp": "EMNLP",
    "iccv": "ICCV",
    "iclr": "ICLR",
    "icml": "ICML",
    "icra": "ICRA",
    "ijcai": "IJCAI",
    "iros": "IROS",
    "jmlr": "JMLR",
    "kdd": "KDD",
    "l4dc": "L4DC",
    "midl": "MIDL",
    "mloss": "JMLR",
    "naacl": "NAACL",
    "neurips": "NeurIPS",
    "nips": "NeurIPS",
    "rss": "RSS",
    "siggraph": "SIGGRAPH",
    "siggraphasia": "SIGGRAPH Asia",
    "tacl": "TACL",
    "tmlr": "TMLR",
    "uai": "UAI",
    "wacv": "WACV",
    "www": "WWW",
}


def short_name(code: str) -> str:
    """The usual short name of the venue that a list files under `code`, in any case: `neurips` and `nips` are
    NeurIPS.

    A code that is not known is returned in capitals; none gives none.
    """
    return _SHORT_NAMES.get(code.lower(), code.upper())
