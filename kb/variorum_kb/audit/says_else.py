"""Whether a cited rule says what the sentence about it says, and which rules say it instead."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from variorum_kb.audit.fitted_doubt import CONSTANT, WEIGHTS
from variorum_kb.audit.rule_words import Rule, RuleWords, stem_number
from variorum_kb.audit.sentence import Sentence
from variorum_kb.thresholds import ANOTHER_MEANT, PLAINLY_SAID

# How much more readily a rule is taken for the one meant: one that the number meant once, of a rule
# or a section that it meant once, of its own section or the next, with its letters, with all behind
# the section, or with the first letter, which defines most terms.
_ONCE, _RULE_ONCE, _SECTION_ONCE, _SECTION, _NEXT_SECTION = 2.3, 1.4, 1.1, 1.25, 1.06
_OWN_RULE, _FIRST_RULE = 1.6, 1.15
_LETTERS, _LETTERED, _SUFFIX, _FIRST_LETTER = 1.2, 1.06, 1.15, 1.15
_UNLETTERED, _WHOLE_SECTION = 0.95, 0.7
# Sections whose rules are keywords: who explains one names it.
_KEYWORD_SECTIONS = ("701", "702")
_MOST_AHEAD, _MOST_WEIGHT, _MOST_NAME, _MOST_BESIDE = 25.0, 40.0, 7.0, 3
_LONG, _START = 5, 6
_NAMED = 4


class CitedNumber(NamedTuple):
    """A number as cited, and what is known of it.

    Attributes:
        number: As cited.
        today: The number that its provision has in the edition of the words.
        once: The numbers that its other provisions have there.
        sections: The sections that its section was once.
        also: Further stems that its provision had.
    """

    number: str
    today: str
    once: Collection[str] = ()
    sections: Collection[str] = ()
    also: Collection[str] = ()


class Doubt(NamedTuple):
    """Why a cited rule hardly says what the sentence says.

    Attributes:
        chance: That another rule is meant.
        likeliest: The numbers that may be meant, the likeliest first.
    """

    chance: float
    likeliest: tuple[str, ...]


Features = tuple[float, ...]
NAMES = (
    *("covered", "weight", "keyword", "keyword uncovered", "beside", "opening", "explained"),
    *("named itself", "akin", "opens with its name"),
    *("ahead uncovered", "once uncovered", "names other"),
)


def doubt_about(words: RuleWords, cited: CitedNumber, sentence: Sentence) -> Doubt | None:
    """Return why a cited rule may not say what a sentence says; None if it plainly does.

    Args:
        words: Of the rules of an edition.
        cited: The number.
        sentence: In which it stands.
    """
    told = words.words(sentence)
    known = _known_features(words, cited, sentence, told) if told else None
    if known is None:
        return None
    # The most that another rule can add, which spares looking for it.
    named = 0.0 if words.headings.isdisjoint(told) else 1.0
    if _chance((*known, 1.0, 1.0 if cited.once else 0.4, named)) < ANOTHER_MEANT:
        return None
    ranked = _ranked(words, cited, told)
    if not ranked:
        return None
    return Doubt(_chance((*known, *_likely_features(words, cited, told, ranked))), _named(ranked))


def _chance(features: Features) -> float:
    total = CONSTANT + sum([one * by for one, by in zip(features, WEIGHTS, strict=True)])
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def likeliest(words: RuleWords, cited: CitedNumber, sentence: Sentence) -> tuple[str, ...]:
    """Return which rules may be meant by a number that an edition does not have.

    Where the words do not say, what it meant once, and the rule that it would stand under.
    """
    told = words.words(sentence)
    ranked = _ranked(words, cited, told)
    if ranked:
        return _named(ranked)
    stem = stem_number(cited.number)
    near = (stem, f"{stem}a", *sorted(cited.once))
    return tuple([one for one in near if one in words.rules and one != cited.number][:_NAMED])


def explain(words: RuleWords, cited: CitedNumber, sentence: Sentence) -> Features | None:
    """Return what the chance of a doubt is reckoned from; None without one."""
    told = words.words(sentence)
    known = _known_features(words, cited, sentence, told) if told else None
    ranked = _ranked(words, cited, told) if known else ()
    return (*known, *_likely_features(words, cited, told, ranked)) if known and ranked else None


class _Candidate(NamedTuple):
    """A rule that may be meant.

    Attributes:
        readiness: To take it for the one meant: its fit, and what speaks for it besides the words.
        number: Of the rule.
    """

    readiness: float
    number: str


_Ranked = Sequence[_Candidate]


def _ranked(words: RuleWords, cited: CitedNumber, told: Mapping[str, float]) -> _Ranked:
    """Return the rules that may be meant, the readiest first."""
    fits = words.fits(told)
    section = cited.number[:3]
    near = [] if section in _KEYWORD_SECTIONS else fits.by_section.get(section, [])
    rules_once = {stem_number(one) for one in cited.once}
    sections = {*cited.sections, *[one[:3] for one in cited.once]}
    like = words.like(cited.number)
    found = [
        _Candidate(
            fits.of[one]
            * _of_place(words.rules[one], cited, like, rules_once, sections)
            * _of_form(words.rules[one], like),
            one,
        )
        for one in {*fits.best, *near, *cited.once}
        if one in fits.of
    ]
    return sorted(found, key=lambda one: (-one.readiness, one.number))


def _of_place(
    rule: Rule,
    cited: CitedNumber,
    like: Rule,
    rules: Collection[str],
    sections: Collection[str],
) -> float:
    """Return how readily a rule is taken for the one meant for the place it has or had."""
    section, own = rule.number[:3], cited.number[:3]
    if rule.number in cited.once:
        return _ONCE
    if rule.stem in rules:
        return _RULE_ONCE
    if rule.stem == like.stem:
        return _OWN_RULE
    if section in sections:
        return _SECTION_ONCE
    if section == own:
        return _SECTION
    return _NEXT_SECTION if abs(int(section) - int(own)) == 1 else 1.0


def _of_form(rule: Rule, like: Rule) -> float:
    """Return how readily a rule is taken for the one meant for the form of its number."""
    factor = 1.0
    if rule.letters == like.letters:
        factor *= _LETTERS
    elif bool(rule.letters) == bool(like.letters):
        factor *= _LETTERED
    elif like.letters:
        factor *= _UNLETTERED
    if rule.suffix == like.suffix:
        factor *= _SUFFIX
    if rule.letters == "a":
        factor *= _FIRST_LETTER
    elif rule.suffix == "1":
        factor *= _FIRST_RULE
    return factor * (_WHOLE_SECTION if like.suffix and not rule.suffix else 1.0)


def _known_features(
    words: RuleWords, cited: CitedNumber, sentence: Sentence, told: Mapping[str, float]
) -> Features | None:
    """Return what is known without looking for other rules; None where the rule plainly says it."""
    covered = words.covered(told, cited.today, cited.also)
    if covered >= PLAINLY_SAID:
        return None
    is_keyword = float(cited.today[:3] in _KEYWORD_SECTIONS or cited.today.startswith("111.10"))
    return (
        covered,
        min(sum(told.values()), _MOST_WEIGHT) / _MOST_WEIGHT,
        is_keyword,
        is_keyword * (1.0 - covered),
        min(len(sentence.beside), _MOST_BESIDE) / _MOST_BESIDE,
        float(sentence.is_opening),
        float(sentence.is_explained),
        _name_weight(words, cited.today, told),
        float(_is_akin(words, cited.today, told)),
        float(any(name[0] == sentence.opening for name in words.names(cited.today)[:1])),
    )


def _likely_features(
    words: RuleWords, cited: CitedNumber, told: Mapping[str, float], ranked: _Ranked
) -> Features:
    """Return what the likeliest other rule adds."""
    readiness, best = ranked[0]
    fits = words.fits(told).of
    own = max([fits.get(one, 0.0) for one in words.family(cited.today)], default=0.0)
    uncovered = 1.0 - words.covered(told, cited.today, cited.also)
    ahead = min(max(readiness - own, 0.0), _MOST_AHEAD) / _MOST_AHEAD
    once = 1.0 if best in cited.once else 0.0
    if not once and stem_number(best) in {stem_number(one) for one in cited.once}:
        once = 0.8
    elif not once and best[:3] in cited.sections and best[:3] != cited.today[:3]:
        once = 0.4
    return ahead * uncovered, once * uncovered, _name_weight(words, best, told)


def _name_weight(words: RuleWords, number: str, told: Mapping[str, float]) -> float:
    """Return how rare the heading of a rule is that a sentence names, from 0 to 1."""
    weights = [
        sum([told[stem] for stem in name]) / math.sqrt(len(name))
        for name in words.names(number)
        if all(stem in told for stem in name)
    ]
    return min(max(weights, default=0.0), _MOST_NAME) / _MOST_NAME


def _is_akin(words: RuleWords, number: str, told: Mapping[str, float]) -> bool:
    """Say whether a sentence has a word made of a rule's heading: "plainswalk", "monstrous"."""
    for stem in {one for name in words.names(number)[:2] for one in name if len(one) >= _LONG - 1}:
        for word in told:
            if word.endswith(stem) or (len(word) >= _START and word[:_START] == stem[:_START]):
                return True
    return False


def _named(ranked: _Ranked) -> tuple[str, ...]:
    return tuple([number for _, number in ranked[:_NAMED]])
