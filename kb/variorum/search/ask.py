"""Answers questions that tell a story: the rules that govern the cards and the events told, with reasons.

`make fit` fitted weights.tsv to what judges cited: what each feature of a question counts, what a rule gets for any
question, and which rules and sections each sign of a question speaks for.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from variorum.answers.crosswalk import crosswalk_rows
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cards.finder import find_cards
from variorum.cards.governing import titles_of_layout
from variorum.cards.store import Cards
from variorum.records.search import AskedCard, Passages, PassageText, Reason, RulePassage
from variorum.rows import EditionRow
from variorum.search.index import SILENT_STEMS, Points, Rules, stems_in
from variorum.search.story import SAYING_LITTLE, Story, Words, is_foreign, understood
from variorum.words import stem_of

FEATURES = (
    "text",  # words of the question in the rule's best text, with examples and headings
    "pairs",  # two words of the question in a row in the rule's best text
    "rule",  # words of the question in the rule and all its subrules
    "wording",  # the rules' words for what players and other eras say
    "asked",  # words of the asking sentences in the rule and its subrules
    "printed",  # words of the cards in the rule and its subrules
    "ruling",  # words of the nearest rulings in the rule and its subrules
    "keyword",  # the rule's heading is a keyword of a card
    "action",  # a card prints the rule's heading
    "named",  # the question has the rule's heading
    "section",  # words of the question in the rule's section
    "layout",  # the rule's section is about a card's layout
    "cited",  # how many rules cite the rule
)
_TABLE = Path(__file__).with_name("weights.tsv")
# What is usually cited parts rules that fit equally well: it adds no more than this.
_PARTS = 0.5
# When subrules of a rule are compared, the words of the question weigh 1; this is the weight of the
# cards' words. A subrule with this share of the best one's points is shown.
_PRINTED, _SUBRULE_SHOWN, _MOST_SHOWN = 0.4, 0.6, 3
# So many of the texts with the question's words are searched for pairs of them.
_CLOSELY = 100
# What adds less to a passage's points is no reason for it.
_WORTH_A_REASON, _MOST_WORDS, _MOST_REASONS = 0.25, 4, 4
_BY_WORDS = ("text", "pairs", "rule", "asked", "section", "wording", "learnt")


# Evidence -----------------------------------------------------------------------------------------


def features_of(story: Story, rules: Rules) -> dict[str, Points]:
    """Return what a question says for each rule: the features by name, from 0 to 1."""
    texts = rules.text_points(_equally(story.said))
    likest = sorted(texts, key=lambda at: (-texts[at], at))[:_CLOSELY]
    by_words = {
        "text": rules.best(texts),
        "pairs": rules.best(rules.pair_points(story.sequence, likest)),
        "rule": rules.points(_equally(story.said)),
        "wording": rules.points(_other_words(story, rules)),
        "asked": rules.points(_equally(story.asked)),
        "printed": rules.points(_equally(story.printed)),
        "ruling": rules.points(_ruling_words(story)),
    }
    by_section = Points()
    for some in rules.in_section.values():
        points = sorted([by_words["rule"].get(rule, 0.0) for rule in some])
        by_section |= dict.fromkeys(some, sum(points[-3:]))
    layouts = [title for card in story.cards for title in titles_of_layout(card.layout)]
    sections = [rules.section_titled.get(" ".join(stems_in(title)), "") for title in layouts]
    marked: dict[str, Iterable[Iterable[int]]] = {
        "keyword": [rules.named_in(stems_in(it)) for card in story.cards for it in card.keywords],
        "action": [rules.named_in(stems_in(card.rules_text)) for card in story.cards],
        "named": [rules.named_in(story.sequence)],
        "layout": [rules.in_section[section] for section in sections if section],
    }
    features = {name: _scaled(points) for name, points in by_words.items()}
    features |= {
        name: dict.fromkeys([rule for group in groups for rule in group], 1.0)
        for name, groups in marked.items()
    }
    # A rule that shares no word, card or trait with the question is no answer, however often it is cited.
    telling = [stem for stem in (*story.said, *story.printed) if stem not in SILENT_STEMS]
    shared = {rule for stem in telling for rule in rules.weights(stem)}
    shared.update(*[features[name] for name in marked])
    most = max(rules.cited.values(), default=0.0) or 1.0
    section = {rule: points for rule, points in _scaled(by_section).items() if rule in shared}
    return features | {
        "section": section,
        "cited": {rule: rules.cited[rule] / most for rule in shared},
    }


def _equally(words: Words) -> dict[str, float]:
    return dict.fromkeys(words, 1.0)


def _scaled(points: Points) -> Points:
    most = max(points.values(), default=0.0)
    return {rule: much / most for rule, much in points.items() if much} if most > 0 else {}


def _other_words(story: Story, rules: Rules) -> dict[str, float]:
    """Return the stems of other words for what a question says, with their weights."""
    words: dict[str, float] = {}
    for named in rules.index.vocabulary.find(story.sequence):
        for other in named.others:
            for stem in map(stem_of, other.words):
                if stem not in story.said:
                    words[stem] = max(words.get(stem, 0.0), other.weight)
    return words


def _ruling_words(story: Story) -> dict[str, float]:
    """Return the stems of the rulings nearest to the question, with their weights."""
    nearest: defaultdict[str, float] = defaultdict(float)
    for nearness, ruling, _ in story.rulings:
        for stem in dict.fromkeys(stems_in(ruling.text)):
            nearest[stem] += nearness
    most = max(nearest.values(), default=0.0) or 1.0
    return {stem: sqrt(much / most) for stem, much in nearest.items()}


# Ranking ------------------------------------------------------------------------------------------


@cache
def _weights() -> dict[str, dict[str, str]]:
    """Return the table of weights: a kind, a name and a value in each line."""
    tables: dict[str, dict[str, str]] = defaultdict(dict)
    for line in _TABLE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            kind, name, value = line.split("\t")
            tables[kind][name] = value
    return tables


def _numbers_now(base: KnowledgeBase, edition: EditionRow) -> dict[str, str]:
    """Return the numbers in an edition of rules that had others when weights were fitted; "" if removed."""
    (former,) = _weights()["edition"]
    if former not in base.labels or former == edition.label:
        return {}
    rows = crosswalk_rows(base, former, edition)
    return {row.old: (row.new or [""])[0] for row in rows if row.old}


class _Ranked(NamedTuple):
    """A rule that may answer a question, with a score to compare within the question.

    `parts` is what each feature adds to it, and "learnt" what the signs of the question add; `signs` is what
    each of these adds.
    """

    rule: int
    score: float
    parts: Mapping[str, float]
    signs: Mapping[str, float]


def _ranked(story: Story, rules: Rules, numbers: Mapping[str, str], most: int) -> list[_Ranked]:
    """Return the rules that answer a question best; `numbers` are those of today that differ."""
    weights, features, signs = _weights(), features_of(story, rules), story.signs
    factors = {name: float(value) for name, value in weights["feature"].items()}
    usual = {numbers.get(it, it): float(value) for it, value in weights["rule"].items()}
    learnt: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for sign in signs:
        for cell in weights["sign"].get(sign, "").split():
            number, _, weight = cell.partition(":")
            place = rules.numbered.get(numbers.get(number, number))
            own = [] if place is None else [place]
            for rule in own if "." in number else rules.in_section.get(number, ()):
                points = float(weight) / sqrt(len(signs))
                learnt[rule][sign] = learnt[rule].get(sign, 0.0) + points
    ranked: list[_Ranked] = []
    for rule in features["cited"]:
        parts = {name: factors[name] * features[name].get(rule, 0.0) for name in FEATURES}
        parts["learnt"] = sum(learnt[rule].values())
        prior = max(-_PARTS, min(_PARTS, usual.get(rules.numbers[rule], 0.0)))
        ranked.append(_Ranked(rule, sum(parts.values()) + prior, parts, learnt[rule]))
    return sorted(ranked, key=lambda each: (-each.score, each.rule))[:most]


# Answers ------------------------------------------------------------------------------------------


def answered(
    question: str, base: KnowledgeBase, rules: Rules, cards: Cards | None, limit: int
) -> Passages:
    """Return the passages that answer a question best, of the rules of an edition."""
    edition = base.edition(rules.edition)
    mentions = find_cards(question, cards) if cards else []
    story, ranked = understood(question, mentions, rules), list[_Ranked]()
    if mentions or not is_foreign(question, rules.index.knows):
        ranked = _ranked(story, rules, _numbers_now(base, edition), limit)
    named = {mention.card.name: mention for mention in reversed(mentions)}
    texts = rules.text_points(dict.fromkeys(story.printed, _PRINTED) | _equally(story.said))
    passages: list[RulePassage] = []
    for each in ranked:
        places = sorted(rules.texts[each.rule], key=lambda at: (-texts.get(at, 0.0), at))
        least = _SUBRULE_SHOWN * texts.get(places[0], 0.0)
        shown = sorted([at for at in places[:_MOST_SHOWN] if texts.get(at, 0.0) >= least])
        rule = base.show(rules.numbers[each.rule], edition)[0]
        below = [base.show(rules.index.columns.numbers[at], edition)[0] for at in shown]
        passages.append(
            RulePassage(
                number=rule.number,
                heading=rule.heading,
                path=[f"{above.number} {above.heading}" for above in rule.path() if above.heading],
                text=rule.text,
                now=(today := rule.heir()) and today.number,
                subrules=[
                    PassageText(it.number, it.text) for it in below if it.number != rule.number
                ],
                why=_reasons(each, story, rules, rule.heading),
                score=round(each.score, 3),
            )
        )
    return Passages(
        question=question,
        edition=edition.label,
        doubts=edition.doubts.splitlines(),
        has_cards=cards is not None,
        cards=[
            AskedCard(name, question[each.start : each.stop], list(each.others))
            for name, each in reversed(named.items())
        ],
        passages=passages,
    )


def _reasons(ranked: _Ranked, story: Story, rules: Rules, heading: str) -> list[Reason]:
    rule, parts = ranked.rule, ranked.parts

    def telling(words: Words, *kinds: str) -> list[str]:
        """Return the words that tell most for the rule, in its texts or as signs."""
        told = {word: rules.weights(stem).get(rule, 0.0) for stem, word in words.items()}
        for stem, word in words.items():
            told[word] += sum([ranked.signs.get(f"{kind} {stem}", 0.0) for kind in kinds])
        some = [word for word in told if told[word] and word not in SAYING_LITTLE]
        return sorted(some, key=lambda word: (-told[word], word))[:_MOST_WORDS]

    rows: list[tuple[float, str, list[str], str | None]] = []
    for card in story.cards:
        stems = stems_in(card.rules_text)
        said = {
            "keyword": [it for it in card.keywords if rule in rules.named_in(stems_in(it))],
            "action": [heading] if rule in rules.named_in(stems) else [],
            "printed": telling({stem: story.printed[stem] for stem in stems}, "printed"),
        }
        rows += [(parts[kind], kind, words, card.name) for kind, words in said.items()]
    for _, ruling, card in story.rulings[:1]:
        like = {stem: story.said[stem] for stem in stems_in(ruling.text) if stem in story.said}
        rows.append((parts["ruling"], "ruling", telling(like), card.name))
    rows.append((parts["named"], "heading", [heading] if parts["named"] else [], None))
    shared = sum([parts[name] for name in _BY_WORDS])
    rows.append((shared, "words", telling(story.said, "said", "asked"), None))
    rows = sorted([row for row in rows if row[2]], key=lambda row: -row[0])
    worth = [row for row in rows if row[0] >= _WORTH_A_REASON] or rows[:1]
    return [Reason(kind, words, card) for _, kind, words, card in worth[:_MOST_REASONS]]
