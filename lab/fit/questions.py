"""The weights by which `cr ask` ranks rules, fitted to questions that judges answered, and cross-validated.

Each tenth of the questions is ranked with weights fitted to the others. A question is fitted twice,
with its cards and without them. The model is linear. It has weights of features, small weights of rules
for any question, and weights of signs (a word of the question or of a card) for rules
and sections. The largest weights of signs are kept, and everything is fitted again.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lab.fit.logit import Array, np
from lab.score.gold import Judged, read_judged
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cards.finder import find_cards
from variorum.cards.store import Cards
from variorum.search.ask import FEATURES, features_of
from variorum.search.indexes import SearchIndexes
from variorum.search.story import understood

TABLE = "kb/variorum/search/weights.tsv"
_EDITION = "2026-06-19"
_FOLDS, _SEED = 10, 0
_STEPS, _RATE = 60, 0.08
# How strongly weights are pulled to 0, by kind.
_HELD = {"feature": 0.05, "rule": 5.0, "sign_rule": 0.5, "sign_section": 0.5}
# A rule that is cited often gets no more than this for any question: enough to part equals.
_PARTS = 0.5
# Of several cited rules, those that few answers cite count more, by this power of their number.
_RARER = 0.1
# The commonest answers, without which the ranking is also measured.
_COMMONEST = 50
# The least number of questions that must have a sign, and that must cite a rule, for the sign or
# the rule to get weights. Each question counts twice.
_LEAST_SIGNS, _LEAST_CITED = 4, 3
# How many weights of signs are kept, and the least weight that is written.
_KEPT_RULES, _KEPT_SECTIONS = 4500, 2000
_LEAST_WRITTEN = 0.1
_HEAD = "# What each feature, rule and sign of a question counts; written by `make fit`, judged in docs/judge.md."


class Examples(NamedTuple):
    """Questions as rows of arrays; `cited` is 1 where the answer cites a rule, `fold` a question's tenth."""

    features: Array
    signs: list[list[str]]
    cited: Array
    rules: list[str]
    fold: Array

    def where(self, chosen: Array) -> "Examples":
        """Return the questions that an array of bools marks."""
        signs = [own for own, is_chosen in zip(self.signs, chosen, strict=True) if is_chosen]
        rest = self.cited[chosen], self.rules, self.fold[chosen]
        return Examples(self.features[chosen], signs, *rest)


class Fitted(NamedTuple):
    """Weights as arrays, by kind; the rows and the rarity of the signs, and the rules that they speak for."""

    values: dict[str, Array]
    signs: dict[str, int]
    rarity: Array
    columns: Array


def examples_of(questions: Sequence[Judged], base: KnowledgeBase, cards: Cards | None) -> Examples:
    """Return questions as arrays, with cards or without them."""
    rules = SearchIndexes(base).rules(base.edition(_EDITION))
    numbers = [*rules.numbered]
    column_of = {rule: column for column, rule in enumerate(rules.numbers)}
    features = np.zeros((len(questions), len(rules.numbers), len(FEATURES)), dtype=np.float32)
    cited = np.zeros((len(questions), len(rules.numbers)), dtype=np.float32)
    signs: list[list[str]] = []
    for row, question in enumerate(questions):
        mentions = find_cards(question.text, cards) if cards else []
        story = understood(question.text, mentions, rules)
        values = features_of(story, rules)
        for feature, name in enumerate(FEATURES):
            for rule, value in values[name].items():
                features[row, column_of[rule], feature] = value
        signs.append(story.signs)
        cited[row, [numbers.index(number) for number in question.rules]] = 1
    fold = np.random.default_rng(_SEED).permutation(len(questions)) % _FOLDS
    return Examples(features, signs, cited, numbers, fold)


def fit(examples: Examples, kept: tuple[int, int] = (_KEPT_RULES, _KEPT_SECTIONS)) -> Fitted:
    """Fit weights, keep the largest weights of signs, and fit again."""
    counts = Counter(sign for signs in examples.signs for sign in signs)
    signs = {
        sign: row
        for row, sign in enumerate(sorted(s for s, n in counts.items() if n >= _LEAST_SIGNS))
    }
    columns = np.where(examples.cited.sum(0) >= _LEAST_CITED)[0]
    rarity = np.log(len(examples.signs) / np.array([counts[sign] for sign in signs])) + 0.1
    start = Fitted({}, signs, rarity.astype(np.float32), columns)
    first = _descend(examples, start, {})
    masks = {
        kind: _largest(first.values[kind], many)
        for kind, many in zip(("sign_rule", "sign_section"), kept, strict=True)
    }
    return _descend(examples, start, masks)


def _largest(values: Array, many: int) -> Array:
    flat = values.ravel()
    many = min(many, flat.size)
    least = max(np.partition(flat, flat.size - many)[flat.size - many], 0.02)
    return (values >= least).astype(np.float32)


def _design(examples: Examples, fitted: Fitted) -> Array:
    """Return the weight of each sign in each question; all questions have equal total weight."""
    design = np.zeros((len(examples.signs), len(fitted.signs)), dtype=np.float32)
    for row, own in enumerate(examples.signs):
        for sign in own:
            if sign in fitted.signs:
                design[row, fitted.signs[sign]] = 1 / np.sqrt(len(own))
    return design * fitted.rarity


def _sections(rules: Sequence[str]) -> tuple[list[str], Array, Array]:
    """Return the sections, the section of each rule, and a matrix that sums rules by section."""
    names = sorted({number.split(".")[0] for number in rules})
    own = np.array([names.index(number.split(".")[0]) for number in rules])
    matrix = np.zeros((len(rules), len(names)), dtype=np.float32)
    matrix[np.arange(len(rules)), own] = 1
    return names, own, matrix


def _descend(examples: Examples, start: Fitted, masks: dict[str, Array]) -> Fitted:
    """Fit by Adam: cited rules get likely (softmax over all rules), sign weights stay positive."""
    number, rules, wide = examples.features.shape
    flat = examples.features.reshape(-1, wide)
    design = _design(examples, start)
    signs, columns = start.signs, start.columns
    names, own, matrix = _sections(examples.rules)
    rarer = examples.cited / (1 + examples.cited.sum(0)) ** _RARER
    wanted = rarer / rarer.sum(1, keepdims=True)
    shapes = {
        "feature": (wide,),
        "rule": (rules,),
        "sign_rule": (len(signs), len(columns)),
        "sign_section": (len(signs), len(names)),
    }
    values = {kind: np.zeros(shape, dtype=np.float32) for kind, shape in shapes.items()}
    means = {kind: np.zeros_like(value) for kind, value in values.items()}
    squares = {kind: np.zeros_like(value) for kind, value in values.items()}
    for step in range(1, _STEPS + 1):
        scores = _scores(start._replace(values=values), examples.features, design, own)
        scores -= scores.max(1, keepdims=True)
        likely = np.exp(scores)
        wrong = (likely / likely.sum(1, keepdims=True) - wanted) / number
        by_section = wrong @ matrix
        slopes = {
            "feature": flat.T @ wrong.ravel(),
            "rule": wrong.sum(0),
            "sign_rule": design.T @ wrong[:, columns],
            "sign_section": design.T @ by_section,
        }
        rate = _RATE * min(1.0, 2 * (1 - step / _STEPS) + 0.05)
        for kind, slope in slopes.items():
            held = slope + _HELD[kind] * values[kind] / number
            means[kind] = 0.9 * means[kind] + 0.1 * held
            squares[kind] = 0.99 * squares[kind] + 0.01 * held * held
            mean, square = means[kind] / (1 - 0.9**step), squares[kind] / (1 - 0.99**step)
            values[kind] = values[kind] - rate * mean / (np.sqrt(square) + 1e-6)
            if kind.startswith("sign"):
                values[kind] = np.maximum(values[kind], 0) * masks.get(kind, 1)
    return start._replace(values=values)


def _scores(fitted: Fitted, features: Array, design: Array, own: Array) -> Array:
    values = fitted.values
    number, rules, wide = features.shape
    scores = (features.reshape(-1, wide) @ values["feature"]).reshape(number, rules)
    scores = scores + np.clip(values["rule"], -_PARTS, _PARTS)
    scores = scores + (design @ values["sign_section"])[:, own]
    scores[:, fitted.columns] += design @ values["sign_rule"]
    return scores


def both(first: Examples, second: Examples) -> Examples:
    """Return the questions in both ways of asking."""
    return Examples(
        np.concatenate([first.features, second.features]),
        first.signs + second.signs,
        np.concatenate([first.cited, second.cited]),
        first.rules,
        np.concatenate([first.fold, second.fold]),
    )


def elsewhere(ways: Sequence[Examples]) -> list[Array]:
    """Return, for each way of asking, the scores of each question by weights fitted without it."""
    scores_of = [np.full(way.cited.shape, -99.0, dtype=np.float32) for way in ways]
    for fold in range(_FOLDS):
        fitted = fit(both(*[way.where(way.fold != fold) for way in ways]))
        for way, scores in zip(ways, scores_of, strict=True):
            own = way.where(way.fold == fold)
            sections = _sections(way.rules)[1]
            scores[way.fold == fold] = _scores(fitted, own.features, _design(own, fitted), sections)
    return scores_of


def hits(way: Examples, scores: Array, most: int) -> float:
    """Return the share of questions with a cited rule among the first."""
    best = np.argsort(-scores, axis=1, kind="stable")[:, :most]
    return float(np.take_along_axis(way.cited, best, 1).max(1).mean())


def without_commonest(way: Examples, scores: Array) -> tuple[Examples, Array]:
    """Return the questions whose answers cite more than the commonest rules, without those rules."""
    common = np.argsort(-way.cited.sum(0), kind="stable")[:_COMMONEST]
    cited, left = way.cited.copy(), scores.copy()
    cited[:, common], left[:, common] = 0, -1e4
    asked = cited.sum(1) > 0
    return way._replace(cited=cited).where(asked), left[asked]


def _printed(fitted: Fitted, rules: Sequence[str]) -> str:
    """Return fitted weights as the table that `cr ask` reads."""
    values = fitted.values
    names, _, _ = _sections(rules)
    anyhow = zip(rules, map(float, np.clip(values["rule"], -_PARTS, _PARTS)), strict=True)
    cells: dict[str, str] = {}
    for sign, row in fitted.signs.items():
        rare = fitted.rarity[row]
        pairs = [(rare * values["sign_section"][row, at], name) for at, name in enumerate(names)]
        pairs += [
            (rare * values["sign_rule"][row, at], rules[rule])
            for at, rule in enumerate(fitted.columns)
        ]
        kept = sorted([(-value, number) for value, number in pairs if value >= _LEAST_WRITTEN])
        if kept:
            cells[sign] = " ".join([f"{number}:{-value:.2f}" for value, number in kept])
    tables = {
        "feature": zip(FEATURES, map(float, values["feature"]), strict=True),
        "rule": ((name, value) for name, value in anyhow if abs(value) >= _LEAST_WRITTEN),
    }
    lines = [_HEAD, f"edition\t{_EDITION}\t"]
    for kind, rows in tables.items():
        lines += [f"{kind}\t{name}\t{value:.2f}" for name, value in rows]
    lines += [f"sign\t{sign}\t{cell}" for sign, cell in sorted(cells.items())]
    return "\n".join(lines) + "\n"


def table(corpus: Path, kb: Path) -> str:
    """Say how good answers to other questions are; return the table of weights."""
    questions = read_judged(corpus.parent / "gold" / "questions.tsv")
    with KnowledgeBase.open(kb) as base:
        cards = Cards.open(kb)
        ways = [examples_of(questions, base, cards), examples_of(questions, base, None)]
        for name, way, scores in zip(("with cards", "without"), ways, elsewhere(ways), strict=True):
            shares = [f"{100 * hits(way, scores, most):5.1f}" for most in (1, 5, 10, 50)]
            rare = 100 * hits(*without_commonest(way, scores), 10)
            sys.stderr.write(f"{name:12} among 1, 5, 10, 50: {' '.join(shares)}; rare {rare:.1f}\n")
    return _printed(fit(both(*ways)), ways[0].rules)
