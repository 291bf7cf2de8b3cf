"""Find the rules that quoted words come from, with each number they stood under, and when."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from heapq import nlargest
from math import log
from operator import or_
from typing import NamedTuple

from variorum.quoting.match import Matcher, align
from variorum.quoting.page import Page, page_of
from variorum.quoting.texts import PrintedTexts, Words, runs_of

# Words less like a provision than this do not come from it.
_LIKE = 0.7
# Words that differ by less than this in likeness are as like.
_SAME = 0.005
# So many texts that share the rarest words are compared word by word.
_COMPARED = 200


class NumberRun(NamedTuple):
    """A run of editions that print words under one number; in the glossary, under one headword."""

    number: str
    headword: str
    first: int
    last: int


class RuleWithWords(NamedTuple):
    """A rule that prints quoted words, or words like them, in some runs of editions, oldest first."""

    printings: tuple[int, ...]
    runs: tuple[NumberRun, ...]
    likeness: float


def printings_with(quotation: str, known: PrintedTexts) -> dict[int, float]:
    """Return the printings that have some words, or words like them, and how like they are.

    If the words are a whole text, or a heading without one, longer texts with them are left out.
    """
    page = page_of(quotation)
    exact = known.containing(page.words)
    whole = [text for text in exact if known.words[text] == page.words]
    found = {place.printing: 1.0 for text in whole or exact for place in known.places[text]}
    return found or _laid(page, known) or _likest(page.words, known)


def _laid(page: Page, known: PrintedTexts) -> dict[int, float]:
    """Return the printings whose texts the matcher lays over most of a quotation."""
    likeness: dict[int, float] = defaultdict(float)
    for laid in Matcher(page, known).laid:
        likest: dict[int, float] = defaultdict(float)
        for option in laid.options:
            for place in known.places[option.text]:
                likest[place.printing] = max(likest[place.printing], option.likeness)
        for index, like in likest.items():
            likeness[index] += like * (laid.end - laid.start) / len(page.words)
    return {index: like for index, like in likeness.items() if like >= _LIKE}


def _likest(words: Words, known: PrintedTexts) -> dict[int, float]:
    """Return the printings with most of some words in this order, however few stand in a row."""
    wanted = set(words)
    shared = [wanted.intersection(text) for text in known.words]
    having = Counter(word for some in shared for word in some)
    weights = {word: log(1 + len(shared) / count) for word, count in having.items()}
    points = [sum([weights[word] for word in some]) for some in shared]
    most = nlargest(_COMPARED, range(len(points)), points.__getitem__)
    likeness: dict[int, float] = {}
    for text in most:
        at = align(known.words[text], words)
        if at is None:
            continue
        # Other words between them, on either side, make them less like.
        alike = 2 * at.matched / (len(words) + at.text_end - at.text_start)
        like = (at.matched / len(words) + alike) / 2
        if like >= _LIKE:
            likeness |= {place.printing: like for place in known.places[text]}
    return likeness


def rules_with(
    found: Mapping[int, float], chosen: Mapping[int, float], known: PrintedTexts
) -> list[RuleWithWords]:
    """Return the rules with the likeliest of the found printings that may be meant, the chosen."""
    best = max(chosen.values(), default=0.0)
    same = [index for index, like in sorted(found.items()) if abs(like - best) <= _SAME]
    return [
        RuleWithWords(tuple(printings), tuple(_runs(printings, known)), best)
        for printings in _rules(same, known)
        if not chosen.keys().isdisjoint(printings)
    ]


def _rules(indexes: Sequence[int], known: PrintedTexts) -> list[list[int]]:
    """Return the printings of each rule: they share a lineage, or a number or headword."""
    lines: dict[object, list[int]] = defaultdict(list)
    for index in indexes:
        lines[known.printings[index].line].append(index)
    for line, printings in [*lines.items()]:
        if _overlap(
            printings, known
        ):  # an old rule's number went to a new one while it has another
            for index in lines.pop(line):
                lines[line, known.printings[index].name].append(index)
    rules: list[list[int]] = []
    for line in lines.values():
        names = {known.printings[index].name for index in line}
        for rule in rules:
            is_same = not names.isdisjoint([known.printings[index].name for index in rule])
            if is_same and not _overlap([*rule, *line], known):
                rule.extend(line)
                break
        else:
            rules.append(line)
    return rules


def _overlap(printings: Sequence[int], known: PrintedTexts) -> bool:
    """Return whether an edition has two of some printings."""
    editions = [known.printings[index].editions for index in printings]
    return sum(map(int.bit_count, editions)) > reduce(or_, editions).bit_count()


def _runs(printings: Sequence[int], known: PrintedTexts) -> list[NumberRun]:
    """Return the runs of editions under each number or headword, oldest first."""
    editions: dict[tuple[str, str], int] = defaultdict(int)
    for index in printings:
        number, heading, _, own, _ = known.printings[index]
        editions[number, "" if number else heading] |= own
    runs = [NumberRun(*name, *run) for name, own in editions.items() for run in runs_of(own)]
    return sorted(runs, key=lambda run: (run.last, run.first))
