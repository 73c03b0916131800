"""`octavo topics`: the tree with its counts, what a paper is about, and the reader's word on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from octavo.cli.command import ExampleGroup, Settings, command
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, clean, plural, write_json

if TYPE_CHECKING:
    from octavo.views_topics import CorrectedView, PaperTopicsView, TopicTreeView, TopicView

_ORIGINS = {
    "reader": "your word",
    "trail": "a page's trail",
    "area": "its venue's area",
    "track": "its venue's track",
    "keyword": "its keywords",
    "category": "its category",
    "text": "its text",
    "name": "named in its text",
}
_LEVELS = {"all": ("area", "topic", "task", "method"), "topics": ("area", "topic"), "areas": ("area",)}


class TopicsGroup(ExampleGroup):
    """A group whose first word may be a topic instead of a command, in any of its spellings."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Let `octavo topics LLM` mean `octavo topics show LLM`."""
        takes_value = {name for param in self.params if not getattr(param, "is_flag", True) for name in param.opts}
        position = 0
        while position < len(args) and args[position].startswith("-") and args[position] != "--":
            position += 2 if args[position] in takes_value else 1
        is_named = position < len(args) and args[position] not in self.commands
        return super().parse_args(ctx, [*args[:position], "show", *args[position:]] if is_named else args)


@command(
    "topics",
    cls=TopicsGroup,
    short_help="Show the tree of topics; say or correct what a paper is about.",
    invoke_without_command=True,
    examples=(
        ("octavo topics", "areas and topics, with how many papers each has"),
        ('octavo topics "large language models"', "what is below one topic; any of its names will do: LLM, 大模型"),
        ("octavo topics of arXiv:1706.03762", "what a paper is about, and how that is known"),
        ("octavo topics correct arXiv:1706.03762 NMT attention", "your word on it, which outranks all others"),
    ),
)
@click.option("--level", type=click.Choice(list(_LEVELS)), default="topics", show_default=True, help="How deep to go.")
@click.option(
    "--tree",
    "tree_file",
    type=click.Path(),
    metavar="FILE",
    help="Show the tree in this file or folder instead (docs/topics.md).",
)
@click.pass_context
def topics(ctx: click.Context, settings: Settings, level: str, tree_file: str | None) -> int:
    """Show the tree of topics with how many papers of the catalogue each has, those of all topics below it included.

    Every paper has the topics that its sources state; where they state none, those that its text makes likely. Find
    them with `octavo search topic:NAME`.
    """
    if ctx.invoked_subcommand is not None:
        return DONE
    return _show(settings, "", level, tree_file)


@command(
    "show",
    short_help="Show one topic and what is below it.",
    examples=(
        ("octavo topics show LLM", "a topic by any of its names"),
        ('octavo topics show "Theory · Deep Learning" --json', "by its trail, as JSON"),
    ),
)
@click.argument("node")
@click.option("--level", type=click.Choice(list(_LEVELS)), default="all", show_default=True, help="How deep to go.")
@click.option(
    "--tree", "tree_file", type=click.Path(), metavar="FILE", help="Look in the tree in this file or folder instead."
)
def show(settings: Settings, node: str, level: str, tree_file: str | None) -> int:
    """Show the topic NODE: its definition, its neighbours, and what is below it with how many papers each has. `octavo
    topics NODE` does the same."""
    return _show(settings, node, level, tree_file)


def _show(settings: Settings, node: str, level: str, tree_file: str | None) -> int:
    with settings.open() as octavo:
        view = octavo.topic_tree(node, tree_file)
    shown = tuple(topic for topic in view.topics if topic.node.kind in _LEVELS[level])
    if settings.as_json:
        told: dict[str, Any] = view.to_dict()
        write_json({**told, "topics": [topic.to_dict() for topic in shown]})
    else:
        _write_tree(Page(), view, shown)
    return DONE


def _write_tree(page: Page, view: TopicTreeView, shown: tuple[TopicView, ...]) -> None:
    for note in view.notes:
        page.line((clean(note), "yellow"))
    if view.root:
        _write_root(page, view.root)
    depth = len(view.root.trail) if view.root else 0
    for topic in shown:
        indent = 2 * (len(topic.trail) - depth - 1)
        name = (clean(topic.node.name), "bold" if topic.node.kind == "area" else "")
        counted = f"  see {topic.counted_as}" if topic.counted_as else f"  {topic.count:,}"
        page.line(name, (counted, "dim"), (f"  {clean(topic.node.name_zh)}", "dim"), indent=indent)
    if not view.root:
        page.line((f"{view.with_topic:,} of {plural(view.papers, 'paper')} have a topic.", "dim"))


def _write_root(page: Page, root: TopicView) -> None:
    node = root.node
    page.line((clean(" · ".join(root.trail)), "bold"), (f"  {clean(' · '.join(root.trail_zh))}", "dim"))
    page.line(clean(node.definition))
    page.line((clean(node.definition_zh), "dim"))
    if node.aliases:
        page.line(("also ", "dim"), clean(", ".join(node.aliases)))
    if node.neighbours:
        page.line(("near ", "dim"), clean(", ".join(node.neighbours)))
    page.line((f"{plural(root.count, 'paper')}; octavo search topic:{node.slug}", "dim"), is_whole=True)


@command(
    "of",
    short_help="Say what a paper is about, and how that is known.",
    examples=(
        ("octavo topics of arXiv:1706.03762", "its topics, each with its origin and how sure it is"),
        ("octavo topics of v267/wu25i --json", "the same as JSON, with the glossary's terms"),
    ),
)
@click.argument("paper")
def of(settings: Settings, paper: str) -> int:
    """Say what PAPER, named by any of its ids, is about. Exits with 1 where nothing is sure enough to be said."""
    with settings.open() as octavo:
        view = octavo.topics_of(paper)
    if settings.as_json:
        write_json(view.to_dict())
    else:
        _write_topics(Page(), view)
    return DONE if view.topics else NOTHING_FOUND


def _write_topics(page: Page, view: PaperTopicsView) -> None:
    page.line((clean(view.paper.title), "bold"))
    for one in view.topics:
        said = f": {clean(one.said)}" if one.said else ""
        how = "" if one.origin == "reader" else f"{one.confidence:.2f}, "
        page.line(clean(" · ".join(one.topic.trail)), (f"  {how}{_ORIGINS[one.origin]}{said}", "dim"), indent=2)
    if not view.topics:
        why = "by your word" if view.is_corrected else "nothing is sure enough"
        page.line((f"No topic: {why}.", "dim"), indent=2)
    for slug in view.gone:
        page.line((f"You gave it {clean(slug)}, which is a topic no more.", "yellow"), indent=2)
    if view.taught_by and not view.is_corrected:
        page.line((f"Your word on {plural(view.taught_by, 'paper')} near it had a say.", "dim"), indent=2)
    if view.terms:
        page.line(("Terms: ", "dim"), (", ".join(view.terms), "dim"), indent=2)


@command(
    "correct",
    short_help="Say what a paper is about; that outranks all else.",
    examples=(
        ("octavo topics correct arXiv:1706.03762 NMT attention", "these two and no others, the main one first"),
        ("octavo topics correct arXiv:1706.03762 --none", "none of the topics"),
        ("octavo topics correct arXiv:1706.03762 --forget", "take your word back"),
    ),
)
@click.argument("paper")
@click.argument("nodes", nargs=-1, metavar="[NODE]...")
@click.option("--none", "is_none", is_flag=True, help="The paper is about none of the topics.")
@click.option("--forget", "is_forgotten", is_flag=True, help="Take your word back.")
def correct(settings: Settings, paper: str, nodes: tuple[str, ...], is_none: bool, is_forgotten: bool) -> int:
    """Let PAPER be about the topics NODE and no others, each by any of its names.

    Your word is kept: it outranks what sources say, follows the paper when it is joined with others, and teaches:
    papers near it, of which no source says a topic, are told anew.
    """
    if bool(nodes) + is_none + is_forgotten != 1:
        raise click.UsageError("Name topics, or say --none or --forget.", click.get_current_context())
    from octavo.cli.progress import ProgressBar

    with settings.open() as octavo, ProgressBar("") as progress:
        view = octavo.forget_topics(paper, progress) if is_forgotten else octavo.correct_topics(paper, nodes, progress)
    if settings.as_json:
        write_json(view.to_dict())
    else:
        _write_corrected(Page(), view)
    return DONE


def _write_corrected(page: Page, view: CorrectedView) -> None:
    _write_topics(page, view.now)
    if not view.is_changed:
        page.line(("That was so before.", "dim"), indent=2)
    elif view.retold:
        page.line((f"Told anew: the topics of {plural(view.retold, 'paper')} near it.", "dim"), indent=2)


for _one in (show, of, correct):
    topics.add_command(_one)  # type: ignore[attr-defined]
