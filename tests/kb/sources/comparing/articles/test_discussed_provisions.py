"""Paraphrases of the sample rulebook are linked with its rules, with these confidences."""

from collections.abc import Callable, Iterator
from itertools import groupby

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.rule_numbers import stem_of
from variorum_kb.sources.comparing.articles.discussed_provisions import (
    NO_TOPIC,
    DiscussedProvision,
    chance_of,
    find_all_links,
    find_links,
    find_topic,
    is_near,
)
from variorum_kb.sources.comparing.articles.topics import EditionTopics

Rules = dict[str, str]


@pytest.fixture
def subjects(base: KnowledgeBase) -> EditionTopics:
    """Return the topics of the last edition."""
    outlines = base.texts.outlines_in(len(base.editions) - 1)
    return EditionTopics(outlines, base.texts.bodies([outline.key for outline in outlines]))


@pytest.fixture
def rules(base: KnowledgeBase) -> Rules:
    """Return the words of the last edition's rules."""
    provisions = base.provisions(base.editions[-1])
    return {rule.number: rule.text for rule in provisions if "." in rule.number and rule.text}


def lossy(text: str, every: int) -> str:
    """Return a text without some of its words."""
    words = text.split()
    del words[every - 1 :: every]
    return " ".join(words)


def told(link: DiscussedProvision) -> str:
    """Return a link in one line."""
    signs = f"{'*' * link.is_topic}{'+' * link.is_whole}{f' like {link.twin}' * bool(link.twin)}"
    shared = ", ".join(link.shared[:3])
    return f"{link.number}{signs} {link.confidence:.4f} ({len(link.shared)}: {shared})"


@pytest.mark.slow
def test_rules(
    subjects: EditionTopics, rules: Rules, golden: Callable[[str, object], None]
) -> None:
    """A rule with every third or second word left out still leads to it, if enough is left."""

    def lines() -> Iterator[str]:
        for number, text in rules.items():
            for every in (3, 2):
                paraphrase = lossy(text, every)
                links = "; ".join(map(told, find_links(paraphrase, subjects, NO_TOPIC)))
                rank = subjects.rank(paraphrase)[:2]
                points = ", ".join(f"{rule.number} {rule.points:.3f}" for rule in rank)
                near = "near" if is_near(paraphrase, subjects) else "far"
                yield f"{number}/{every}: {links or 'nothing'} [{points}; {near}]\n"

    golden("sources/comparing/articles/discussed-rules.txt", "".join(lines()))


@pytest.mark.slow
def test_articles(
    subjects: EditionTopics, rules: Rules, golden: Callable[[str, object], None]
) -> None:
    """In a paraphrase of a rule, the order of its subrules tells what each paragraph discusses."""

    def lines() -> Iterator[str]:
        for head, group in groupby(rules.items(), key=lambda rule: stem_of(rule[0])):
            texts = [text for _, text in group]
            topic = find_topic("", texts, subjects)
            if not topic.family:
                continue
            yield f"{head}: {topic.family} {topic.count}/{topic.of}\n"
            paraphrases = [lossy(text, 2) for text in texts]
            for links in find_all_links(paraphrases, subjects, topic):
                yield f"    {'; '.join(map(told, links)) or 'nothing'}\n"

    golden("sources/comparing/articles/discussed-articles.txt", "".join(lines()))


def test_chance() -> None:
    """Four telling words count at most, and part of a paragraph counts less than the whole."""
    assert chance_of(50, 0.3, 3) < chance_of(50, 0.3, 4) == chance_of(50, 0.3, 5)
    assert chance_of(50, 0.3, 3, is_part=True) < chance_of(50, 0.3, 3)


def test_most_links(subjects: EditionTopics, rules: Rules) -> None:
    """A paragraph is linked with at most three rules, found in its first forty sentences."""
    numbers = ("302.3", "608.3", "104.2", "705.2")
    filler = [f"{sentence}." for sentence in rules["100.2"].split(". ")[:1]] * 100

    links = find_links(" ".join([rules[number] for number in numbers]), subjects, NO_TOPIC)
    late = [
        find_links(" ".join([*filler[:count], rules["705.2"], *filler]), subjects, NO_TOPIC)
        for count in (39, 40)
    ]

    assert {link.number for link in links} < set(numbers)
    assert len(links) == 3
    assert [[link.number for link in some] for some in late] == [["705.2"], []]
