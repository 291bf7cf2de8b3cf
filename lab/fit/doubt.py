"""The weights that decide which rule a sentence means, and whether it cites another one.

They are fitted to citations that the projects beside the corpus corrected, and to those they kept.
"""

import random
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from lab.fit.logit import Question, fit_choice, fit_weights
from lab.score.gold import TREES, mined, unpacked
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.choice import CitedNumber, Features, RuleChoice, known_features
from variorum.audit.find import CitationFinder
from variorum.audit.judge import CitationJudge
from variorum.audit.rules import RuleWords
from variorum.audit.sentences import Sentence, sentences_of
from variorum.build.build import Builder

MODULE = "kb/variorum/audit/fitted_doubt.py"
_SAMPLE, _SEED = 3000, 1
_CHOICE_NAMES = (
    *("fit", "opens with its name", "covered", "rare", "number once", "rule once"),
    *("section once", "section", "chapter", "next rule", "letters", "letters added", "letter a"),
    *("suffix", "first rule"),
)
_DOUBT_NAMES = (
    *("keyword", "keyword uncovered", "beside", "opens with its name", "fit"),
    *("odds", "odds outside", "names other", "other fits", "section once"),
)
# A slip that was corrected in many lines at once counts at most this many times.
_MOST_ALIKE = 3


class _Case(NamedTuple):
    """A citation in its line, with the corrected number, and both numbers of a correction."""

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


def module(corpus: Path) -> str:
    """Return the module with the weights."""
    with tempfile.TemporaryDirectory() as name:
        for _ in Builder(Path(name), now="").build(sorted((corpus / "official").iterdir())):
            pass
        with KnowledgeBase.open(Path(name), today=date(2026, 12, 31)) as base:
            choice, doubt = _fitted(list(_known(base, corpus)))
    return (
        '"""Weights to rank the rules that a sentence may mean, and to doubt the cited rule.\n\n'
        'Fitted by `make fit ARGS=doubt`.\n"""\n\n'
        f"CHOICE_WEIGHTS = (\n{_lines(_CHOICE_NAMES, choice)})\n"
        f"DOUBT_WEIGHTS = (\n{_lines(('constant', *_DOUBT_NAMES), doubt)})\n"
    )


def _lines(names: Sequence[str], weights: Sequence[float]) -> str:
    pairs = zip(names, weights, strict=True)
    return "".join([f"    {weight:.3f},  # {name}\n" for name, weight in pairs])


def _fitted(known: Sequence[_Known]) -> tuple[list[float], list[float]]:
    choice = fit_choice(list(_questions(known)))
    rows = [
        (features, bool(entry.case.right))
        for entry in known
        if entry.cited.number in entry.words.places
        and (features := _explain(entry, choice)) is not None
    ]
    return choice, fit_weights(rows)


def _explain(known: _Known, weights: Sequence[float]) -> Features | None:
    """Return the features of the chance that another rule is meant; None if there is no doubt."""
    _, rules, cited, sentence = known
    words = rules.sentence_words(sentence)
    features = known_features(rules, cited, sentence) if words.weights else None
    choice = RuleChoice(rules, cited, sentence, weights)
    if features is None or not choice.ranked:
        return None
    return (*features, *choice.against())


def _questions(known: Iterable[_Known]) -> Iterator[Question]:
    asked = Counter[tuple[str, str]]()
    for case, words, cited, sentence in known:
        asked[case.pair] += bool(case.right)
        if case.right and asked[case.pair] <= _MOST_ALIKE:
            choice = RuleChoice(words, cited, sentence)
            named = [number for _, number in choice.ranked]
            if case.right in named:
                features = tuple([choice.features(number) for number in named])
                yield Question(features, frozenset([named.index(case.right)]))


def _known(base: KnowledgeBase, corpus: Path) -> Iterator[_Known]:
    with tempfile.TemporaryDirectory() as name:
        cases = sorted(_cases(corpus / "trees", Path(name)), key=lambda case: case.day)
    for day, of_day in groupby(cases, key=lambda case: case.day):
        edition = base.edition(day)
        judge = CitationJudge(base, edition)
        words = judge.rules
        for case in of_day:
            found = list(CitationFinder().find(case.text))
            places = [at for at, each in enumerate(found) if each.first.number == case.number]
            if places and (case.right or case.number in words.places):
                sentence = sentences_of(case.text, found)[places[0]]
                yield _Known(case, words, judge.cited(case.number), sentence)


def _cases(trees: Path, folder: Path) -> Iterator[_Case]:
    """Yield corrections, before and after, and a sample of the citations in projects."""
    log = ("log", "--reverse", "-p", "-U0", "--no-merges", "--format=COMMIT %ad", "--date=short")
    for file, day in TREES:
        tree = unpacked(trees / file, folder / file)
        if (tree / ".git").exists():
            command = [shutil.which("git") or "", "-C", str(tree), *log]
            told = subprocess.run(command, check=True, capture_output=True).stdout
            for row in mined(told.decode("utf-8", "replace")):
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
