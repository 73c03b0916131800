"""`octavo demo`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from octavo.cli.command import Settings, command
from octavo.cli.outcome import DONE
from octavo.cli.output import Page, clean, plural, write_json

if TYPE_CHECKING:
    from octavo.views import AddView, IdentifyView, SearchView

TITLE = "Conformal Prediction as Bayesian Quadrature"
TOPIC = "protein design"
PASTED = (
    "I remember a paper on controllers for robots that have to learn without a single accident. Instead of "
    "one big network with a safety filter bolted on, they wrote the barrier conditions right into the model, "
    "in closed form, so that one could prove it safe, and let it grow by adding heads that each look at "
    "different features. They tried it on avoiding obstacles, on manipulation, and on driving from camera "
    "images."
)
"""How somebody might remember a paper of the bundled catalogue."""
_TOPIC_HITS = 3


@command(
    "demo",
    short_help="Load the bundled catalogue and show what Octavo can do.",
    examples=(
        ("octavo demo", "load it into your own catalogue"),
        ("octavo demo --home /tmp/octavo-demo", "or into one to throw away"),
    ),
)
def demo(settings: Settings) -> int:
    """Load the bundled catalogue (every paper of ICML 2025 and some well-known ones) and show three finds.

    The papers go into your own catalogue, or into the one of --home. What is there stays; a second time
    changes nothing. The bundle holds titles, authors, links and Octavo's own summaries, and no abstracts.
    """
    from octavo.cli.progress import ProgressBar

    with settings.open() as octavo:
        try:
            with ProgressBar("the bundled catalogue") as progress:
                added = octavo.add_bundle(progress)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("What was read is in the catalogue; `octavo demo` adds the rest.") from None
        title = octavo.search(TITLE, 1)
        topic = octavo.search(TOPIC, _TOPIC_HITS)
        pasted = octavo.identify([PASTED])[0]
        home = str(octavo.home)
    if settings.as_json:
        write_json(_as_json(home, added, title, topic, pasted))
    else:
        _write(Page(), settings.program, home, added, title, topic, pasted)
    return DONE


def _as_json(
    home: str, added: AddView, title: SearchView, topic: SearchView, pasted: IdentifyView
) -> dict[str, object]:
    return {
        "home": home,
        "added": added.to_dict(),
        "title": title.to_dict(),
        "topic": topic.to_dict(),
        "pasted": pasted.to_dict(),
    }


def _write(
    page: Page,
    program: str,
    home: str,
    added: AddView,
    title: SearchView,
    topic: SearchView,
    pasted: IdentifyView,
) -> None:
    news = f"{plural(added.added, 'paper')} added" if added.added else "nothing new, all of it is there already"
    page.line(
        ("The bundled catalogue: ", "bold"),
        f"{news}, in {added.seconds:.1f} s. Your catalogue is {clean(home)}",
    )
    _write_search(page, "1. A title, exactly", f"{program} search {shlex.quote(TITLE)}", title)
    _write_search(page, "2. A topic, in plain words", f"{program} search {shlex.quote(TOPIC)} -n {_TOPIC_HITS}", topic)
    _write_pasted(page, program, pasted)
    page.blank()
    page.line(("Now try", "bold"))
    for line, meaning in (
        (f"{program} search 'year:2025 agents -game'", "your own search"),
        (f"{program} show arXiv:1706.03762", "one paper whole"),
        (f"{program} export --id arXiv:1706.03762", "for your bibliography"),
        (f"{program} add --help", "how to add your own files"),
    ):
        _write_command(page, line)
        page.line((meaning, "dim"), indent=4)


def _write_command(page: Page, line: str) -> None:
    page.line((line, "bold"), label=("  $ ", "dim"), indent=4, is_whole=True)


def _write_search(page: Page, heading: str, line: str, found: SearchView) -> None:
    from octavo.cli.layout import Marker
    from octavo.cli.search_command import write_hit

    page.blank()
    page.line((heading, "bold"))
    _write_command(page, line)
    marker = Marker.of(found.words)
    for hit in found.hits:
        write_hit(page, hit, marker)


def _write_pasted(page: Page, program: str, found: IdentifyView) -> None:
    from octavo.cli.identify_command import write_identified

    page.blank()
    page.line(("3. A paper, from what somebody remembers of it", "bold"))
    # A line end inside the quotes is no matter, so this can be copied though it is wrapped.
    page.line((f'{program} identify "{PASTED}"', "bold"), label=("  $ ", "dim"), indent=4)
    page.blank()
    write_identified(page, found, indent=4)
