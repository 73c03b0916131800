"""The furniture of saved pages: menus, buttons, counters, dates, notices.

What is told here is told from a line alone. The lists are of words that stand on buttons and in menus of
paper sites, in English and Chinese; a line is furniture only where all of it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from octavo.records.dates import PartialDate, parse_date

_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about abs abstract accept accepted account add advanced alert alerts all alphaxiv and announced
        any api app apps arxiv ascending author authors award back best bib bibtex blog bluesky bookmark
        bookmarked browse by calendar categories category citation citations cite cited clear close code
        collapse comment comments conference conferences contact cookies copied copy data dataset date dates
        default descending discord discuss discussion docs doi donate down download downloads email en
        english expand explore export extension facebook faq favorite favorites favourite favourites feed
        feedback fewer filter filters first fold follow followers following footer for forum free github
        google guest header help hidden hide highlight highlights history home hot html huggingface in info
        install journals keyword keywords language last latest legal less library like liked likes link
        linkedin links list listen load loading login logout mastodon me mendeley menu mobile more my new
        newest news newsletter next notes notify of oldest on open openreview options oral order out page
        pages paper papers pdf podcast policy popular post poster posts premium prev previous pricing print
        privacy proceedings profile project publications published rating read reading recent recommended
        reddit references refresh register related relevance replaced report reset results reviews ris rss
        save saved scholar search select semantic settings share shared show sign signup similar site skip
        slides sort source spotlight star starred stars statistics subject submit submitted subscribe
        summary supplementary support tags talk terms the theme tldr to today toggle top topic topics
        trending twitter unread unsubscribe up updated upgrade use user venue venues video view views vote
        votes website wechat weibo with workshop workshops x year years yesterday zh zotero
        """,
    )
)
_JOINTS = frozenset(("a", "and", "by", "for", "in", "my", "of", "the", "to", "with"))
"""Words that no button ends with."""
_PHRASES = frozenset(
    re.findall(
        r"\w+",
        """
        首页 主页 论文 检索 搜索 论文检索 登录 登陆 注册 退出 上一页 下一页 上页 下页 末页 尾页 跳转 收藏
        已收藏 取消收藏 引用 下载 分享 点赞 评论 更多 加载更多 查看更多 展开 收起 展开全部 阅读全文 查看全文
        全文 摘要 原文 链接 代码 作者 主题 会议 期刊 年份 年度 关键词 筛选 排序 按时间 按相关度 相关度 时间
        最新 最热 热门 推荐 全部 清除 重置 确定 取消 返回 返回顶部 回到顶部 帮助 关于 关于我们 联系我们
        隐私政策 使用条款 意见反馈 反馈 设置 语言 中文 简体中文 英文 我的 个人中心 历史 订阅 结果 检索结果
        高级检索 高级搜索 复制 导出 海报 口头报告 亮点 相似论文 相关论文 目录 分类 数据集 排行榜 广告 加载中
        正在加载 按年份 按时间排序 我的收藏
        """,
    )
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+)?"
_DAY = (
    rf"(?:{_WEEKDAY}(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m1>{_MONTH}),?(?:\s+(?P<y1>\d{{4}}))?"
    rf"|{_WEEKDAY}(?P<m2>{_MONTH})\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<y2>\d{{4}}))?"
    rf"|{_WEEKDAY}(?P<y3>\d{{4}})[-/.](?P<m3>\d{{1,2}})[-/.](?P<d3>\d{{1,2}})"
    r"|(?P<y4>\d{4})\s?年\s?(?P<m4>\d{1,2})\s?月\s?(?P<d4>\d{1,2})\s?日"
    rf"|{_MONTH}\s+\d{{4}})"
)
_DATE = re.compile(
    rf"\W*(?:[a-z一-鿿]{{1,20}}[:：]?\s+){{0,3}}?{_DAY}(?:\W+(?:at\s+)?\d{{1,2}}:\d{{2}}(?::\d{{2}})?)?"
    r"(?:\s?(?:am|pm|utc|gmt|[ce][sd]t|z)\b)?(?:\W+周[一二三四五六日]|\W+星期[一二三四五六日])?\W*",
    re.IGNORECASE,
)
_NUMBER = r"\d[\d,.]*[kKmM万]?\+?"
_UNIT = (
    r"(?:min(?:ute)?s?(?: read)?|(?:hour|day|week|month|year)s? ago|papers?|results?|entries|items|likes?"
    r"|views?|stars?|comments?|citations?|votes?|upvotes?|pages?|authors?|downloads?)"
)
_COUNTERS = (
    # Only digits and signs: `12`, `#3`, `1 2 3 … 20`, `1,204`.
    re.compile(r"[\W\d_]*\d[\W\d_]*[kKmM万]?\W*"),
    re.compile(
        rf"\W*(?:page|p\.|no\.|entry|paper|showing|results?)? ?{_NUMBER}"
        rf"(?: ?(?:-|–|to|/|of) ?{_NUMBER}){{1,2}}(?: {_UNIT})?\W*",
        re.IGNORECASE,
    ),
    re.compile(rf"\W*(?:page|no\.|all|see all) ?{_NUMBER}(?: {_UNIT})?\W*", re.IGNORECASE),
    re.compile(rf"\W*{_NUMBER} ?(?:new )?{_UNIT}(?: today| found| in total)?\W*", re.IGNORECASE),
    re.compile(
        rf"[一-鿿]{{0,5}} ?{_NUMBER} ?[篇页条项位次个][一-鿿]{{0,6}}"
        rf"(?:\W+[共第] ?{_NUMBER} ?[篇页条项][一-鿿]{{0,4}})?\W*"
    ),
)
_ADDRESS = re.compile(r"\W*(?:https?://|www\.)\S+", re.IGNORECASE)
_ARXIV = re.compile(r"\W*(?:arxiv ?[:：]? ?)?\d{4}\.\d{4,5}(?:v\d+)?(?: ?\[[\w.-]+\])?\W*", re.IGNORECASE)
_NOTICE_LENGTH = 200
_NOTICE = re.compile(
    r"(?:©|\(c\)\s*(?:19|20)\d\d|copyright\b|版权所有|(?:sign|log) (?:in|up|out)\b|click (?:here|to|on)\b"
    r"|skip to\b|powered by\b|(?:we|this (?:site|website|page)) uses? cookies"
    r"|by (?:using|continuing to use) (?:this|our) (?:site|website|service)"
    r"|please (?:sign|log|enable|wait|try|cite|contact|report)\b|last (?:updated|modified)\b"
    r"|updated (?:daily|every|on)\b|javascript (?:is|must)\b|登录后|请(?:登录|先)|本(?:站|网站|页面))",
    re.IGNORECASE,
)
_RESERVED = re.compile(r"all rights reserved|版权所有|ICP备|公网安备|(?:enable|requires) javascript", re.IGNORECASE)
_SHORT_NOTICE = re.compile(
    r"(?:subscribe|your|thank you|no more|no results|loading|generated|built|made|hosted|maintained|browse"
    r"|show|showing|view|see|read|load|download|search|try|select|filter|sort|contact|follow|join|get|enter|back"
    r"|return|go|open|save|share|submit|send|report|create|add|learn|discover|explore|you)\b",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"[·•・|/,，、\[\]()（）【】:：<>‹›«»→←]+|\s[-–—]\s")


def is_notice(line: str) -> bool:
    """Tell whether a line that may hold a sentence speaks of the page, not of a paper: `Sign in to save`."""
    if len(line) > _NOTICE_LENGTH:
        return False
    if _NOTICE.match(line) or _RESERVED.search(line):
        return True
    return _SHORT_NOTICE.match(line) is not None and len(line.split()) < 12


@lru_cache(maxsize=8192)
def is_furniture(line: str) -> bool:
    """Tell whether a line by itself is none of an entry's: a button, a counter, a date, a copyright.

    A glossary word on a line of its own can look the same (`Search`): for abstracts see `page_lines.trim`.
    """
    if not any(char.isalnum() for char in line):
        return True
    if len(line) > _NOTICE_LENGTH:
        return False
    if _NOTICE.match(line) or _RESERVED.search(line) or _ADDRESS.fullmatch(line) or _is_label(line):
        return True
    parts = [part for part in _SPLIT.split(line) if any(char.isalnum() for char in part)]
    return bool(parts) and all(_is_label(part) for part in parts)


def _is_label(part: str) -> bool:
    """`Save`, `★ Save 12`, `Load more`, `下一页`, `18 Jun 2026`."""
    part = part.strip()
    if _DATE.fullmatch(part) or _ARXIV.fullmatch(part) or any(form.fullmatch(part) for form in _COUNTERS):
        return True
    words = [word for word in re.split(r"[\W_]+", part.casefold()) if word and not word.isdigit()]
    if not 0 < len(words) <= 8 or words[-1] in _JOINTS:
        return False
    return all(word in _WORDS or word in _PHRASES for word in words)


def date_of(line: str) -> PartialDate | None:
    """The day that a line gives, where the line is a date with its year, and a word before it at most."""
    found = _DATE.fullmatch(line)
    if not found:
        return None
    for n in "1234":
        year, month, day = found[f"y{n}"], found[f"m{n}"], found[f"d{n}"]
        if year and month and day:
            number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
            return parse_date(f"{year}-{number:02d}-{int(day):02d}")
    return None
