"""A list of papers as a site of plain files, with the same pages as the server's, for any file host.

    publishing.py  the whole of it: from a list to a folder
    plan.py        which pages there are, and under which address each is known
    addresses.py   an address of the server's pages as a relative link to a file; what has no file is no link
    writing.py     a page as its file, in every language; in several processes
    finding.py     the index of words that the browser searches (Pagefind)
    folder.py      written beside, then put in place of the old one at once

The pages' own templates are used (`templates/`), in a frame without a server behind it (`templates/published/`).
"""

from octavo.web.publish.plan import Publication
from octavo.web.publish.publishing import publish

__all__ = ["Publication", "publish"]
