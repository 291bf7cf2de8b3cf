"""Fit the weights that decide which rule a sentence means, and whether it cites another one."""

import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from lab.score.corrected import TREES, Correction, Counts, history_of, unpacked
from lab.score.logistic import Question, chance, fit_choice, fit_weights
from lab.score.searches import build
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.judging.by_date import NumberVerdicts
from variorum_kb.audit.judging.cited_numbers import CitedNumbers
from variorum_kb.audit.judging.likeliest_rules import CHOICE_NAMES, RuleChoice
from variorum_kb.audit.judging.names_of_numbers import NamesOfNumbers
from variorum_kb.audit.judging.rule_places import CitedNumber, Features
from variorum_kb.audit.judging.rule_words import RuleWords
from variorum_kb.audit.judging.says_else import known_features, likely_features
from variorum_kb.audit.judging.sentence import Sentence, sentences_of
from variorum_kb.thresholds.citations import ANOTHER_MEANT

_SAMPLE, _SEED, _FOLDS = 3000, 1, 8
# The features that `_explain` returns.
_DOUBT_NAMES = (
    *("keyword", "keyword uncovered", "beside", "opens with its name", "fit"),
    *("odds", "odds outside", "names other", "other fits", "section once"),
)
# A slip that was corrected in many lines at once counts at most this many times.
_MOST_ALIKE = 3


class _Case(NamedTuple):
    """A citation in its sentence.

    Attributes:
        day: The day of the line.
        number: The cited number.
        text: The line.
        right: The corrected number; "" if people kept it.
        pair: The number before and after its correction; two times "" for lines that nobody
            corrected.
    """

    day: str
    number: str
    text: str
    right: str = ""
    pair: tuple[str, str] = ("", "")


class _Known(NamedTuple):
    """A case, with the words of its edition."""

    case: _Case
    words: RuleWords
    cited: CitedNumber
    sentence: Sentence


class _Weights(NamedTuple):
    choice: list[float]
    doubt: list[float]


def fitted_module(corpus: Path) -> str:
    """Return `variorum_kb/audit/judging/fitted_doubt.py`, fitted to the projects beside the corpus."""
    with tempfile.TemporaryDirectory() as name:
        build(corpus, Path(name))
        with KnowledgeBase.open(Path(name), today=date(2026, 12, 31)) as base:
            choice, doubt = _fitted(_known(base, corpus))
    return (
        '"""The regressions that say which rule a sentence means, and how likely it is not the '
        'cited one.\n\nFitted by `make score ARGS=--fit-doubt`.\n"""\n\n'
        f"CHOICE_WEIGHTS = (\n{_lines(CHOICE_NAMES, choice)})\n"
        f"DOUBT_WEIGHTS = (\n{_lines(('constant', *_DOUBT_NAMES), doubt)})\n"
    )


def _lines(names: Sequence[str], weights: Sequence[float]) -> str:
    pairs = zip(names, weights, strict=True)
    return "".join([f"    {weight:.3f},  # {name}\n" for name, weight in pairs])


def held_out(base: KnowledgeBase, corpus: Path) -> tuple[Counts, int]:
    """Return the results for corrections by weights fitted without them, and their count.

    All lines with the same pair of numbers are left out together.
    """
    known = _known(base, corpus)
    pairs = sorted({entry.case.pair for entry in known if entry.case.pair[0]})
    random.Random(_SEED).shuffle(pairs)
    counts = Counts()
    for fold in range(_FOLDS):
        left = set(pairs[fold::_FOLDS])
        weights = _fitted([entry for entry in known if entry.case.pair not in left])
        for entry in known:
            if entry.case.pair in left:
                _count(entry, weights, counts)
    return counts, sum(bool(entry.case.right) for entry in known)


def _count(known: _Known, weights: _Weights, counts: Counts) -> None:
    _, words, cited, sentence = known
    features = _explain(words, cited, sentence, weights.choice)
    is_missing = cited.number not in words.by_number
    likely = 0.0 if features is None else chance(weights.doubt, (1.0, *features))
    is_told = is_missing or likely >= ANOTHER_MEANT
    if not known.case.right:
        counts.blamed += is_told
        return
    named = RuleChoice(words, cited, sentence, weights.choice).named
    counts.told += is_told
    counts.named += is_told and known.case.right in named


def _explain(
    rules: RuleWords, cited: CitedNumber, sentence: Sentence, weights: Sequence[float]
) -> Features | None:
    """Return the features of the chance that another rule is meant; None if there is no doubt."""
    words = rules.sentence_words(sentence)
    known = known_features(rules, cited, sentence, words) if words.weights else None
    choice = RuleChoice(rules, cited, sentence, weights)
    if known is None or not choice.ranked:
        return None
    return (*known, *likely_features(rules, cited, choice))


def _fitted(known: Sequence[_Known]) -> _Weights:
    choice = fit_choice(list(_questions(known)))
    rows = [
        (features, bool(entry.case.right))
        for entry in known
        if entry.cited.number in entry.words.by_number
        and (features := _explain(entry.words, entry.cited, entry.sentence, choice)) is not None
    ]
    return _Weights(choice, fit_weights(rows))


def _questions(known: Iterable[_Known]) -> Iterator[Question]:
    asked = Counter[tuple[str, str]]()
    for case, words, cited, sentence in known:
        asked[case.pair] += bool(case.right)
        if case.right and asked[case.pair] <= _MOST_ALIKE:
            features: dict[str, Features] = RuleChoice(words, cited, sentence).features
            if case.right in features:
                place = list(features).index(case.right)
                yield Question(tuple(features.values()), frozenset([place]))


def _known(base: KnowledgeBase, corpus: Path) -> list[_Known]:
    with tempfile.TemporaryDirectory() as name:
        cases = sorted(_cases(corpus / "trees", Path(name)), key=lambda case: case.day)
    prepared: list[_Known] = []
    for day, each in groupby(cases, key=lambda case: case.day):
        edition = base.edition(day)
        prepare = partial(_prepared, RuleWords(base, edition), _cited_numbers(base, edition))
        prepared += [known for case in each if (known := prepare(case)) is not None]
    return prepared


def _cited_numbers(base: KnowledgeBase, edition: EditionEntry) -> CitedNumbers:
    numbers = NumberVerdicts(base, edition)
    return CitedNumbers(base, numbers, NamesOfNumbers(base, numbers))


def _prepared(words: RuleWords, numbers: CitedNumbers, case: _Case) -> _Known | None:
    citations = list(CitationFinder().find(case.text))
    places = [at for at, citation in enumerate(citations) if citation.first.number == case.number]
    if not places or (not case.right and case.number not in words.by_number):
        return None
    cited = numbers.missing(case.number)
    return _Known(case, words, cited, sentences_of(case.text, citations)[places[0]])


def _cases(trees: Path, folder: Path) -> Iterator[_Case]:
    """Yield corrections, before and after, and a sample of the citations in projects."""
    for file, day in TREES:
        tree = unpacked(trees / file, folder / file)
        rows: Iterable[Correction] = history_of(tree) if (tree / ".git").exists() else ()
        for row in rows:
            pair = row.wrong, row.right
            yield _Case(row.day, row.wrong, row.line, row.right, pair)
            yield _Case(row.day, row.right, row.corrected, "", pair)
        lines = sorted(_lines_of(tree))
        for number, line in random.Random(_SEED).sample(lines, min(_SAMPLE, len(lines))):
            yield _Case(day, number, line)


def _lines_of(tree: Path) -> Iterator[tuple[str, str]]:
    for path in sorted([*tree.rglob("*.rs"), *tree.rglob("*.py"), *tree.rglob("*.md")]):
        text = path.read_text("utf-8")
        for citation in CitationFinder().find(text):
            end = text.find("\n", citation.end)
            yield citation.first.number, text[text.rfind("\n", 0, citation.start) + 1 : end]
