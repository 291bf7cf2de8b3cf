"""Find the rules that quoted words come from, with each number they stood under, and when."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest
from itertools import chain
from math import log
from typing import NamedTuple

from variorum.quoting.match import align
from variorum.quoting.page import page_of
from variorum.quoting.texts import PrintedTexts, Printing, Words, runs_of

# Words less like a provision than this do not come from it; those that differ by less are as like.
_LIKE, _SAME = 0.7, 0.005
# So many provisions that share the rarest words are compared word by word.
_COMPARED = 200


class NumberRun(NamedTuple):
    """A run of editions that print words under one number; in the glossary, under one headword."""

    number: str
    headword: str
    first: int
    last: int


class RuleWithWords(NamedTuple):
    """A rule that prints quoted words, or words like them, in some runs of editions, oldest first."""

    printings: list[int]
    runs: list[NumberRun]
    likeness: float


def printings_with(quotation: str, known: PrintedTexts) -> dict[int, float]:
    """Return the printings that have some words, or words like them, and how like they are.

    If they are a whole text, or a heading without one, longer texts only of its rule are.
    """
    words, printings = page_of(quotation).words, known.printings
    joined = " ".join(words)  # the last word may be cut off
    exact = known.containing(f" {joined} ") or known.containing(f" {joined}")
    found = [(it.printing, text) for text in exact for it in known.places[text]]
    lines = {printings[it].line for it, text in found if known.words[text] == words}
    of_one = {it: 1.0 for it, _ in found if not lines or printings[it].line in lines}
    return of_one or _likest(words, known)


def _likest(words: Words, known: PrintedTexts) -> dict[int, float]:
    """Return the printings with most of some words in this order, however few stand in a row."""
    printings: dict[Words, list[int]] = defaultdict(list)
    for printing, texts in enumerate(known.bodies):
        printings[sum([known.words[text] for text in texts], ())].append(printing)
    bodies, wanted = [*printings], set(words)
    shared = [wanted.intersection(body) for body in bodies]
    having = Counter(word for some in shared for word in some)
    points = [sum([log(1 + len(shared) / having[word]) for word in some]) for some in shared]
    likeness: dict[int, float] = {}
    for place in nlargest(_COMPARED, range(len(points)), points.__getitem__):
        if at := align(bodies[place], words):
            # Other words between them, on either side, make them less like.
            alike = 2 * at.matched / (len(words) + at.text_end - at.text_start)
            like = (at.matched / len(words) + alike) / 2
            likeness |= dict.fromkeys(printings[bodies[place]] if like >= _LIKE else (), like)
    return likeness


def rules_with(
    found: Mapping[int, float], chosen: Mapping[int, float], known: PrintedTexts
) -> list[RuleWithWords]:
    """Return the rules with the likeliest of the found printings that may be meant, the chosen."""
    best, rules = max(chosen.values(), default=0.0), defaultdict[int, list[list[int]]](list)
    same = [index for index, like in found.items() if abs(like - best) <= _SAME]
    for index in sorted(same, key=lambda index: (known.printings[index].editions, index)):
        own = known.printings[index]
        # In one edition, two of a lineage are two rules: sections 300 and 500, "General".
        apart = [it for it in rules[own.line] if not known.editions_of(it) & own.editions]
        if apart:
            apart[0].append(index)
        else:
            rules[own.line].append([index])
    return [
        RuleWithWords(rule, _runs([known.printings[index] for index in rule]), best)
        for rule in chain(*rules.values())
        if not chosen.keys().isdisjoint(rule)
    ]


def _runs(printings: Sequence[Printing]) -> list[NumberRun]:
    editions: dict[tuple[str, str], int] = defaultdict(int)
    for number, heading, _, own, _ in printings:
        editions[number, "" if number else heading] |= own
    runs = [NumberRun(*name, *run) for name, own in editions.items() for run in runs_of(own)]
    return sorted(runs, key=lambda run: (run.last, run.first))
