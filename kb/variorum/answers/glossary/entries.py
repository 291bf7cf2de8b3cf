"""Finds the terms of an edition's glossary in texts, and the rules that its entries name."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from variorum.answers.glossary.terms import Terms
from variorum.answers.lookup import at_address, matches, path
from variorum.answers.refs import RESOLVED, cites
from variorum.answers.subject import Subject
from variorum.records.provision import EntryRule, Term
from variorum.rows import full_text, text_of
from variorum.text.keys import fold_key
from variorum.text.sentence_around import sentence_around

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.rows import Row

_HEADWORDS = (
    "SELECT p.heading FROM provision p JOIN span s ON s.provision = p.id "
    "WHERE p.kind = 'glossary' AND s.first <= ? AND s.last >= ? ORDER BY p.id"
)
_LAST = (
    "SELECT max(s.last) FROM lookup l JOIN span s ON s.provision = l.provision "
    "JOIN provision p ON p.id = l.provision WHERE l.word = ? AND p.kind = 'glossary'"
)
# The words that an entry prints before the rule it refers to.
_SEE = re.compile(r"\bsee (?:also )?(?:rules?|sections?) $", re.IGNORECASE)
_SENSE = re.compile(r"\d+\. ")


@dataclass(frozen=True, slots=True)
class Gloss:
    """A short explanation of a term.

    Attributes:
        term: Its headword.
        rule: The address of the rule that its entry refers to, or "".
        heading: That rule's heading, or the nearest heading above it.
        under: The address of the provision above; None if the heading is the rule's own.
        sentence: The first sentence of the entry.
    """

    term: str
    rule: str
    heading: str
    under: str | None
    sentence: str


class Glossary:
    """Answers about glossaries, from an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        self._reader = base.reader
        # Only one edition's terms are cached, because callers ask edition by edition.
        self._terms: tuple[int, Terms] | None = None

    def terms_of(self, on: "str | EditionEntry" = "current") -> Terms:
        """Return the finder of an edition's terms in texts."""
        place = self._base.edition(on).place
        if self._terms is None or self._terms[0] != place:
            rows = self._reader.query(_HEADWORDS, (place, place))
            self._terms = place, Terms([row[0] for row in rows])
        return self._terms[1]

    def terms(self, match: Subject) -> list[Term]:
        """Return the terms in a provision's text and examples, by the glossary of its edition."""
        text = full_text(match.state.body)
        own = match.heading if match.kind == "glossary" else ""
        return [
            Term(term=term, text=text[start:stop], start=start, end=stop)
            for start, stop, term in self.terms_of(match.edition).find(text, own)
        ]

    def gloss(self, term: str, on: "str | EditionEntry" = "current") -> Gloss:
        """Return the first sentence of a term's entry, and the rule that it refers to.

        Args:
            term: A headword as the edition prints it.
            on: The edition.
        """
        place = self._base.edition(on).place
        rows = matches(self._reader, fold_key(term), place)
        state = next(row for row in rows if row.kind == "glossary" and row.heading == term)
        text, rule, heading, under = full_text(state.body), "", "", None
        for citation in cites(self._reader, state, place):
            is_seen = citation.part == "text" and _SEE.search(text, 0, citation.start)
            if is_seen and citation.status == RESOLVED:
                rule = citation.targets[0]
                heading, under = self._heading(rule, place)
                break
        return Gloss(term, rule, heading, under, _first_sentence(state))

    def rules(self, match: Subject) -> list[EntryRule]:
        """Return the rules that an entry names, in the order it prints them."""
        rules: list[EntryRule] = []
        for citation in match.cites():
            if citation.part == "text":
                targets = citation.targets
                heading, under = ("", None)
                if targets:
                    heading, under = self._heading(targets[0], match.edition.place)
                rules.append(EntryRule(citation.text, targets, heading, under, citation.status))
        return rules

    def last_with(self, term: str) -> "EditionEntry | None":
        """Return the last edition that has a headword; None if no edition has it."""
        place: int | None = self._reader.query(_LAST, (fold_key(term),))[0][0]
        return None if place is None else self._base.editions[place]

    def _heading(self, address: str, edition: int) -> tuple[str, str | None]:
        """Return a provision's heading and None, or the nearest heading above it and its address."""
        state = at_address(self._reader, address, edition)
        if state is None or state.heading:
            return state.heading if state else "", None
        above = [row for row in path(self._reader, state, edition) if row.heading]
        return (above[-1].heading, above[-1].address) if above else ("", None)


def _first_sentence(state: "Row") -> str:
    text = text_of(state.body).partition("\n")[0]
    sense = _SENSE.match(text)
    return sentence_around(text[sense.end() if sense else 0 :], 0, 0)
