"""Gives the reasons for a passage, in words of the question and its cards."""

from collections.abc import Iterable, Mapping

from variorum.records.ask import Reason
from variorum.search.questions.index import Postings, QuestionIndex, stems_in
from variorum.search.questions.ranking import RankedRule
from variorum.search.questions.story import Story
from variorum.words import ASKING, SILENT

# Anything that adds less to a passage's score is not given as a reason for it.
_WORTH_A_REASON = 0.25

_MOST_WORDS, _MOST_REASONS = 4, 4
# Words that may count but are no explanation.
_SILENT = ASKING | SILENT


def reasons_for(ranked: RankedRule, story: Story, index: QuestionIndex) -> list[Reason]:
    """Return the reasons for a rule, the weightiest first."""
    parts = ranked.parts
    place = ranked.place
    reasons: list[tuple[float, Reason]] = []
    for card in story.cards if parts.get("keyword") else ():
        words = [word for word in card.keywords if place in index.named_in(stems_in(word))]
        reasons += [(parts["keyword"], _reason("keyword", words, card.name))] if words else []
    named = index.headings[place]
    for card in story.cards if parts.get("action") else ():
        if place in index.named_in(stems_in(card.rules_text)):
            reasons.append((parts["action"], _reason("action", [named], card.name)))
    if parts.get("named"):
        reasons.append((parts["named"], _reason("heading", [named])))
    words = _words(story.said, index.large, place)
    shared = sum([parts.get(name, 0.0) for name in ("text", "rule", "asked", "section")])
    reasons.append((shared if words else 0.0, _reason("words", words)))
    for card in story.cards:
        words = _words(_printed(card.rules_text, story), index.large, place)
        reasons.append(
            (parts.get("printed", 0.0) if words else 0.0, _reason("printed", words, card.name))
        )
    for _, ruling, card in story.rulings[:1]:
        stems = {stem: story.said[stem] for stem in stems_in(ruling.text) if stem in story.said}
        words = _words(stems, index.large, place)
        reasons.append(
            (parts.get("ruling", 0.0) if words else 0.0, _reason("ruling", words, card.name))
        )
    reasons.append((parts["learnt"], _reason("learnt", _sign_words(ranked, story))))
    reasons.append((parts["usual"], _reason("usual", [])))
    ranked_reasons = sorted(reasons, key=lambda reason: -reason[0])
    best = [reason for much, reason in ranked_reasons if much >= _WORTH_A_REASON][:_MOST_REASONS]
    return best or [ranked_reasons[0][1]]


def _reason(kind: str, words: Iterable[str], card: str | None = None) -> Reason:
    return Reason(kind=kind, words=list(words), card=card)


def _printed(text: str, story: Story) -> dict[str, str]:
    return {stem: story.printed[stem] for stem in stems_in(text) if stem in story.printed}


def _words(stems: Mapping[str, str], postings: Postings, place: int) -> list[str]:
    """Return the words with the highest weights for a rule."""
    weighed: list[tuple[float, str]] = []
    for stem, word in stems.items():
        row = postings.rows.get(stem, ())
        if word not in _SILENT and place in row[::2]:
            at = row[::2].index(place)
            weighed.append((row[1::2][at] * postings.tells(stem), word))
    return [word for _, word in sorted(weighed, key=lambda pair: (-pair[0], pair[1]))[:_MOST_WORDS]]


def _sign_words(ranked: RankedRule, story: Story) -> list[str]:
    words: dict[str, None] = {}
    for sign, _ in ranked.signs:
        kind, _, stem = sign.partition(" ")
        written = {"said": story.said, "asked": story.asked, "printed": story.printed}
        words.setdefault(written[kind].get(stem, stem) if kind in written else stem)
    return [word for word in words if word not in _SILENT][:_MOST_WORDS]
