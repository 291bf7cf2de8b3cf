"""Answers questions that tell a story: the rules that govern the cards and the events told, with reasons."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from math import sqrt
from typing import NamedTuple

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cards.finder import Mention, find_cards
from variorum.cards.governing import titles_of_layout
from variorum.cards.store import Cards
from variorum.files import Closing
from variorum.records.search import AskedCard, Passages, PassageText, Reason, RulePassage
from variorum.search.index import SearchIndexes, stems_in
from variorum.search.rules import SILENT_STEMS, Points, Rules
from variorum.search.story import Story, is_foreign, signs_of, understood
from variorum.search.weights import QuestionWeights, fitted_weights
from variorum.words import ASKING, SILENT, stem_of

MOST_PASSAGES = 5
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
_SILENT = ASKING | SILENT


# Evidence -----------------------------------------------------------------------------------------


def features_of(story: Story, rules: Rules) -> dict[str, Points]:
    """Return what a question says for each rule: the features by name, from 0 to 1."""
    said = dict.fromkeys(story.said, 1.0)
    texts, whole = rules.text_points(said), rules.points(said)
    likest = sorted(texts, key=lambda at: (-texts[at], at))[:_CLOSELY]
    sections = [
        rules.section_titled.get(" ".join(stems_in(title)), "")
        for card in story.cards
        for title in titles_of_layout(card.layout)
    ]
    by_section: Points = {}
    for some in rules.in_section.values():
        if much := sum(sorted([whole.get(rule, 0.0) for rule in some])[-3:]):
            by_section |= dict.fromkeys(some, much)
    keywords = [stems_in(keyword) for card in story.cards for keyword in card.keywords]
    printed = [stems_in(card.rules_text) for card in story.cards]
    features = {
        "text": _scaled(rules.best(texts)),
        "pairs": _scaled(rules.best(rules.pair_points(story.sequence, likest))),
        "rule": _scaled(whole),
        "wording": _scaled(rules.points(_other_words(story, rules))),
        "asked": _scaled(rules.points(dict.fromkeys(story.asked, 1.0))),
        "printed": _scaled(rules.points(dict.fromkeys(story.printed, 1.0))),
        "ruling": _scaled(rules.points(_ruling_words(story))),
        "keyword": _marked(map(rules.named_in, keywords)),
        "action": _marked(map(rules.named_in, printed)),
        "named": _marked([rules.named_in(story.sequence)]),
        "section": _scaled(by_section),
        "layout": _marked(rules.in_section[section] for section in sections if section),
    }
    # A rule that shares no word, card or trait with the question is no answer, however often it is cited.
    telling = [stem for stem in (*story.said, *story.printed) if stem not in SILENT_STEMS]
    shared = {rule for stem in telling for rule in rules.weights(stem)}
    shared.update(*[features[name] for name in ("keyword", "action", "named", "layout")])
    most = max(rules.cited, default=0.0) or 1.0
    features["section"] = {rule: p for rule, p in features["section"].items() if rule in shared}
    return features | {"cited": {rule: rules.cited[rule] / most for rule in shared}}


def _scaled(points: Points) -> Points:
    most = max(points.values(), default=0.0)
    return {rule: much / most for rule, much in points.items()} if most > 0 else {}


def _marked(groups: Iterable[Iterable[int]]) -> Points:
    return {rule: 1.0 for group in groups for rule in group}


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


class RankedRule(NamedTuple):
    """A rule that may answer a question, by its place, with a score to compare within the question.

    `parts` is what each feature adds to it, and "learnt" what the signs of the question add; `signs` is what
    each of these adds.
    """

    rule: int
    score: float
    parts: Mapping[str, float]
    signs: Mapping[str, float]


def rank(
    story: Story, rules: Rules, weights: QuestionWeights, features: Mapping[str, Points], most: int
) -> list[RankedRule]:
    """Return the rules that answer a question best."""
    moved = rules.index.columns.moved
    usual = {moved.get(number, number): points for number, points in weights.rules.items()}
    learnt: defaultdict[int, dict[str, float]] = defaultdict(dict)
    signs = signs_of(story)
    for sign in signs:
        for number, weight in weights.spoken_for(sign):
            place = rules.place_of.get(moved.get(number, number))
            own = [] if place is None else [place]
            for rule in own if "." in number else rules.in_section.get(number, ()):
                learnt[rule][sign] = learnt[rule].get(sign, 0.0) + weight / sqrt(len(signs))
    ranked: list[RankedRule] = []
    for rule in features["cited"]:
        parts = {name: weights.features[name] * features[name].get(rule, 0.0) for name in FEATURES}
        parts["learnt"] = sum(learnt[rule].values())
        prior = max(-_PARTS, min(_PARTS, usual.get(rules.numbers[rule], 0.0)))
        ranked.append(RankedRule(rule, sum(parts.values()) + prior, parts, learnt[rule]))
    return sorted(ranked, key=lambda each: (-each.score, each.rule))[:most]


# Answers ------------------------------------------------------------------------------------------


class QuestionAnswers(Closing):
    """Answers questions from an open base, with the cards beside it if there are any."""

    def __init__(
        self, base: KnowledgeBase, cards: Cards | None, weights: QuestionWeights | None = None
    ) -> None:
        self._base, self._cards = base, cards
        self._indexes = SearchIndexes(base)
        self._weights = weights or fitted_weights()
        self._rules = cache(lambda place: Rules(self._indexes.of(base.editions[place])))

    def close(self) -> None:
        """Close the file of cards, and the indexes."""
        self._indexes.close()
        if self._cards is not None:
            self._cards.close()

    def rules(self, edition: EditionEntry) -> Rules:
        """Return the rules of an edition by their words."""
        return self._rules(edition.place)

    def mentions(self, question: str) -> list[Mention]:
        """Return the cards that a question names; none if there are no cards."""
        return find_cards(question, self._cards) if self._cards is not None else []

    def ask(self, question: str, on: str | None = None, limit: int = MOST_PASSAGES) -> Passages:
        """Return the passages that answer a question best; without a designator, in the edition in force.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = self._base.edition(on or "current")
        rules, mentions = self.rules(edition), self.mentions(question)
        story, best = understood(question, mentions, rules), list[RankedRule]()
        if mentions or not is_foreign(question, rules.index.knows):
            best = rank(story, rules, self._weights, features_of(story, rules), limit)
        named = {mention.card.name: mention for mention in reversed(mentions)}
        texts = rules.text_points(
            dict.fromkeys(story.printed, _PRINTED) | dict.fromkeys(story.said, 1.0)
        )
        return Passages(
            question=question,
            edition=edition.label,
            doubts=list(edition.doubts),
            has_cards=self._cards is not None,
            cards=[
                AskedCard(name, question[each.start : each.stop], list(each.others))
                for name, each in reversed(named.items())
            ],
            passages=[self._passage(ranked, story, rules, texts, edition) for ranked in best],
        )

    def _passage(
        self, ranked: RankedRule, story: Story, rules: Rules, texts: Points, edition: EditionEntry
    ) -> RulePassage:
        """Return a rule with those of its subrules that share most with the question and the cards."""
        rule = self._base.show(rules.numbers[ranked.rule], edition)[0]
        places = sorted(rules.places[ranked.rule], key=lambda at: (-texts.get(at, 0.0), at))
        least = _SUBRULE_SHOWN * texts.get(places[0], 0.0)
        shown = sorted([at for at in places[:_MOST_SHOWN] if texts.get(at, 0.0) >= least])
        numbers = [rules.index.columns.numbers[at] for at in shown]
        subrules = [self._base.show(each, edition)[0] for each in numbers if each != rule.number]
        return RulePassage(
            number=rule.number,
            heading=rule.heading,
            path=[f"{above.number} {above.heading}" for above in rule.path() if above.heading],
            text=rule.text,
            now=rule.today.number if rule.today is not None else None,
            subrules=[PassageText(subrule.number, subrule.text) for subrule in subrules],
            why=_reasons(ranked, story, rules, rule.heading),
            score=round(ranked.score, 3),
        )


def _reasons(ranked: RankedRule, story: Story, rules: Rules, heading: str) -> list[Reason]:
    """Return what in a question and its cards speaks for a rule, the weightiest first."""
    rule, parts = ranked.rule, ranked.parts

    def telling(words: Mapping[str, str], *kinds: str) -> list[str]:
        """Return the words, by their stems, that tell most for the rule, in its texts or as signs."""
        told = {word: rules.weights(stem).get(rule, 0.0) for stem, word in words.items()}
        for stem, word in words.items():
            told[word] += sum([ranked.signs.get(f"{kind} {stem}", 0.0) for kind in kinds])
        some = [word for word in told if told[word] and word not in _SILENT]
        return sorted(some, key=lambda word: (-told[word], word))[:_MOST_WORDS]

    rows: list[tuple[float, str, list[str], str | None]] = []
    for card in story.cards:
        keywords = [word for word in card.keywords if rule in rules.named_in(stems_in(word))]
        stems = stems_in(card.rules_text)
        acts = [heading] if rule in rules.named_in(stems) else []
        printed = telling({stem: story.printed[stem] for stem in stems}, "printed")
        rows.append((parts["keyword"], "keyword", keywords, card.name))
        rows.append((parts["action"], "action", acts, card.name))
        rows.append((parts["printed"], "printed", printed, card.name))
    for _, ruling, card in story.rulings[:1]:
        said = {stem: story.said[stem] for stem in stems_in(ruling.text) if stem in story.said}
        rows.append((parts["ruling"], "ruling", telling(said), card.name))
    shared = sum([parts[name] for name in _BY_WORDS])
    rows.append((parts["named"], "heading", [heading] if parts["named"] else [], None))
    rows.append((shared, "words", telling(story.said, "said", "asked"), None))
    rows = sorted([row for row in rows if row[2]], key=lambda row: -row[0])
    worth = [row for row in rows if row[0] >= _WORTH_A_REASON] or rows[:1]
    return [Reason(kind, words, card) for _, kind, words, card in worth[:_MOST_REASONS]]
