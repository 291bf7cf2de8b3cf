"""The index of an edition for questions: the words of each rule."""

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log
from typing import NamedTuple, TypedDict

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.errors import VariorumError
from variorum.files import write_file
from variorum.rows import examples_of, text_of
from variorum.search.indexes.cache import cache_of, is_ours, open_cache, sealed, unsealed
from variorum.search.questions.numbers_now import numbers_now
from variorum.text import plain_words
from variorum.versions import version_of
from variorum.words import stem_of

# BM25: how soon repeated words stop counting, and how much less a long text counts.
_SOON, _LONG = 1.2, 0.6
_SCALE = 1000
_RULE = re.compile(r"\d+\.\d+")


class Postings(NamedTuple):
    """The texts with each stem, with weights in thousandths.

    Attributes:
        total: The number of all texts.
        rows: The places of texts and the weights, alternating, by stem.
    """

    total: int
    rows: Mapping[str, Sequence[int]]

    def tells(self, stem: str) -> float:
        """Return the weight of a stem, higher for rarer stems."""
        having = len(self.rows.get(stem, ())) // 2
        return log(1 + (self.total - having + 0.5) / (having + 0.5)) if having else 0.0

    def points(self, stems: Mapping[str, float]) -> list[float]:
        """Return the score of each text for weighted stems."""
        scores = [0.0] * self.total
        for stem, much in stems.items():
            row = self.rows.get(stem)
            if row:
                weight = much * self.tells(stem) / _SCALE
                for place, points in zip(row[::2], row[1::2], strict=True):
                    scores[place] += weight * points
        return scores


class StoredIndex(TypedDict):
    """The form of an index in the cache."""

    rests_on: str
    rules: list[str]
    headings: list[str]
    texts: list[str]
    rule_of: list[int]
    cited: list[int]
    small: dict[str, list[int]]
    large: dict[str, list[int]]
    titles: list[str]
    moved: dict[str, str]
    section_of: dict[str, str]


class QuestionIndex:
    """The rules of an edition, each with its subrules, by their words.

    Attributes:
        rules: The number of each rule.
        headings: The heading of each rule; "" if it has none.
        texts: The number of each rule and subrule.
        rule_of: The place of the rule of each text.
        cited: How many rules cite each rule or its subrules.
        small: The words of rules and subrules, with their examples and headings.
        large: The words of each rule with all its subrules.
        section_of: The numbers of sections by the stems of their headings.
        moved: The numbers of rules in this edition, by their numbers in the table of weights, if the
            two differ.
    """

    def __init__(self, stored: StoredIndex) -> None:
        self.rules, self.headings = stored["rules"], stored["headings"]
        self.texts, self.rule_of = stored["texts"], stored["rule_of"]
        self.cited = stored["cited"]
        self.small = Postings(len(self.texts), stored["small"])
        self.large = Postings(len(self.rules), stored["large"])
        self.moved, self.section_of = stored["moved"], stored["section_of"]
        self._titles = frozenset(stored["titles"])

    def is_term(self, stems: Sequence[str]) -> bool:
        """Return whether stems are a heading, a headword or a single word of the rules."""
        return " ".join(stems) in self._titles or (len(stems) == 1 and stems[0] in self.small.rows)

    def tells(self, stem: str) -> float:
        """Return the weight of a stem: 0 if no rule has it, higher for rarer stems."""
        return self.small.tells(stem)

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Return the places of the rules by their numbers."""
        return {number: place for place, number in enumerate(self.rules)}

    @cached_property
    def sections(self) -> list[str]:
        """Return the section of each rule."""
        return [_section(number) for number in self.rules]

    @cached_property
    def in_section(self) -> dict[str, list[int]]:
        """Return the places of the rules of each section."""
        places: dict[str, list[int]] = {}
        for place, section in enumerate(self.sections):
            places.setdefault(section, []).append(place)
        return places

    def former(self, number: str) -> str:
        """Return the number that the table of weights has for a rule or subrule."""
        return self._formers.get(number, number)

    @cached_property
    def _formers(self) -> dict[str, str]:
        return {new: old for old, new in self.moved.items()}

    @cached_property
    def below(self) -> list[list[int]]:
        """Return the places of the texts of each rule."""
        texts: list[list[int]] = [[] for _ in self.rules]
        for place, rule in enumerate(self.rule_of):
            texts[rule].append(place)
        return texts

    @cached_property
    def keywords(self) -> dict[str, list[tuple[tuple[str, ...], int]]]:
        """Return the headings of rules as stems, with the rules' places, by the first stem."""
        headings: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for place, heading in enumerate(self.headings):
            stems = tuple([stem_of(word) for word in plain_words(heading)])
            if stems and stems != ("x",):
                headings.setdefault(stems[0], []).append((stems, place))
        return headings

    def named_in(self, sequence: Sequence[str]) -> set[int]:
        """Return the rules whose headings occur in a sequence of stems."""
        return {
            rule
            for place, stem in enumerate(sequence)
            for stems, rule in self.keywords.get(stem, ())
            if tuple(sequence[place : place + len(stems)]) == stems
        }


def index_of(base: KnowledgeBase, edition: EditionEntry, fitted_on: str) -> QuestionIndex:
    """Return the index of an edition from the user's cache, or make and cache it.

    Args:
        base: The base with the edition.
        edition: The edition.
        fitted_on: The label of the edition whose numbers the weights name.
    """
    rests_on = f"{base.digest} {edition.label} {fitted_on} {version_of('index')}"
    file = cache_of(base.folder) / f"questions-{edition.label}.json"
    if is_ours(file.parent):
        try:
            stored: StoredIndex = json.loads(unsealed(file.read_bytes()))
            if stored["rests_on"] == rests_on:
                return QuestionIndex(stored)
        except (OSError, ValueError, KeyError, TypeError):
            pass
    stored = _made(base, edition, fitted_on, rests_on)
    with contextlib.suppress(VariorumError):  # the index works without the cache
        write_file(open_cache(base.folder) / file.name, sealed(json.dumps(stored)))
    return QuestionIndex(stored)


def _made(base: KnowledgeBase, edition: EditionEntry, fitted_on: str, rests_on: str) -> StoredIndex:
    rules: list[str] = []
    headings: list[str] = []
    texts: list[str] = []
    rule_of: list[int] = []
    small: list[list[str]] = []
    large: list[list[str]] = []
    sections: dict[str, str] = {}
    titles: list[str] = []
    citing: dict[str, set[str]] = {}
    for subject in base.provisions(edition):
        if subject.heading:
            titles.append(" ".join(stems_in(subject.heading)))
        if subject.kind == "section":
            sections[subject.number] = subject.heading
        if subject.kind not in {"rule", "subrule"}:
            continue
        match = _RULE.match(subject.number)
        number = match[0] if match else subject.number
        if not rules or rules[-1] != number:
            rules.append(number)
            headings.append(subject.heading)
            large.append(stems_in(sections.get(_section(number), "")))
        text = text_of(subject.state.body)
        above = stems_in(f"{sections.get(_section(number), '')} {subject.heading}")
        texts.append(subject.address)
        rule_of.append(len(rules) - 1)
        small.append(
            [*stems_in(text), *stems_in(" ".join(examples_of(subject.state.body))), *above]
        )
        large[-1] += stems_in(text)
        for cited in _RULE.findall(text):
            citing.setdefault(cited, set()).add(number)
    return {
        "rests_on": rests_on,
        "rules": rules,
        "headings": headings,
        "texts": texts,
        "rule_of": rule_of,
        "cited": [len(citing.get(number, set()) - {number}) for number in rules],
        "small": _postings(small),
        "large": _postings(large),
        "titles": sorted(set(titles)),
        "section_of": {" ".join(stems_in(title)): number for number, title in sections.items()},
        "moved": numbers_now(base, fitted_on, edition),
    }


def _section(number: str) -> str:
    return number.partition(".")[0]


def stems_in(text: str) -> list[str]:
    """Return the stems of a text's words in their order."""
    return [stem_of(word) for word in plain_words(text)]


def _postings(texts: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    usual = sum(map(len, texts)) / max(1, len(texts)) or 1.0
    rows: dict[str, list[int]] = {}
    for place, stems in enumerate(texts):
        counts: dict[str, int] = {}
        for stem in stems:
            counts[stem] = counts.get(stem, 0) + 1
        length = _SOON * (1 - _LONG + _LONG * len(stems) / usual)
        for stem, count in counts.items():
            points = count * (_SOON + 1) / (count + length)
            rows.setdefault(stem, []).extend((place, round(points * _SCALE)))
    return rows
