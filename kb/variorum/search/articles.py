"""Links prose to the rules that its paragraphs discuss, and says when it was written.

A paragraph is a question to the search engine: every rule and subrule gets points by the words that both
share. A rule that most paragraphs are near is the article's topic, and gets more in each of them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from math import log
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import lines_of, stood
from variorum.citations import Reference, find_references, numbers_between
from variorum.rows import full_text
from variorum.rule_numbers import SECTION
from variorum.rule_numbers import stem_of as rule_of
from variorum.search.eras import Era, era_of
from variorum.search.index import Points, Rules
from variorum.search.indexes import SearchIndexes
from variorum.search.vocabulary import stems_of
from variorum.text import plain_words, sentences_of, shortened, without_middle
from variorum.words import EVERYDAY, SILENT, stem_of

# A paragraph discusses a rule with at least this chance, or we say nothing. On the bulletins without
# their numbers, 61 of 73 links lead to the very rule, most others to one that says the same.
_LEVEL = 0.5
# What a rule with its subrules adds to the points of each, two words in a row to those of single ones,
# and what is left of an everyday word; so many other words must be shared.
_FAMILY, _PAIR, _EVERYDAY, _FEWEST_SHARED = 0.5, 0.5, 0.5, 3
# Points as odds: to this power, against a paragraph about no rule, which has so many.
_POWER, _NOTHING = 6.0, 18.0
# A rule is the topic if, by the squares, it has so much of the points of the best rule of each paragraph.
# Its points then count four times, but where another rule has many. A subrule must have most of its rule's.
_TOPIC, _FEWEST_PARAGRAPHS, _IN_TOPIC, _MANY, _CLEAR = 0.45, 3, 4.0, 40.0, 1.0
_CLOSELY, _MOST_LINKS, _MOST_PARAGRAPHS, _MOST_SHOWN, _MOST_WORDS = 60, 3, 500, 5, 25
_DATED_BY, _MOST_CHARACTERS = 30_000, 160
# The chance that the only rule with a cited number is meant; one of several, told by its words; the latest.
_ONLY, _TOLD_APART, _GUESSED, _AT_MOST = 0.98, 0.9, 0.6, 0.95
_NOISE = re.compile(rf".|{SECTION}.*|\d+[a-z]{{1,2}}")
# An article that names the rulebook cites its numbers.
_RULEBOOK = re.compile(rf"\bcomp(?:rehensive|\.)? ?rules?\b|\bCR ?{SECTION}\.\d", re.IGNORECASE)
_EVERYDAY_STEMS = frozenset(map(stem_of, EVERYDAY))
_UNDATED = Era(None, None, ["nothing tells its time"])


class ProseParagraph(NamedTuple):
    """A paragraph of prose, with the number of its first line."""

    line: int
    text: str


class Discussed(NamedTuple):
    """A rule that a paragraph discusses, or whose number it cites; no state if no edition has the number."""

    line: int
    words: str
    cited: str
    state: int | None
    edition: int | None
    chance: float
    evidence: tuple[str, ...]


class LinkedArticle(NamedTuple):
    """The rules that an article discusses; the first and the last edition of its time, or None."""

    first: int | None
    last: int | None
    discussed: Sequence[Discussed]
    evidence: Sequence[str]


class ArticleLinker:
    """Links articles to the rules of a base."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base, self._indexes = base, SearchIndexes(base)

    def link(
        self,
        paragraphs: Sequence[ProseParagraph],
        title: str = "",
        day: date | None = None,
        quoted: Sequence[int] = (),
    ) -> LinkedArticle | None:
        """Return the rules that prose discusses; None if there are none. The editions `quoted` fit it."""
        paragraphs = paragraphs[:_MOST_PARAGRAPHS]
        texts = [paragraph.text for paragraph in paragraphs]
        first, last, evidence = self._time("\n".join([title, *texts]), day, quoted)
        place = self._base.editions[-1].place if last is None else last
        rules = self._indexes.rules(self._base.editions[place])
        likest = [_points(text, rules) for text in texts]
        topic = _topic([_points(title, rules), *likest], rules)
        links = [self._link(*it, topic, rules, place) for it in zip(texts, likest, strict=True)]
        cited = [[*self._cited(text, first or 0, place)] for text in texts]
        told = any(is_told for numbers in cited for _, is_told in numbers)
        if not (quoted or any(links) or told or any(map(_RULEBOOK.search, texts))):
            cited = [[] for _ in texts]  # the numbers of another rulebook
        discussed: list[Discussed] = []
        for paragraph, numbers, link in zip(paragraphs, cited, links, strict=True):
            some = sorted([rule for rule, _ in numbers], key=lambda rule: rule.state is None)
            own = link and rule_of(self._base.states[link.state or 0].number)
            some += [link] if link and own not in {rule_of(rule.cited) for rule in some} else []
            discussed += [rule._replace(line=paragraph.line) for rule in some[:_MOST_LINKS]]
        if all(rule.state is None for rule in discussed):
            return None
        count = f"{len({rule.line for rule in discussed})} of {len(texts)} paragraphs discuss rules"
        return LinkedArticle(first, last, discussed, [*evidence, count])

    def _time(self, text: str, day: date | None, quoted: Sequence[int]) -> Era:
        """Return the editions that prose can be about: by its day, else its quotations, else its words."""
        era = era_of(text[:_DATED_BY], self._base.editions) or _UNDATED
        words = [*era.evidence[:_MOST_SHOWN]]
        if day is not None:
            before = [e.place for e in self._base.editions if e.effective <= str(day)]
            place = max(before, default=-1)
            if place < 0:
                return Era(None, None, [f"says it is of {day}, before the first edition"])
            said = f"says it is of {day}: the edition of {self._base.labels[place]} was in force"
            is_other = era.first is not None and not era.first <= place <= (era.last or 0)
            words = ["its words are of another time:", *words] if is_other else []
            return Era(place, place, [said, *words])
        return Era(min(quoted), max(quoted), words) if quoted else era._replace(evidence=words)

    # Words ---------------------------------------------------------------------------------------

    def _link(
        self, text: str, points: Points, topic: int | None, rules: Rules, place: int
    ) -> Discussed | None:
        """Return the rule that a paragraph discusses, if that is likely enough."""
        factor = _IN_TOPIC if max(points.values(), default=0.0) <= _MANY else 1.0
        odds = {
            at: ((factor if rules.rule_of[at] == topic else 1.0) * much / _NOTHING) ** _POWER
            for at, much in points.items()
        }
        by_rule: defaultdict[int, float] = defaultdict(float)
        for at, much in odds.items():
            by_rule[rules.rule_of[at]] += much
        if not odds:
            return None
        rule = max(by_rule, key=lambda rule: by_rule[rule])
        chance = by_rule[rule] / (1 + sum(by_rule.values()))
        # Of the rule and its subrules, that with most of the words that only few have.
        own = [at for at in odds if rules.rule_of[at] == rule]
        weights, tells = rules.index.weights, rules.index.tells
        words, telling = [*dict.fromkeys(_words(text))], dict.fromkeys(own, 0.0)
        for stem in dict.fromkeys(stems_of(words)):
            having = [at for at in own if at in weights(stem)]
            for at in having:
                telling[at] += log(len(own) / len(having)) * weights(stem)[at]
        best = max(own, key=lambda at: telling[at])
        best = best if telling[best] > _CLEAR else min(own)
        worth = {
            word: weights(stem_of(word)).get(best, 0.0) * tells(stem_of(word)) for word in words
        }
        shared = sorted(filter(worth.get, words), key=lambda it: -worth[it])
        rare = {*stems_of(words)} - _EVERYDAY_STEMS
        count = sum(not weights(stem).keys().isdisjoint(own) for stem in rare)
        if chance < _LEVEL or (rule != topic and count < _FEWEST_SHARED):
            return None
        number, key = rules.index.columns.numbers[best], rules.index.columns.keys[best]
        evidence = f"shares with rule {number}: {', '.join(shared[:_MOST_SHOWN])}"
        chance = round(min(chance, _AT_MOST), 2)
        return Discussed(0, _quotation(text, shared), "", key, place, chance, (evidence,))

    # Numbers -------------------------------------------------------------------------------------

    def _cited(self, text: str, first: int, last: int) -> Iterator[tuple[Discussed, bool]]:
        """Yield the rules whose numbers a paragraph cites, each once, and whether their words tell so."""
        said, seen = {*stems_of(_words(text))} - _EVERYDAY_STEMS, set[object]()
        pairs = ((it, part) for part in sentences_of(text) for it in find_references(part))
        for cited, part in pairs:
            if (ends := (cited.first, cited.last)) not in seen:
                rule, is_told = self._bearer(cited, said, first, last)
                if rule.cited not in seen and len(rule.cited) > 1:  # "section 7" is anybody's
                    yield rule._replace(words=_quotation(part, rule.cited.split())), is_told
                seen |= {ends, rule.cited}

    def _bearer(self, cited: Reference, said: set[str], *time: int) -> tuple[Discussed, bool]:
        """Return the rule of that time with a cited number; of several, that with most of the words."""
        lines, (first, last) = lines_of(self._base), time
        for number in numbers_between(cited.first, cited.last):
            newest: dict[int, tuple[int, int, int]] = {}  # of each lineage
            for state in self._base.states.of(it.state for it in self._base.runs(number)).values():
                like = len(said & {*stems_of(_words(f"{state.heading} {full_text(state.body)}"))})
                for since, until in stood(self._base, [state.id]):
                    if since <= last and until >= first:
                        row, line = (like, min(until, last), state.id), lines[state.id]
                        newest[line] = max(newest.get(line, row), row, key=lambda row: row[1:])
            if newest:
                (likeness, place, key), *others = sorted(newest.values(), reverse=True)
                is_apart = not others or likeness > others[0][0]
                why = f"cites {number}: so numbered in the edition of {self._base.labels[place]}"
                chance = (_TOLD_APART if is_apart else _GUESSED) if others else _ONLY
                return Discussed(0, "", number, key, place, chance, (why,)), likeness > 0
        evidence = f"cites {cited.first}, which no edition of its time has"
        return Discussed(0, "", cited.first, None, None, 0.0, (evidence,)), False


def _points(text: str, rules: Rules) -> Points:
    """Return the points of rules and subrules for the words of a text."""
    stems = stems_of(_words(text))
    worth = {stem: _EVERYDAY if stem in _EVERYDAY_STEMS else 1.0 for stem in stems}
    points, of_rules = rules.text_points(worth), rules.points(worth)
    for at in points:
        points[at] += _FAMILY * of_rules.get(rules.rule_of[at], 0.0)
    likest = sorted(points, key=lambda at: (-points[at], at))[:_CLOSELY]
    for at, much in rules.pair_points(stems, likest).items():
        points[at] += _PAIR * much
    return points


def _topic(paragraphs: Sequence[Points], rules: Rules) -> int | None:
    support: defaultdict[int, float] = defaultdict(float)
    for best in map(rules.best, paragraphs):
        for rule, much in best.items():
            support[rule] += (much / max(best.values())) ** 2 / len(paragraphs)
    topic = max(support, key=lambda rule: support[rule], default=None)
    is_topic = len(paragraphs) >= _FEWEST_PARAGRAPHS and support[topic or 0] >= _TOPIC
    return topic if is_topic else None


def _words(text: str) -> list[str]:
    words = plain_words(text)
    return [word for word in words if word not in SILENT and not _NOISE.fullmatch(word)]


def _quotation(text: str, shared: Sequence[str]) -> str:
    """Return the sentence of a text that has the most of some words, shortened."""
    wanted = {*stems_of(shared)}
    best = max(sentences_of(text), key=lambda each: len(wanted & {*stems_of(_words(each))}))
    return shortened(without_middle(" ".join(best.split()), _MOST_WORDS, 0), _MOST_CHARACTERS)
