"""Links prose to the rules that its paragraphs discuss, and dates it."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple
from weakref import WeakKeyDictionary

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.articles.citations import Cited, NumberResolver
from variorum.articles.dates import time_of
from variorum.articles.discussed import (
    MOST_LINKS,
    DiscussedRule,
    Topic,
    find_all_links,
    find_topic,
    is_near,
)
from variorum.articles.topics import EditionTopics
from variorum.rule_numbers import SECTION, stem_of
from variorum.text import sentences_of, words_of
from variorum.words import topic_of

# The most words and the most characters of a shortened quotation.
_MOST_WORDS, _MOST_CHARACTERS = 25, 160
# Each costs about 10 ms; no article has so many.
_MOST_PARAGRAPHS = 500
# If an article names the rulebook, its numbers are numbers of rules.
_OWN_NAME = re.compile(rf"\b(?:comp(?:rehensive|\.)? ?rules?|CR ?(?={SECTION}\.\d))", re.IGNORECASE)
_GAME = re.compile(r"\bMagic: ?the Gathering\b|\bMTG\b", re.IGNORECASE)
_MOST_SHOWN = 5
# An article without links is about this game if it has this many phrases unique to the rules, and
# as many paragraphs that resemble a rule. Otherwise it may be about a war or another game.
_FEWEST_SIGNS = 3
_TOPICS: WeakKeyDictionary[KnowledgeBase, tuple[int, EditionTopics]] = WeakKeyDictionary()


class ProseParagraph(NamedTuple):
    """A paragraph of prose, with the number of its first line."""

    line: int
    text: str


class Discussed(NamedTuple):
    """A rule that a paragraph discusses.

    Attributes:
        line: The first line of the paragraph.
        words: A short quotation from the paragraph.
        cited: The number that it cites; "" if its words tell the rule.
        state: The id of the rule's state; None if no edition of its time has the cited number.
        edition: The place of an edition with that state; None without a state.
        chance: The chance that this rule is meant.
        evidence: In our words.
    """

    line: int
    words: str
    cited: str
    state: int | None
    edition: int | None
    chance: float
    evidence: tuple[str, ...]


class LinkedArticle(NamedTuple):
    """The rules that an article discusses, and the first and the last edition it can be about."""

    first: int | None
    last: int | None
    discussed: tuple[Discussed, ...]
    evidence: tuple[str, ...]


def link_article(
    base: KnowledgeBase,
    paragraphs: Sequence[ProseParagraph],
    title: str = "",
    day: date | None = None,
    editions: Sequence[int] = (),
) -> LinkedArticle | None:
    """Say which rules prose discusses, and when it was written; None if it is not about this game.

    Args:
        base: The editions.
        paragraphs: In printed order, without what quotes rules.
        title: Helps to find the topic.
        day: The day on which it says it was written.
        editions: The places of the editions that its quotations fit, if it quotes rules.
    """
    if not base.editions or not paragraphs:
        return None
    texts = [paragraph.text for paragraph in paragraphs[:_MOST_PARAGRAPHS]]
    time = time_of(base, texts, day, editions)
    subjects = _topics_of(base, time.place)
    topic = find_topic(title, texts, subjects)
    links = find_all_links(texts, subjects, topic)
    citations = NumberResolver(base, time.first, time.last)
    cited = [citations.find(text) for text in texts]
    is_sure = bool(editions) or any(links) or any(map(_OWN_NAME.search, texts))
    if not (is_sure or any(citation.is_supported for some in cited for citation in some)):
        # The numbers are another rulebook's.
        cited = [() for _ in texts]
    discussed = tuple(
        [
            rule
            for paragraph, numbers, rules in zip(paragraphs, cited, links, strict=False)
            for rule in [*_discussed(paragraph, numbers, rules, topic, time.place)][:MOST_LINKS]
        ]
    )
    near = 0 if any(links) else sum([is_near(text, subjects) for text in texts])
    is_own = bool(editions) or any(map(_GAME.search, (title, *texts)))
    is_about = is_own or (time.is_worded and time.own + near >= _FEWEST_SIGNS)
    if not (is_about or any(rule.state is not None for rule in discussed)):
        return None
    count = sum([bool(numbers or rules) for numbers, rules in zip(cited, links, strict=True)])
    evidence = [f"{count} of {len(texts)} paragraphs discuss rules that could be told"]
    evidence += [_about(topic)] if topic.family else []
    if len(texts) < len(paragraphs):
        evidence.append(f"{len(paragraphs) - len(texts)} paragraphs behind these were not read")
    is_dated = time.is_dated
    return LinkedArticle(
        time.first if is_dated else None,
        time.last if is_dated else None,
        discussed,
        (*time.evidence, *evidence),
    )


def _topics_of(base: KnowledgeBase, place: int) -> EditionTopics:
    """Return the topics of an edition; cached, because most prose is linked to the last edition."""
    known = _TOPICS.get(base)
    if known is None or known[0] != place:
        outlines = base.texts.outlines_in(place)
        bodies = base.texts.bodies([outline.key for outline in outlines])
        known = _TOPICS[base] = place, EditionTopics(outlines, bodies)
    return known[1]


def _discussed(
    paragraph: ProseParagraph,
    cited: Sequence[Cited],
    links: Sequence[DiscussedRule],
    topic: Topic,
    place: int,
) -> Iterator[Discussed]:
    """Yield the rules that a paragraph discusses: cited rules first."""
    for citation in cited:
        yield Discussed(
            paragraph.line,
            short_quotation(citation.sentence, citation.number),
            citation.number,
            citation.state,
            citation.edition,
            citation.chance,
            citation.evidence,
        )
    families = {stem_of(citation.number) for citation in cited}
    for link in links:
        if stem_of(link.number) in families:
            continue
        rule = f"rule {link.number}{' and its subrules' if link.is_whole else ''}"
        evidence = [f"shares with {rule}: {', '.join(link.shared[:_MOST_SHOWN])}"]
        evidence += [f"rule {link.twin} says much the same"] if link.twin else []
        evidence += [_about(topic)] if link.is_topic else []
        words = short_quotation(link.words, *link.shared)
        chance = round(link.chance, 2)
        yield Discussed(paragraph.line, words, "", link.state, place, chance, tuple(evidence))


def _about(topic: Topic) -> str:
    return f"{topic.near} of {topic.of} paragraphs are near rule {topic.family}"


def short_quotation(text: str, *shared: str) -> str:
    """Return the sentence of a text that has the most of some words, shortened.

    >>> short_quotation("Well. Now the wick is trimmed, at last.", "wick", "trimmed")
    'Now the wick is trimmed, at last.'
    """
    wanted = {topic_of(word) for some in shared for word in words_of(some)}
    best = max(
        sentences_of(text),
        key=lambda sentence: len(wanted.intersection(map(topic_of, words_of(sentence)))),
        default="",
    )
    words = best.split()
    short = " ".join(words[:_MOST_WORDS])
    if len(short) > _MOST_CHARACTERS - 1:
        short = short[:_MOST_CHARACTERS].rpartition(" ")[0] or short[: _MOST_CHARACTERS - 2]
    is_whole = len(short) == len(" ".join(words))
    return short if is_whole else f"{short.rstrip(' ,;:–—-')}…"
