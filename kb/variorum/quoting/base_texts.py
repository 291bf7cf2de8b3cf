"""The texts of an open base, for the matcher."""

from collections import defaultdict
from weakref import WeakKeyDictionary

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.quoting.page import folded_words
from variorum.quoting.printed_texts import PrintedTexts, Printing
from variorum.rows import split_body
from variorum.rule_numbers import stem_of

_KNOWN: WeakKeyDictionary[KnowledgeBase, PrintedTexts] = WeakKeyDictionary()


def known_texts(base: KnowledgeBase) -> PrintedTexts:
    """Return all texts that ever stood in the editions of a base; a printing has its state's id."""
    if base not in _KNOWN:
        _KNOWN[base] = _read(base)
    return _KNOWN[base]


def _read(base: KnowledgeBase) -> PrintedTexts:
    query = base.reader.query
    bodies = {
        reading: tuple([text for _, text in split_body(body)])
        for reading, body in query("SELECT id, body FROM reading")
    }
    editions: dict[int, int] = defaultdict(int)
    for provision, first, last in query("SELECT provision, first, last FROM span"):
        editions[provision] |= (2 << last) - (1 << first)
    rows = query("SELECT id, number, heading, reading FROM provision ORDER BY id")
    lines = base.texts.lines
    return PrintedTexts(
        [
            Printing(number, heading, bodies[reading], editions[state], lines[state])
            for state, number, heading, reading in rows
        ]
    )


def changed_names(base: KnowledgeBase) -> dict[int, set[str]]:
    """Return by each edition's place the numbers and headwords that it changed, old and new ones.

    A rule of which a subrule changed is among them; headwords are words with a blank between them.
    """
    rows = base.reader.query(
        "SELECT edition, number, heading FROM link JOIN provision ON provision.id IN (old, new)"
    )
    changed: dict[int, set[str]] = defaultdict(set)
    for edition, number, heading in rows:
        changed[edition].update([number, stem_of(number)] if number else [folded_words(heading)])
    return changed


def headwords(known: PrintedTexts) -> set[str]:
    """Return the words of all headwords of the glossary, with a blank between them."""
    return {folded_words(printing.heading) for printing in known.printings if not printing.number}
