"""Find the rules that quoted words come from, with each number they stood under, and when."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from variorum_kb.quoting.edition_days import places_of
from variorum_kb.quoting.match import Matcher, Option
from variorum_kb.quoting.page import page_of
from variorum_kb.quoting.printed_texts import PrintedTexts, shared_start

# Words less like a text than this do not come from it.
_LIKE = 0.7


class NumberRun(NamedTuple):
    """Words under one number: the printing that has them last, the first and the last edition.

    The name is a headword in the glossary.
    """

    name: str
    printing: int
    first: int
    last: int


class RuleWithWords(NamedTuple):
    """A rule that prints quoted words.

    Attributes:
        runs: Oldest first. A rule that kept the words while its number changed has several.
        likeness: Of the words to those of the rule; 1 if it has them.
    """

    runs: tuple[NumberRun, ...]
    likeness: float


def texts_with(quotation: str, known: PrintedTexts) -> list[Option]:
    """Return the texts that have some words, or that are likest to them; the likeliest first."""
    page = page_of(quotation)
    if not page.words:
        return []
    exact = known.containing(page.words)
    if exact:
        return [Option(text, 0, len(page.words), 1.0) for text in exact]
    options = [option for laid in Matcher(page, known).lay() for option in laid.options]
    likely = [option for option in options if option.likeness >= _LIKE]
    return sorted(likely, key=lambda option: -option.likeness)


def rules_with(options: Sequence[Option], known: PrintedTexts) -> list[RuleWithWords]:
    """Return the rules that print the likeliest of some texts; those of the latest edition first."""
    best = max([option.likeness for option in options], default=0.0)
    printings = {
        place.printing
        for option in options
        for place in known.places[option.text]
        if option.likeness == best
    }
    rules: list[list[NumberRun]] = []
    for edition, standing in _by_edition(printings, known):
        before = [rule for rule in rules if rule[-1].last == edition - 1]
        heirs = _heirs(before, standing, known)
        for printing in standing:
            run = NumberRun(known.name_of(printing), printing, edition, edition)
            rule = heirs.get(printing)
            if rule is None:
                rules.append([run])
            elif rule[-1].name == run.name:
                rule[-1] = run._replace(first=rule[-1].first)
            else:
                rule.append(run)
    found = [RuleWithWords(tuple(rule), best) for rule in rules]
    return sorted(found, key=lambda rule: -rule.runs[-1].last)


def _by_edition(printings: Iterable[int], known: PrintedTexts) -> list[tuple[int, list[int]]]:
    """Return for each edition which of some printings it has, in the order of the base."""
    having: dict[int, list[int]] = defaultdict(list)
    for printing in sorted(printings):
        for edition in places_of(known.printings[printing].editions):
            having[edition].append(printing)
    return sorted(having.items())


def _heirs(
    before: Sequence[list[NumberRun]], printings: Sequence[int], known: PrintedTexts
) -> dict[int, list[NumberRun]]:
    """Return which rule of the edition before each printing goes on, the surest pairs first."""
    pairs = [
        (_nearness(rule[-1], printing, known), -place, -index)
        for place, rule in enumerate(before)
        for index, printing in enumerate(printings)
    ]
    heirs: dict[int, list[NumberRun]] = {}
    used: set[int] = set()
    for _, place, index in sorted(pairs, reverse=True):
        if -place not in used and printings[-index] not in heirs:
            heirs[printings[-index]] = before[-place]
            used.add(-place)
    return heirs


def _nearness(run: NumberRun, printing: int, known: PrintedTexts) -> tuple[bool, bool, int]:
    """Return how likely a printing is that of a run: by all its words, its number, or a part of that."""
    name = known.name_of(printing)
    same = known.printings[run.printing].paragraphs == known.printings[printing].paragraphs
    ends = shared_start(run.name, name) + shared_start(run.name[::-1], name[::-1])
    return name == run.name, same, ends
