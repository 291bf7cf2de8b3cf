"""Finds sentences that do not fit the rule they cite, and the rules that fit instead."""

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from variorum.audit.citations.number_lists import Citation
from variorum.audit.judging.fitted_doubt import DOUBT_WEIGHTS
from variorum.audit.judging.likeliest_rules import MOST_NAMED, RuleChoice
from variorum.audit.judging.rule_places import CitedNumber, Features
from variorum.audit.judging.rule_words import RuleWords, SentenceWords
from variorum.audit.judging.sentence import Sentence
from variorum.rule_numbers import stem_of

# From this chance on, `cr audit` reports that the cited rule does not say what the sentence says.
# Measured: finds three quarters of the citations that people corrected, and reports one in eighty
# of the corrected lines; docs/audit.md.
_ANOTHER_MEANT = 0.13
# The most by which a rule near the cited one leads all others, as a feature that counts 18 in log
# odds: a bound that saves ranking rules. By hand: the result for the 101 corrections is the same
# without it.
_FAMILY_AHEAD = 0.15
# Likewise: a few common words hardly fit a rule this well.
_FITS_A_RULE = 12.0
# A cited rule says what the sentence says if it has this much of the weight of its words.
_PLAINLY_SAID = 0.6

# Sections whose rules are keywords; a sentence that explains a keyword names it.
_KEYWORD_SECTIONS = ("701", "702")
_MOST_NAME, _MOST_BESIDE, _MOST_AHEAD, _MOST_FIT = 7.0, 3, 18.0, 30.0
# A single word is too little evidence, unless it is in a heading.
_FEWEST = 2
# A citation explains others of the same rule within this many characters.
_NEAR = 900


class Doubt(NamedTuple):
    """How doubtful it is that a sentence means the rule it cites.

    Attributes:
        chance: The chance that another rule is meant.
        likeliest: The numbers that may be meant, the likeliest first.
    """

    chance: float
    likeliest: tuple[str, ...]


def doubt_about(rules: RuleWords, cited: CitedNumber, sentence: Sentence) -> Doubt | None:
    """Return the doubt about a cited rule; None if the sentence may mean it.

    Args:
        rules: The rules of an edition.
        cited: The cited number.
        sentence: The sentence of the citation.
    """
    words = rules.sentence_words(sentence)
    known = _doubtful_features(rules, cited, sentence, words)
    if known is None:
        return None
    choice = RuleChoice(rules, cited, sentence)
    if not choice.ranked or rules.by_number[choice.named[0]].parent == cited.today:
        return None  # citing a rule includes its subrules
    if sentence.is_explained and _is_chance(rules, cited, choice):
        return None
    chance = _chance((*known, *likely_features(rules, cited, choice)))
    is_about = rules.fits(words).most >= _FITS_A_RULE or _names_one(rules, choice)
    return Doubt(chance, choice.named) if chance >= _ANOTHER_MEANT and is_about else None


def _doubtful_features(
    rules: RuleWords, cited: CitedNumber, sentence: Sentence, words: SentenceWords
) -> Features | None:
    """Return the cheap features; None if no other rule can be meant.

    Ranking the other rules takes far longer.
    """
    names_any = not rules.headings.isdisjoint(words.weights)
    if len(words.weights) < _FEWEST and not names_any:
        return None
    known = known_features(rules, cited, sentence, words)
    # The most that another rule can add.
    most = (1.0, 1.0, 1.0 - _FAMILY_AHEAD, 1.0, 1.0, float(bool(cited.sections)))
    if known is None or _chance((*known, *most)) < _ANOTHER_MEANT:
        return None
    may_name = names_any and rules.names_a_heading(words)
    return known if may_name or rules.fits(words).most >= _FITS_A_RULE else None


def _names_one(rules: RuleWords, choice: RuleChoice) -> bool:
    """Say whether a sentence names a heading of one of the likeliest rules."""
    return any(
        all(stem in choice.words.weights for stem in name)
        for number in choice.named
        for name in rules.names(number)
    )


def with_explained(
    rules: RuleWords, citations: Sequence[Citation], sentences: Sequence[Sentence]
) -> list[Sentence]:
    """Return sentences, marked if a nearby citation of the same rule explains them.

    After "CR 702.2: Gleam", "CR 702.2b" a few lines below is about gleam, whatever its sentence
    says.

    Args:
        rules: The rules of an edition.
        citations: The citations of a text, in order.
        sentences: The sentence of each citation.
    """
    explaining: dict[str, list[int]] = {}
    for citation, sentence in zip(citations, sentences, strict=True):
        number = citation.first.number
        if _is_named(rules, number, sentence.stems.weights):
            explaining.setdefault(stem_of(number), []).append(citation.start)
    explained: list[Sentence] = []
    for citation, sentence in zip(citations, sentences, strict=True):
        starts = explaining.get(stem_of(citation.first.number), [])
        place = bisect_left(starts, citation.start - _NEAR)
        is_near = place < len(starts) and starts[place] <= citation.start + _NEAR
        explained.append(sentence._replace(is_explained=is_near))
    return explained


def _is_chance(rules: RuleWords, cited: CitedNumber, choice: RuleChoice) -> bool:
    """Say whether the likeliest rule is not the cited rule and the sentence does not name it."""
    number = choice.named[0]
    is_other = stem_of(number) != stem_of(cited.today)
    return is_other and not _is_named(rules, number, choice.words.weights)


def _is_named(rules: RuleWords, number: str, words: Mapping[str, float]) -> bool:
    """Say whether a sentence names the nearest heading of a rule."""
    name = next(iter(rules.names(number)), ())
    return bool(name) and all(stem in words for stem in name)


def _chance(features: Features) -> float:
    total = sum(
        [feature * weight for feature, weight in zip((1.0, *features), DOUBT_WEIGHTS, strict=True)]
    )
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def likeliest(rules: RuleWords, cited: CitedNumber, sentence: Sentence) -> tuple[str, ...]:
    """Return candidates for a number that an edition lacks.

    If the words do not decide, return its last meaning and the rule above it.
    """
    choice = RuleChoice(rules, cited, sentence)
    if choice.words.weights and choice.ranked:
        return choice.named
    stem = stem_of(cited.number)
    near = (stem, f"{stem}a", *sorted(cited.once))
    return tuple(
        [number for number in near if number in rules.by_number and number != cited.number][
            :MOST_NAMED
        ]
    )


def beside_heir(rules: RuleWords, cited: CitedNumber, sentence: Sentence, heir: str) -> list[str]:
    """Return an heir's rule and its subrules, the likeliest first."""
    stem = stem_of(heir)
    ranked = RuleChoice(rules, cited, sentence).ranked
    return [number for _, number in ranked if rules.by_number[number].stem == stem]


def known_features(
    rules: RuleWords, cited: CitedNumber, sentence: Sentence, words: SentenceWords
) -> Features | None:
    """Return the cheap features; None if the rule plainly fits."""
    also = [rules.throughout(cited.today)] if "." not in cited.today else []
    covered = rules.covered(words, cited.today, cited.also, *also)
    if covered >= _PLAINLY_SAID:
        return None
    is_keyword = float(cited.today[:3] in _KEYWORD_SECTIONS or cited.today.startswith("111.10"))
    return (
        is_keyword,
        is_keyword * (1.0 - covered),
        min(len(sentence.beside), _MOST_BESIDE) / _MOST_BESIDE,
        float(any(name[0] == sentence.stems.opening for name in rules.names(cited.today)[:1])),
    )


def likely_features(rules: RuleWords, cited: CitedNumber, choice: RuleChoice) -> Features:
    """Return the features that compare the cited rule with the likeliest other rules."""
    stem = stem_of(cited.today)
    own = choice.own(rules.family(cited.today))
    least, best = choice.ranked[0]
    total = math.log(sum([math.exp(least - against) for against, _ in choice.ranked])) - least
    others = (-against for against, number in choice.ranked if rules.by_number[number].stem != stem)
    return (
        min(rules.fits(choice.words).most, _MOST_FIT) / _MOST_FIT,
        *[_ahead(score, own) for score in (total, next(others, -least))],
        _name_weight(rules, best, choice.words.weights),
        choice.fit(best),
        float(best[:3] in cited.sections),
    )


def _ahead(score: float, own: float) -> float:
    """Return the lead of the best other rule over the cited rule, at most 1."""
    return min(score - own, _MOST_AHEAD) / _MOST_AHEAD


def _name_weight(rules: RuleWords, number: str, words: Mapping[str, float]) -> float:
    """Return the rarity, from 0 to 1, of the rule's heading that a sentence names."""
    weights = [
        sum([words[stem] for stem in name]) / math.sqrt(len(name))
        for name in rules.names(number)
        if all(stem in words for stem in name)
    ]
    return min(max(weights, default=0.0), _MOST_NAME) / _MOST_NAME
