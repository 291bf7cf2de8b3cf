"""Finds the rules that each paragraph of prose discusses, and how likely it does."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeGuard

from variorum.articles.subrules import DiscussedSubrule, find_subrules
from variorum.articles.topics import EVERYDAY_STEMS, EditionTopics, TopicCandidate
from variorum.rule_numbers import stem_of
from variorum.text import sentences_of, words_of

# Logistic, fitted to 268 paragraphs of nine bulletins, whose numbers tell the right rule. Of the 95
# links above `_DISCUSSED`, 84 are right, and 3 lead to a rule that says much the same.
_BASE, _BY_POINTS, _BY_LEAD, _BY_TELLING, _MOST_TELLING = -4.7, 0.93, 6.2, 0.13, 4
# The best part of a paragraph was chosen among several.
_CHOSEN = 0.5
# The least chance of a link; of one if the paragraphs around it discuss the same section; if the
# rule is the topic of all; of a subrule of the topic; at which a paragraph is about some rule. On
# 138 other paragraphs, 128 of them about a rule, 66 of the 67 links of the first two are right.
_DISCUSSED, _BESIDE, _IN_TOPIC, _SUBRULE, _ABOUT_SOME_RULE = 0.8, 0.42, 0.35, 0.8, 0.5
# The most that words alone can prove.
_AT_MOST = 0.95
# So many paragraphs are about the topic; a rule with so much of the best one's points is near.
_TOPIC, _TOPIC_NEAR, _TWIN_NEAR = 0.5, 0.7, 0.75
# A rule that says the same as the best rule reduces its lead only if the best rule has fewer points
# than this, and then only in part.
_MANY_POINTS, _TWIN_LEAD = 60, 0.5
_FEWEST, _FEWEST_WORDS = 2, 3
_TOPIC_FACTOR, _TOPIC_PARAGRAPHS = 1.5, 3
_SUBSTANTIAL = 12
_FEWEST_NEAR = 3
_TOPIC_TELLING = 4
MOST_LINKS = 3
_WINDOW = 2
_LONGEST = 40
# The article's rule must be among this many best candidates of a paragraph.
_NEAR_FIRST = 12
_NEIGHBOURS = 2
# The section of a paragraph is suggested by this many paragraphs before and after it.
_AROUND, _SECTION = 2, 3


class DiscussedRule(NamedTuple):
    """A rule that a paragraph discusses.

    Attributes:
        state: The id of its state.
        number: As the edition prints it.
        chance: That it is this rule, a neighbouring subrule or a rule that says the same.
        shared: The words that both share, the weightiest first.
        words: The part of the paragraph that discusses it.
        is_topic: Whether the whole article is about this rule.
        is_whole: Whether the link is to a whole rule, not to its best subrule.
        twin: The number of the next rule if it says much the same; otherwise "".
    """

    state: int
    number: str
    chance: float
    shared: tuple[str, ...]
    words: str
    is_topic: bool
    is_whole: bool = False
    twin: str = ""


class Topic(NamedTuple):
    """The rule that most paragraphs discuss, or ""; how many of the long enough paragraphs do."""

    family: str = ""
    near: int = 0
    of: int = 0


NO_TOPIC = Topic()


def find_topic(title: str, paragraphs: Sequence[str], subjects: EditionTopics) -> Topic:
    """Return the best rule for the whole text, if enough paragraphs discuss it too."""
    ranks = [subjects.rank(text) for text in paragraphs if len(words_of(text)) >= _SUBSTANTIAL]
    near = Counter[str]()
    for rank in ranks:
        near.update(
            [
                candidate.family
                for candidate in rank
                if candidate.points >= _TOPIC_NEAR * rank[0].points
            ]
        )
    text = "\n".join([title, *paragraphs])
    for subject in subjects.rank(text)[:1]:
        count = near[subject.family]
        is_named = any(candidate.family == subject.family for candidate in subjects.rank(title)[:1])
        fewest = _TOPIC_PARAGRAPHS - is_named
        is_most = count >= max(fewest, _TOPIC * len(ranks))
        telling = subjects.common(subject, text).stems - EVERYDAY_STEMS
        if is_most and len(telling) >= _TOPIC_TELLING:
            return Topic(subject.family, count, len(ranks))
    return NO_TOPIC


def find_all_links(
    texts: Sequence[str], subjects: EditionTopics, topic: Topic
) -> list[tuple[DiscussedRule, ...]]:
    """Return the rules that each paragraph of an article discusses, the surest first.

    The order of the paragraphs decides which subrules of the article's rule they discuss.
    """
    links = [find_links(text, subjects, topic) for text in texts]
    if not topic.family:
        return [
            some or _find_beside(text, subjects, _sections_around(links, place))
            for place, (text, some) in enumerate(zip(texts, links, strict=True))
        ]
    subrules = find_subrules(texts, subjects, topic.family)
    for place, (text, subrule) in enumerate(zip(texts, subrules, strict=True)):
        beside = (*subrules[max(place - 1, 0) : place], *subrules[place + 1 : place + 2])
        is_between = len(beside) == _NEIGHBOURS and all(map(_is_sure, beside))
        if not _is_sure(subrule) or not (is_between or _may_be(text, subjects, topic)):
            links[place] = tuple([link for link in links[place] if _is_apart(link, topic)])
            continue
        state = subjects.state_of(subrule.number)
        if state is not None:
            elsewhere = [link for link in links[place] if link.number[:4] != topic.family[:4]]
            sure = min(subrule.chance, _AT_MOST)
            link = DiscussedRule(
                state, subrule.number, sure, subrule.shared, subrule.words, is_topic=True
            )
            links[place] = (link, *elsewhere)[:MOST_LINKS]
    return links


def _sections_around(links: Sequence[Sequence[DiscussedRule]], place: int) -> frozenset[str]:
    """Return the sections that the paragraphs around a paragraph without links discuss."""
    around = links[max(place - _AROUND, 0) : place + _AROUND + 1]
    return frozenset([link.number[:_SECTION] for some in around for link in some])


def _find_beside(
    text: str, subjects: EditionTopics, sections: frozenset[str]
) -> tuple[DiscussedRule, ...]:
    """Return a paragraph's likeliest rule if its neighbours discuss the same section."""
    link = _link(text, subjects, NO_TOPIC, is_part=False, least=_BESIDE)
    if link is None or link.number[:_SECTION] not in sections:
        return ()
    return (link._replace(chance=max(link.chance, _DISCUSSED)),)


def _is_sure(subrule: DiscussedSubrule | None) -> TypeGuard[DiscussedSubrule]:
    return subrule is not None and subrule.chance >= _SUBRULE


def _is_apart(link: DiscussedRule, topic: Topic) -> bool:
    """Say whether a link leads to a rule other than the article's, or to the whole of that rule."""
    return link.is_whole or stem_of(link.number) != topic.family


def _may_be(text: str, subjects: EditionTopics, topic: Topic) -> bool:
    """Say whether a paragraph can be about the rule of its article."""
    rank = subjects.rank(text)[:_NEAR_FIRST]
    return any(candidate.family == topic.family for candidate in rank)


def find_links(text: str, subjects: EditionTopics, topic: Topic) -> tuple[DiscussedRule, ...]:
    """Return the rules that a paragraph discusses, the surest first, at most three."""
    best: dict[str, DiscussedRule] = {}
    for window in _windows(text):
        link = _link(window, subjects, topic, is_part=window != text)
        if link is None:
            continue
        family = stem_of(link.number)
        if family not in best or _is_better(link, best[family]):
            best[family] = link
    order = sorted(best.values(), key=lambda link: (-link.chance, link.state))
    return tuple(order[:MOST_LINKS])


def is_near(text: str, subjects: EditionTopics) -> bool:
    """Say whether a paragraph is probably about some rule, even if it is unclear which.

    Everyday words or two words of this game are not enough.
    """
    for window in _windows(text):
        rank = [(candidate.points, candidate) for candidate in subjects.rank(window)]
        if rank:
            points, best = rank[0]
            telling = len(subjects.common(best, window).stems - EVERYDAY_STEMS)
            lead = _lead(rank, subjects)
            chance = chance_of(points, lead, telling, is_part=window != text)
            if telling >= _FEWEST_NEAR and chance >= _ABOUT_SOME_RULE:
                return True
    return False


def _is_better(link: DiscussedRule, rival: DiscussedRule) -> bool:
    """Say whether a link is better: a link to a subrule beats a link to a whole rule.

    Of two links of one kind, the surer is better.
    """
    is_same = link.is_whole is rival.is_whole
    return link.chance > rival.chance if is_same else rival.is_whole


def _windows(text: str) -> list[str]:
    """Return a paragraph and its runs of neighbouring sentences."""
    sentences = sentences_of(text)[:_LONGEST]
    if len(sentences) <= _WINDOW:
        return [text]
    return [text, *[" ".join(pair) for pair in pairwise(sentences)]]


def _link(
    text: str, subjects: EditionTopics, topic: Topic, *, is_part: bool, least: float = _DISCUSSED
) -> DiscussedRule | None:
    """Return the rule that words discuss, if that is likely enough."""
    rank = [_with_topic(candidate, topic) for candidate in subjects.rank(text)]
    rank.sort(key=lambda scored: (-scored[0], scored[1].state))
    if not rank:
        return None
    points, best = rank[0]
    lead = _lead(rank, subjects)
    common = subjects.common(best, text)
    telling = common.stems - EVERYDAY_STEMS
    chance = min(chance_of(points, lead, len(telling), is_part=is_part), _AT_MOST)
    is_topic = best.family == topic.family
    if chance >= least and len(telling) >= _FEWEST and len(common.stems) >= _FEWEST_WORDS:
        twin = _twin(rank, subjects)
        return DiscussedRule(
            best.state, best.number, chance, common.words, text, is_topic, twin=twin
        )
    is_long = len(words_of(text)) >= _SUBSTANTIAL
    if is_topic and is_long and not is_part and chance >= _IN_TOPIC:
        head = subjects.state_of(best.family)
        # The topic of the article counts as much as clear words.
        sure = 1 - (1 - chance) * (1 - _TOPIC)
        if head is not None and sure >= _DISCUSSED:
            return DiscussedRule(
                head, best.family, sure, common.words, text, is_topic, is_whole=True
            )
    return None


def _lead(rank: Sequence[tuple[float, TopicCandidate]], subjects: EditionTopics) -> float:
    """Return the lead of the first candidate, as a fraction of its points.

    With enough points, a second candidate that says the same does not count.
    """
    points, best = rank[0]
    ahead = 1 - rank[1][0] / points if rank[1:] else 1.0
    rivals = (near for near, candidate in rank[1:] if not subjects.is_twin(best, candidate))
    ahead_of_others = 1 - next(rivals, 0.0) / points
    share = 1.0 if points >= _MANY_POINTS else _TWIN_LEAD
    return ahead + share * (ahead_of_others - ahead)


def _twin(rank: Sequence[tuple[float, TopicCandidate]], subjects: EditionTopics) -> str:
    """Return the number of the second candidate if it is near and says much the same; else ""."""
    (points, best), *rivals = rank
    for near, rival in rivals[:1]:
        if near >= _TWIN_NEAR * points and subjects.is_twin(best, rival):
            return rival.number
    return ""


def _with_topic(candidate: TopicCandidate, topic: Topic) -> tuple[float, TopicCandidate]:
    return candidate.points * (_TOPIC_FACTOR if candidate.family == topic.family else 1), candidate


def chance_of(points: float, lead: float, telling: int, *, is_part: bool = False) -> float:
    """Return the chance that the best candidate is right.

    Args:
        points: The points of the best candidate.
        lead: Its lead over the next family, as a fraction of the points.
        telling: The number of words of this game that both share.
        is_part: Whether the words are the best part of a paragraph.
    """
    sum_ = (
        _BASE
        + _BY_POINTS * math.log(points)
        + _BY_LEAD * lead
        + _BY_TELLING * min(telling, _MOST_TELLING)
        - (_CHOSEN if is_part else 0)
    )
    return 1 / (1 + math.exp(-sum_))
