"""The reader's configuration: one commented file, `octavo.toml` in the home folder, and variables of the environment.

    settings = load_settings(home, os.environ)
    settings.sources["arxiv"].wants

`schema` is the one table of what can be set; `document` reads TOML with its lines; `checking` holds the one against the
other and tells every fault at once.
"""

from octavo.settings.checking import Setting
from octavo.settings.document import ConfigFault
from octavo.settings.loading import (
    NetworkSettings,
    SearchSettings,
    ServeSettings,
    Settings,
    SourceSettings,
    load_search_settings,
    load_settings,
    missing_packages,
)
from octavo.settings.writing import default_toml, write_default

__all__ = [
    "ConfigFault",
    "NetworkSettings",
    "SearchSettings",
    "ServeSettings",
    "Setting",
    "Settings",
    "SourceSettings",
    "default_toml",
    "load_search_settings",
    "load_settings",
    "missing_packages",
    "write_default",
]
