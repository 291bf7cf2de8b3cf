"""Answers questions that tell a story with passages of the rules, and the reasons for each."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from math import log, sqrt
from typing import NamedTuple

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cards.finder import find_cards
from variorum.cards.governing import titles_of_layout
from variorum.cards.store import Cards
from variorum.files import Closing
from variorum.records.search import AskedCard, Passages, PassageText, Reason, RulePassage
from variorum.search.index import Index, SearchIndexes, stems_in
from variorum.search.story import CardMention, Story, is_foreign, signs_of, understood
from variorum.search.weights import QuestionWeights, fitted_weights
from variorum.words import ASKING, SILENT, stem_of

MOST_PASSAGES = 5
FEATURES = (
    "text",  # words of the question in the rule's best text, with examples and headings
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
# BM25 for a rule with all its subrules: how soon repeated words stop counting, and how much less a
# long rule counts.
_SOON, _LONG = 1.2, 0.6
# What is usually cited parts rules that fit equally well: it adds no more than this.
_PARTS = 0.5
# When subrules of a rule are compared, the words of the question weigh 1; these are the weights of
# the cards' words and of usual answers. A subrule with this share of the best one's points is shown.
_PRINTED, _USUAL, _SUBRULE_SHOWN, _MOST_SHOWN = 0.4, 0.15, 0.6, 3
# What adds less to a passage's points is no reason for it.
_WORTH_A_REASON, _MOST_WORDS, _MOST_REASONS = 0.25, 4, 4
_SILENT = ASKING | SILENT
_SILENT_STEMS = frozenset(map(stem_of, _SILENT))

Points = dict[int, float]


class Rules:
    """The rules of an edition, each with its subrules, by their words; a rule is known by its place in `numbers`."""

    def __init__(self, index: Index) -> None:
        self.index = index
        columns = index.columns
        self.numbers: list[str] = []
        self.places: list[list[int]] = []  # of the texts of each rule
        self.rule_of: dict[int, int] = {}  # by the place of a text
        for place, (kind, number) in enumerate(zip(columns.kinds, columns.numbers, strict=True)):
            if kind in {"rule", "subrule"}:
                rule = number.rstrip("abcdefghijklmnopqrstuvwxyz")
                if not self.numbers or self.numbers[-1] != rule:
                    self.numbers.append(rule)
                    self.places.append([])
                self.rule_of[place] = len(self.numbers) - 1
                self.places[-1].append(place)
        lengths = [sum([columns.lengths[at] for at in places]) for places in self.places]
        usual = sum(lengths) / max(1, len(lengths)) or 1.0
        self._damping = [_SOON * (1 - _LONG + _LONG * length / usual) for length in lengths]
        self.weights = cache(self._weights)

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Return the rules by their numbers."""
        return {number: rule for rule, number in enumerate(self.numbers)}

    @cached_property
    def sections(self) -> list[str]:
        """Return the section of each rule."""
        return [number.partition(".")[0] for number in self.numbers]

    @cached_property
    def in_section(self) -> dict[str, list[int]]:
        """Return the rules of each section."""
        rules: defaultdict[str, list[int]] = defaultdict(list)
        for rule, section in enumerate(self.sections):
            rules[section].append(rule)
        return dict(rules)

    @cached_property
    def section_titled(self) -> dict[str, str]:
        """Return the numbers of sections by the stems of their headings."""
        rows = zip(*self.index.columns[1:3], self.index.columns.headings, strict=True)
        return {heading: number for kind, number, heading in rows if kind == "section"}

    @cached_property
    def cited(self) -> list[float]:
        """Return for each rule the logarithm of how many texts cite it or a subrule."""
        cited = self.index.columns.cited
        return [log(1 + sum([cited[at] for at in places])) for places in self.places]

    @cached_property
    def _named(self) -> dict[str, list[tuple[tuple[str, ...], int]]]:
        """Return the headings of rules as stems, with the rules, by the first stem."""
        named: defaultdict[str, list[tuple[tuple[str, ...], int]]] = defaultdict(list)
        for rule, (place, *_) in enumerate(self.places):
            stems = tuple(self.index.columns.headings[place].split())
            if stems and stems != ("x",):
                named[stems[0]].append((stems, rule))
        return dict(named)

    def named_in(self, sequence: Sequence[str]) -> set[int]:
        """Return the rules whose headings occur in a sequence of stems."""
        return {
            rule
            for place, stem in enumerate(sequence)
            for stems, rule in self._named.get(stem, ())
            if tuple(sequence[place : place + len(stems)]) == stems
        }

    @cached_property
    def _titles(self) -> frozenset[str]:
        return frozenset(self.index.columns.headings)

    def is_term(self, stems: Sequence[str]) -> bool:
        """Return whether stems are a heading, a headword or a single word of the rules."""
        return " ".join(stems) in self._titles or (
            len(stems) == 1 and self.index.frequency(stems[0]) > 0
        )

    def tells(self, stem: str) -> float:
        """Return the weight of a stem: higher for rarer ones, 0 if no text has it."""
        return self._rarity(len(self.index.counts(stem)), len(self.index))

    @staticmethod
    def _rarity(having: int, size: int) -> float:
        return log(1 + (size - having + 0.5) / (having + 0.5)) if having else 0.0

    def _weights(self, stem: str) -> Points:
        """Return the points of the rules that have a stem, in their own words or their subrules'."""
        counts: Points = {}
        for place, count in self.index.counts(stem).items():
            rule = self.rule_of.get(place)
            if rule is not None:
                counts[rule] = counts.get(rule, 0.0) + count
        rare, damping = self._rarity(len(counts), len(self.numbers)), self._damping
        if not rare:
            return {}
        return {
            rule: rare * count * (_SOON + 1) / (count + damping[rule])
            for rule, count in counts.items()
        }

    def points(self, stems: Mapping[str, float]) -> Points:
        """Return the points of rules for weighted stems."""
        points: Points = {}
        for stem, much in stems.items():
            for rule, weight in self.weights(stem).items():
                points[rule] = points.get(rule, 0.0) + much * weight
        return points

    def text_points(self, stems: Iterable[str]) -> Points:
        """Return the points of texts for stems, by their places."""
        points: Points = {}
        for stem in stems:
            rare = self.tells(stem)
            for place, weight in self.index.weights(stem).items() if rare else ():
                points[place] = points.get(place, 0.0) + rare * weight
        return points


# Evidence -------------------------------------------------------------------------------------------


class Evidence(NamedTuple):
    """What speaks for rules: the features, from 0 to 1, by name and rule; and the points of texts."""

    features: Mapping[str, Points]
    texts: Points
    printed: Points


def evidence_for(story: Story, rules: Rules) -> Evidence:
    """Return what a question says for each rule."""
    said, asked = dict.fromkeys(story.said, 1.0), dict.fromkeys(story.asked, 1.0)
    texts = rules.text_points(story.said)
    best: Points = {}
    for place, points in texts.items():
        rule = rules.rule_of.get(place)
        if rule is not None:
            best[rule] = max(best.get(rule, 0.0), points)
    whole = rules.points(said)
    titles = [title for card in story.cards for title in titles_of_layout(card.layout)]
    sections = [rules.section_titled.get(" ".join(stems_in(title)), "") for title in titles]
    keywords = [stems_in(keyword) for card in story.cards for keyword in card.keywords]
    texts_of_cards = [stems_in(card.rules_text) for card in story.cards]
    features = {
        "text": _scaled(best),
        "rule": _scaled(whole),
        "wording": _scaled(rules.points(_other_words(story, rules))),
        "asked": _scaled(rules.points(asked)),
        "printed": _scaled(rules.points(dict.fromkeys(story.printed, 1.0))),
        "ruling": _scaled(rules.points(_ruling_words(story))),
        "keyword": _marked(rules.named_in(stems) for stems in keywords),
        "action": _marked(rules.named_in(stems) for stems in texts_of_cards),
        "named": _marked([rules.named_in(story.sequence)]),
        "section": _scaled(_by_section(whole, rules)),
        "layout": _marked(rules.in_section.get(section, ()) for section in sections),
    }
    # A rule that shares no word, card or trait with the question is no answer, however often it is cited.
    telling = [stem for stem in (*story.said, *story.printed) if stem not in _SILENT_STEMS]
    shared = {rule for stem in telling for rule in rules.weights(stem)}
    for name in ("keyword", "action", "named", "layout"):
        shared.update(features[name])
    features["section"] = {
        rule: much for rule, much in features["section"].items() if rule in shared
    }
    most = max(rules.cited, default=0.0) or 1.0
    features["cited"] = {rule: rules.cited[rule] / most for rule in shared}
    return Evidence(features, texts, rules.text_points(story.printed))


def _scaled(points: Points) -> Points:
    most = max(points.values(), default=0.0)
    return {rule: much / most for rule, much in points.items()} if most > 0 else {}


def _marked(groups: Iterable[Iterable[int]]) -> Points:
    return {rule: 1.0 for group in groups for rule in group}


def _by_section(points: Points, rules: Rules) -> Points:
    """Return for each rule the sum of the three best points in its section."""
    by: dict[int, float] = {}
    for section in rules.in_section.values():
        best = sum(sorted([points.get(rule, 0.0) for rule in section])[-3:])
        if best:
            by |= dict.fromkeys(section, best)
    return by


def _other_words(story: Story, rules: Rules) -> dict[str, float]:
    """Return the stems of other words for what a question says, with their weights."""
    words: dict[str, float] = {}
    for phrase in rules.index.vocabulary.find(story.sequence):
        for other in phrase.others:
            for word in other.words:
                stem = stem_of(word)
                if stem not in story.said:
                    words[stem] = max(words.get(stem, 0.0), other.weight)
    return words


def _ruling_words(story: Story) -> dict[str, float]:
    """Return the stems of the rulings nearest to the question, with their weights."""
    nearest: dict[str, float] = {}
    for nearness, ruling, _ in story.rulings:
        for stem in dict.fromkeys(stems_in(ruling.text)):
            nearest[stem] = nearest.get(stem, 0.0) + nearness
    most = max(nearest.values(), default=0.0)
    return {stem: sqrt(much / most) for stem, much in nearest.items()} if most > 0 else {}


# Ranking --------------------------------------------------------------------------------------------


class RankedRule(NamedTuple):
    """A rule that may answer a question.

    Attributes:
        rule: Its place in the rules.
        score: To be compared only within the same question.
        parts: What each feature adds to the score, and "learnt" what the signs of the question add.
        signs: What each sign adds, the greatest first.
    """

    rule: int
    score: float
    parts: Mapping[str, float]
    signs: Sequence[tuple[str, float]]


def rank(
    story: Story, rules: Rules, weights: QuestionWeights, evidence: Evidence, most: int
) -> list[RankedRule]:
    """Return the rules that answer a question best."""
    features = evidence.features
    learnt = _learnt(story, rules, weights)
    usual = _usual(rules, weights)
    totals = {
        rule: sum([weights.features[name] * features[name].get(rule, 0.0) for name in FEATURES])
        + sum(learnt.get(rule, {}).values())
        + usual.get(rule, 0.0)
        for rule in features["cited"]
    }
    best = sorted(totals, key=lambda rule: (-totals[rule], rule))[:most]
    ranked: list[RankedRule] = []
    for rule in best:
        signs = sorted(learnt.get(rule, {}).items(), key=lambda sign: (-sign[1], sign[0]))
        parts = {name: weights.features[name] * features[name].get(rule, 0.0) for name in FEATURES}
        parts["learnt"] = sum([points for _, points in signs])
        ranked.append(RankedRule(rule, totals[rule], parts, signs))
    return ranked


def _usual(rules: Rules, weights: QuestionWeights) -> Points:
    moved = rules.index.columns.moved
    usual: Points = {}
    for number, points in weights.rules.items():
        rule = rules.place_of.get(moved.get(number, number))
        if rule is not None:
            usual[rule] = max(-_PARTS, min(_PARTS, points))
    return usual


def _learnt(story: Story, rules: Rules, weights: QuestionWeights) -> dict[int, dict[str, float]]:
    """Return what the signs of a question add to rules."""
    moved = rules.index.columns.moved
    learnt: defaultdict[int, dict[str, float]] = defaultdict(dict)
    signs = signs_of(story)
    share = 1 / sqrt(max(1, len(signs)))
    for sign in signs:
        for number, weight in weights.spoken_for(sign):
            if "." in number:
                rule = rules.place_of.get(moved.get(number, number))
                named: Collection[int] = () if rule is None else (rule,)
            else:
                named = rules.in_section.get(number, ())
            for rule in named:
                learnt[rule][sign] = learnt[rule].get(sign, 0.0) + weight * share
    return learnt


# Answers --------------------------------------------------------------------------------------------


class Inquiry(NamedTuple):
    """A question, the designator of its edition (None: that in force) and the most passages wanted."""

    question: str
    on: str | None = None
    limit: int = MOST_PASSAGES


class QuestionAnswers(Closing):
    """Answers questions from an open base, with the cards beside it if there are any."""

    def __init__(
        self,
        base: KnowledgeBase,
        cards: Cards | None,
        indexes: SearchIndexes | None = None,
        weights: QuestionWeights | None = None,
    ) -> None:
        self._base, self._cards = base, cards
        self._indexes = indexes or SearchIndexes(base)
        self.weights = weights or fitted_weights()
        self._known: dict[str, Rules] = {}

    def close(self) -> None:
        """Close the file of cards, and the indexes."""
        self._indexes.close()
        if self._cards is not None:
            self._cards.close()

    def rules(self, edition: EditionEntry) -> Rules:
        """Return the rules of an edition by their words."""
        if edition.label not in self._known:
            self._known[edition.label] = Rules(self._indexes.of(edition))
        return self._known[edition.label]

    def mentions(self, question: str) -> list[CardMention]:
        """Return the cards that a question names; none if there are no cards."""
        cards = self._cards
        return [
            CardMention(
                mention.start,
                mention.stop,
                cards.card(mention.card),
                tuple([cards.card(card_id).name for card_id in mention.others]),
                mention.is_misspelt,
            )
            for mention in (find_cards(question, cards) if cards else ())
            if cards
        ]

    def ask(self, inquiry: Inquiry) -> Passages:
        """Return the passages that answer a question best.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = self._base.edition(inquiry.on or "current")
        rules = self.rules(edition)
        mentions = self.mentions(inquiry.question)
        story = understood(inquiry.question, mentions, rules)
        if not mentions and is_foreign(inquiry.question, rules.index.knows):
            story = understood("", [], rules)
        evidence = evidence_for(story, rules)
        best = rank(story, rules, self.weights, evidence, inquiry.limit)
        return Passages(
            question=inquiry.question,
            edition=edition.label,
            doubts=list(edition.doubts),
            has_cards=self._cards is not None,
            cards=list(_cards(inquiry.question, mentions)),
            passages=[self._passage(ranked, story, evidence, rules, edition) for ranked in best],
        )

    def _passage(
        self,
        ranked: RankedRule,
        story: Story,
        evidence: Evidence,
        rules: Rules,
        edition: EditionEntry,
    ) -> RulePassage:
        rule = self._base.show(rules.numbers[ranked.rule], edition)[0]
        numbers = self._shown(ranked.rule, evidence, rules)
        subrules = [
            self._base.show(number, edition)[0] for number in numbers if number != rule.number
        ]
        now = rule.today
        return RulePassage(
            number=rule.number,
            heading=rule.heading,
            path=[f"{above.number} {above.heading}" for above in rule.path() if above.heading],
            text=rule.text,
            now=now.number if now is not None else None,
            subrules=[PassageText(subrule.number, subrule.text) for subrule in subrules],
            why=_reasons(ranked, story, rules, rule.heading),
            score=round(ranked.score, 3),
        )

    def _shown(self, rule: int, evidence: Evidence, rules: Rules) -> list[str]:
        """Return the numbers of a rule's texts that answer best, in printed order."""
        columns, cited = rules.index.columns, self.weights.subrules
        former = {new: old for old, new in columns.moved.items()}
        points = {
            place: evidence.texts.get(place, 0.0) + _PRINTED * evidence.printed.get(place, 0.0)
            for place in rules.places[rule]
        }
        most = max(points.values(), default=0.0) or 1.0
        for place, much in points.items():
            number = columns.numbers[place]
            points[place] = much / most + _USUAL * cited.get(former.get(number, number), 0.0)
        best = sorted(points, key=lambda place: (-points[place], place))[:_MOST_SHOWN]
        least = _SUBRULE_SHOWN * points[best[0]]
        return [columns.numbers[place] for place in sorted(best) if points[place] >= least]


def _cards(question: str, mentions: Sequence[CardMention]) -> Iterator[AskedCard]:
    seen: set[str] = set()
    for mention in mentions:
        if mention.card.name not in seen:
            seen.add(mention.card.name)
            written = question[mention.start : mention.stop]
            yield AskedCard(mention.card.name, written, mention.is_misspelt, list(mention.others))


# Reasons --------------------------------------------------------------------------------------------


def _reasons(ranked: RankedRule, story: Story, rules: Rules, heading: str) -> list[Reason]:
    """Return what in a question and its cards speaks for a rule, the weightiest first."""
    rule, parts = ranked.rule, ranked.parts
    reasons: list[tuple[float, Reason]] = []

    def add(much: float, kind: str, words: Sequence[str], card: str | None = None) -> None:
        if words and much > 0:
            reasons.append((much, Reason(kind=kind, words=list(words), card=card)))

    for card in story.cards:
        keywords = [word for word in card.keywords if rule in rules.named_in(stems_in(word))]
        add(parts["keyword"], "keyword", keywords, card.name)
        acts = rule in rules.named_in(stems_in(card.rules_text))
        add(parts["action"] if acts else 0.0, "action", [heading], card.name)
        printed = {stem: story.printed[stem] for stem in stems_in(card.rules_text)}
        add(parts["printed"], "printed", _telling(printed, rules, rule), card.name)
    add(parts["named"], "heading", [heading] if parts["named"] else [])
    shared = sum([parts[name] for name in ("text", "rule", "asked", "section", "wording")])
    add(shared, "words", _telling(story.said, rules, rule))
    for _, ruling, card in story.rulings[:1]:
        said = {stem: story.said[stem] for stem in stems_in(ruling.text) if stem in story.said}
        add(parts["ruling"], "ruling", _telling(said, rules, rule), card.name)
    add(parts["learnt"], "learnt", _sign_words(ranked, story))
    reasons.sort(key=lambda reason: -reason[0])
    worth = [reason for much, reason in reasons if much >= _WORTH_A_REASON]
    return worth[:_MOST_REASONS] or [reason for _, reason in reasons[:1]]


def _telling(stems: Mapping[str, str], rules: Rules, rule: int) -> list[str]:
    """Return the words with the highest weights for a rule."""
    weights = {word: rules.weights(stem).get(rule, 0.0) for stem, word in stems.items()}
    words = [word for word, much in weights.items() if much and word not in _SILENT]
    return sorted(words, key=lambda word: (-weights[word], word))[:_MOST_WORDS]


def _sign_words(ranked: RankedRule, story: Story) -> list[str]:
    words: dict[str, None] = {}
    written = {"said": story.said, "asked": story.asked, "printed": story.printed}
    for sign, _ in ranked.signs:
        kind, _, stem = sign.partition(" ")
        words.setdefault(written[kind].get(stem, stem) if kind in written else stem)
    return [word for word in words if word not in _SILENT][:_MOST_WORDS]
