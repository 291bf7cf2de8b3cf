"""Find the rules that quoted words come from, with each number they stood under, and when."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest
from math import log
from typing import NamedTuple

from variorum.quoting.alignment import align
from variorum.quoting.claims import places_of
from variorum.quoting.match import Matcher
from variorum.quoting.page import PageOfWords, page_of, words_of
from variorum.quoting.printed_texts import PrintedTexts, Words

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
    exact = known.containing(page.words) if page.words else []
    whole = [text for text in exact if known.words[text] == page.words]
    found = {place.printing: 1.0 for text in whole for place in known.places[text]}
    for index, printing in enumerate(known.printings):
        if not printing.paragraphs and tuple(words_of(printing.heading)) == page.words:
            found[index] = 1.0
    if found or exact:
        return found or {place.printing: 1.0 for text in exact for place in known.places[text]}
    laid = _laid(page, known) if page.words else {}
    return laid or _likest(page.words, known)


def _laid(page: PageOfWords, known: PrintedTexts) -> dict[int, float]:
    """Return the printings whose texts the matcher lays over most of a quotation."""
    likeness: dict[int, float] = defaultdict(float)
    for laid in Matcher(page, known).lay():
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
    for text in most if words else ():
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
    same = [index for index, like in found.items() if abs(like - best) <= _SAME]
    return [
        RuleWithWords(tuple(dict.fromkeys(printings)), tuple(runs), best)
        for printings, runs in _followed(same, known)
        if not chosen.keys().isdisjoint(printings)
    ]


def _followed(indexes: list[int], known: PrintedTexts) -> list[tuple[list[int], list[NumberRun]]]:
    """Follow rules through the editions: their printings, and the runs under each number.

    A rule goes on where its printing stays, else in the heir of it, else under its number or headword.
    One printing may be of two rules in turn: new sections take the numbers of old ones.
    """
    standing: dict[int, list[int]] = defaultdict(list)
    for index in sorted(indexes):
        for edition in places_of(known.printings[index].editions):
            standing[edition].append(index)
    rules: list[tuple[list[int], list[NumberRun]]] = []
    last_with: dict[object, int] = {}
    for edition, printings in sorted(standing.items()):
        signs = {
            index: (index, ("line", known.printings[index].line), known.printings[index][:2])
            for index in printings
        }
        for index, rule in _heirs(signs, last_with, len(rules)).items():
            last_with |= dict.fromkeys(signs[index], rule)
            rules += [([], [])] * (rule == len(rules))
            number, heading = known.printings[index][:2]
            headword = "" if number else heading
            members, runs = rules[rule]
            members.append(index)
            if runs and runs[-1] == (number, headword, runs[-1].first, edition - 1):
                runs[-1] = runs[-1]._replace(last=edition)
            else:
                runs.append(NumberRun(number, headword, edition, edition))
    return rules


def _heirs(
    signs: Mapping[int, Sequence[object]], last_with: Mapping[object, int], new: int
) -> dict[int, int]:
    """Return the rule of each printing of an edition, by the first sign that tells a free one."""
    heirs: dict[int, int] = {}
    used: set[int] = set()
    for place in range(3):
        for index, own in signs.items():
            rule = last_with.get(own[place])
            if index not in heirs and rule is not None and rule not in used:
                heirs[index] = rule
                used.add(rule)
    left = [index for index in signs if index not in heirs]
    return heirs | dict(zip(left, range(new, new + len(left)), strict=True))
