"""Find the rules that quoted words come from, with each number they stood under, and when."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from variorum_kb.quoting.edition_days import runs_of
from variorum_kb.quoting.match import Matcher, Option
from variorum_kb.quoting.page import page_of
from variorum_kb.quoting.printed_texts import PrintedTexts

# Words less like a text than this do not come from it.
_LIKE = 0.7


class NumberRun(NamedTuple):
    """Words under one number or headword: the printing that has them last, from when to when."""

    name: str
    printing: int
    first: int
    last: int


class RuleWithWords(NamedTuple):
    """A rule that prints quoted words, or words like them; one that was renumbered has several runs."""

    runs: tuple[NumberRun, ...]
    likeness: float


def texts_with(quotation: str, known: PrintedTexts) -> list[Option]:
    """Return the texts that have some words, or that are likest to them; the likeliest first."""
    page = page_of(quotation)
    exact = known.containing(page.words) if page.words else []
    if exact or not page.words:
        return [Option(text, 0, len(page.words), 1.0) for text in exact]
    options = [option for laid in Matcher(page, known).lay() for option in laid.options]
    likely = [option for option in options if option.likeness >= _LIKE]
    return sorted(likely, key=lambda option: -option.likeness)


def rules_with(options: Sequence[Option], known: PrintedTexts) -> list[RuleWithWords]:
    """Return the rules that print the likeliest of some texts; those of the latest edition first."""
    best = max([option.likeness for option in options], default=0.0)
    standing: dict[int, list[NumberRun]] = defaultdict(list)
    for index in sorted(
        {
            place.printing
            for option in options
            for place in known.places[option.text]
            if option.likeness == best
        }
    ):
        printing = known.printings[index]
        for first, last in runs_of(printing.editions):
            standing[printing.line].append(NumberRun(known.name_of(index), index, first, last))
    rules: list[RuleWithWords] = []
    for spans in standing.values():
        runs: list[NumberRun] = []
        for run in sorted(spans, key=lambda run: run.first):
            goes_on = runs and (runs[-1].name, runs[-1].last) == (run.name, run.first - 1)
            runs.append(run._replace(first=runs.pop().first) if goes_on else run)
        rules.append(RuleWithWords(tuple(runs), best))
    return sorted(rules, key=lambda rule: -rule.runs[-1].last)
