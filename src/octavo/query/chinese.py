"""Chinese queries, read into the English words that papers have.

A text is parted into terms of `data/terms.tsv`, by the parting that leaves the fewest characters unknown, and of these
the one with the fewest and longest terms. Traditional characters and the words of Taiwan and Hong Kong
(`data/han.tsv`) count as the simplified ones. Words that carry nothing beside others (FILLERS) are passed over.

>>> [(piece.text, piece.english[:2]) for piece in read_chinese("基于強化學習的機械臂控制")]
[('基于', ()), ('強化學習', ('reinforcement learning', 'RL')), ('的', ()), ('機械臂', ('robotic arm', 'robot arm')), \
('控制', ('control', 'controller'))]

The tables are read when the first Chinese text comes; any other text costs one look at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAS_HAN = re.compile(f"[{_HAN}]")
_OTHER_SCRIPT = re.compile("[\u3041-\u30fa\uac00-\ud7a3]")
"""Kana and Hangul: with these beside it, a Han character is Japanese or Korean."""
_RUN = re.compile(rf"[{_HAN}]+|[^\s{_HAN}\u3000-\u303f\uff00-\uffef“”‘’…—·]+")
_UNKNOWN_COSTS = 1_000_000
_PIECE_COSTS = 1_000

FILLERS = frozenset(
    """
    式 性 化 型 版 级 率 的 了 着 过 之 地 得 和 与 及 或 在 对 从 到 由 于 以 为 被 把 将 是 有 无 不 也 都 就 还 更 最 很 且 而 但 其 它 该 此 这 那 各 每 某 等 们
    中 上 下 内 间 时 后 前 里 所 向 至 使 让 令 能 可 会 要 需 应 如 若 则 因 并 又 再 已 未 仅 只 较 比 用 做 作 个 种 类 些 次 项 条 两 三 多
    以及 并且 而且 但是 然而 因此 所以 由于 因为 如果 虽然 尽管 即使 同时 此外 另外 其中 其他 之间 之一 之后 之前 以上 以下 以外 等等
    从而 进而 尤其 特别 特别是 例如 比如 诸如 包括 包含 涉及 关于 有关 相关 针对 面向 对于 根据 按照 依据 基于 通过 借助 利用 使用 采用 运用
    应用于 用于 用来 随着 为了 旨在 以便 来自 作为 属于 具有 拥有 存在 具备 得到 获得 取得 进行 开展 做出 给出 提供 带来 产生 形成 成为
    我们 他们 它们 本文 本研究 该研究 该论文 该方法 该模型 该框架 该系统 作者 论文 文章 文献 工作 提出 提出了 介绍 引入 研究 探讨 探究 讨论 探索如何
    表明 显示 证实 指出 认为 希望 试图 致力于 解决 应对 面临 克服 处理好 满足 达到 实现了 能够 可以 可能 需要 必须 应该 应当 难以 无法 不能
    不足 缺乏 忽略 忽视 导致 造成 使得 允许 支持了 促进 推动 提升 提高 显著 显著提升 有效地 大大 大幅 极大 非常 十分 相当 更加 更好 更多
    进一步 深入 广泛 充分 主要 重要 关键 核心 至关重要 具体 一般 通常 往往 常常 经常 目前 当前 现有 已有 传统方法 现有方法 现有研究 近年来 如今 日益
    如何 怎样 怎么 怎么样 什么 为什么 为何 哪些 哪个 是否 有没有 有哪些 请问 帮我 我想 寻找 查找 一下 一些 一个 一种 一项 一套 一类 这种 这些 这个 该类
    方法 研究 问题 分析研究 工作 途径 手段 方面 角度 方式 做法 思路 内容上 情况 情形 条件下 下的 上的 中的 首个 首次 首先 其次 最后 最终 全新 新颖 新型
    新的 新 好 不同 多种 多个 各种 各类 多样的 任何 任意 所有 全部 整个 完全 直接 仍然 仍 依然 依赖于 优于 超过 超越 相比 相较 相对 达 超 约 近 本 自身 自己
    来 非 么 尚 一 即 亟 既 尤 否 跨 受 给 接 名 件 佳 易 四 五 均 必 先 出 双 相 虽然 才 随 与否 下来 出来 起来 上来 一样 越来越 重大 清楚 明显 考虑 结果 表现出 不同于 尚未 亟需 亟待 分别 展现
    没有 并非 不仅 不是 而是 也能 还能 并能 以期 有助于 有利于 适用于 适合 受限于 源于 取决于 来说 而言 来看 下降 成功地 强大 强大的 迅速 日渐 目的 意义 价值所在
    """.split()
)
"""Words of Chinese prose, questions and requests that say nothing about what a paper is on."""


_LINKS = frozenset("的和与及或之")
"""Fillers that part words wherever they stand."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text and what was made of it."""

    text: str
    """As typed."""
    english: tuple[str, ...] = ()
    """What English papers call it, the usual names first; none where it is not known."""
    is_han: bool = True
    """Whether it has a Chinese character; other stretches are words as they stand."""
    is_filler: bool = False
    """Whether it says nothing where other words are beside it."""
    is_quoted: bool = False
    """Whether it was in quotes, and thus asked for as it stands."""


class Reading(Enum):
    """Which words of a Chinese text count; a text that has none of one kind is read by the next."""

    TELLING = 1
    """All but fillers."""
    KNOWN = 2
    """All that are known in English, fillers too."""
    EVERY = 3
    """All."""

    def takes(self, piece: Piece) -> bool:
        """Whether a piece counts."""
        return self is Reading.EVERY or not piece.is_filler or (self is Reading.KNOWN and bool(piece.english))

    def wider(self) -> Reading:
        """The next."""
        return Reading.KNOWN if self is Reading.TELLING else Reading.EVERY


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The tables, ready for looking up."""

    english: dict[str, tuple[str, ...]]
    """English names by their Chinese one, in lower case and simplified characters."""
    simplified: dict[int, int]
    """Traditional characters, for `str.translate`."""
    longest: dict[str, int]
    """The length of the longest term, by its first character."""


def has_chinese(text: str) -> bool:
    """Whether a text may be Chinese: it has Han characters, and neither kana nor Hangul."""
    return not text.isascii() and bool(_HAS_HAN.search(text)) and not _OTHER_SCRIPT.search(text)


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The tables, read once."""
    names: dict[str, list[str]] = {}
    others: list[tuple[str, list[str]]] = []
    for english, also, chinese, _area in _rows("terms.tsv"):
        for name in chinese.lower().split("; "):
            names.setdefault(name, []).append(english)
            if also:
                others.append((name, also.split("; ")))
    for name, said in others:
        names[name] += said
    simplified: dict[int, int] = {}
    for old, new in _rows("han.tsv"):
        if len(old) == 1:
            simplified[ord(old)] = ord(new)
        elif new in names:
            names.setdefault(old, []).extend(names[new])
    longest = dict.fromkeys((filler[0] for filler in FILLERS), 1)
    for name in (*names, *FILLERS):
        longest[name[0]] = max(len(name), longest.get(name[0], 1))
    return Lexicon({name: tuple(dict.fromkeys(said)) for name, said in names.items()}, simplified, longest)


def _rows(name: str) -> Iterator[list[str]]:
    """The rows of a table, without its head."""
    lines = (files("octavo.data") / name).read_text(encoding="utf-8").splitlines()
    return (line.split("\t") for line in lines[1:])


@lru_cache(maxsize=256)
def read_chinese(text: str) -> tuple[Piece, ...]:
    """Part a text into terms, words of other scripts, and what is not known; punctuation between them is left out."""
    tables = lexicon()
    plain = text.translate(tables.simplified).lower()
    if len(plain) != len(text):
        plain = text.translate(tables.simplified)  # a letter whose lower case is two
    found: list[tuple[int, int]] = []
    for start, end in _stretches(plain):
        found += _part(plain, start, end, tables)
    pieces = [_piece(text[start:end], plain[start:end], tables) for start, end in found]
    return tuple(_without_crumbs(pieces, found, text))


def _stretches(plain: str) -> Iterator[tuple[int, int]]:
    """Runs of Han with the words of letters and digits that touch them, each to be parted by itself."""
    start = end = -1
    for run in _RUN.finditer(plain):
        if run.start() != end and end >= 0:
            yield start, end
            start = run.start()
        elif end < 0:
            start = run.start()
        end = run.end()
    if end >= 0:
        yield start, end


def _part(plain: str, start: int, end: int, tables: Lexicon) -> list[tuple[int, int]]:
    """The best parting of a stretch, as a path of least cost from its end to its start."""
    size = end - start
    costs = [0] * (size + 1)
    nexts = [0] * size
    for at in range(size - 1, -1, -1):
        here = start + at
        reach = _end_of_word(plain, here, end) - start
        costs[at], nexts[at] = costs[reach] + (_PIECE_COSTS if plain[here] < "\u2e80" else _UNKNOWN_COSTS), reach
        for length in range(1, min(tables.longest.get(plain[here], 0), size - at) + 1):
            name = plain[here : here + length]
            if name not in tables.english and name not in FILLERS:
                continue
            if here + length < end and _splits_word(plain, here + length):
                continue
            cost = costs[at + length] + _PIECE_COSTS - length * length
            if cost < costs[at]:
                costs[at], nexts[at] = cost, at + length
    found: list[tuple[int, int]] = []
    at = 0
    while at < size:
        found.append((start + at, start + nexts[at]))
        at = nexts[at]
    return found


def _end_of_word(plain: str, at: int, end: int) -> int:
    """Where the word of letters and digits that begins here ends; one further for a Han character."""
    stop = at + 1
    while stop < end and plain[at] < "\u2e80" and plain[stop] < "\u2e80":
        stop += 1
    return stop


def _splits_word(plain: str, at: int) -> bool:
    return plain[at - 1] < "\u2e80" and plain[at] < "\u2e80"


def _piece(text: str, name: str, tables: Lexicon) -> Piece:
    english = tables.english.get(name, ())
    if not english and not _HAS_HAN.search(text):
        return Piece(text, is_han=False)
    return Piece(text, english, is_filler=name in FILLERS)


def _without_crumbs(pieces: list[Piece], found: list[tuple[int, int]], text: str) -> Iterator[Piece]:
    """The pieces, those of one unknown word as one.

    A lone character next to unknown ones is most likely a part of their word, and so is a filler between two.
    """
    strange = [piece.is_han and not piece.english and not piece.is_filler for piece in pieces]
    touches = [first[1] == second[0] for first, second in pairwise(found)]
    before = [False, *(known and joins for known, joins in zip(strange, touches, strict=False))]
    after = [*(known and joins for known, joins in zip(strange[1:], touches, strict=False)), False]
    parts = [
        strange[at]
        or (
            piece.is_han
            and len(piece.text) == 1
            and ((before[at] or after[at]) if not piece.is_filler else (before[at] and after[at] and piece.text not in _LINKS))
        )
        for at, piece in enumerate(pieces)
    ]
    held: tuple[int, int] | None = None
    for at, piece in enumerate(pieces):
        start, stop = found[at]
        if held and not (parts[at] and held[1] == start):
            yield Piece(text[held[0] : held[1]])
            held = None
        if parts[at]:
            held = (held[0] if held else start, stop)
        else:
            yield piece
    if held:
        yield Piece(text[held[0] : held[1]])
