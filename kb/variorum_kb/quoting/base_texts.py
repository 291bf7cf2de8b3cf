"""The texts of an open base, for the matcher."""

from collections import defaultdict

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.quoting.printed_texts import PrintedTexts, Printing
from variorum_kb.rows import split_body


def known_texts(base: KnowledgeBase) -> PrintedTexts:
    """Return all texts that ever stood in the editions of a base."""
    query = base.reader.query
    bodies = {
        reading: tuple([text for _, text in split_body(body)])
        for reading, body in query("SELECT id, body FROM reading")
    }
    editions: dict[int, int] = defaultdict(int)
    for provision, first, last in query("SELECT provision, first, last FROM span"):
        editions[provision] |= (2 << last) - (1 << first)
    rows = query("SELECT id, number, heading, reading FROM provision ORDER BY id")
    return PrintedTexts(
        [
            Printing(number, heading, bodies[reading], editions[provision])
            for provision, number, heading, reading in rows
        ]
    )
