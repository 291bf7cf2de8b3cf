"""A document that is no edition → what it attests, whatever its kind."""

from variorum_kb.answers.base import KnowledgeBase
from variorum_kb.attest.articles import attest_article
from variorum_kb.attest.attested import Attested
from variorum_kb.attest.bulletins import attest_bulletin
from variorum_kb.attest.hyperlinked import attest_hyperlinked
from variorum_kb.attest.quoted import attest_quoted
from variorum_kb.attest.rulings import attest_rulings
from variorum_kb.reading.decode import decode
from variorum_kb.witness.bulletins import is_bulletin, read_bulletin
from variorum_kb.witness.partial import read_partial
from variorum_kb.witness.passages import Layout

_RULINGS = frozenset([Layout.RULINGS_PAGE, Layout.RULINGS_COLLECTION])


def attest(base: KnowledgeBase, data: bytes, file: str) -> Attested:
    """Read a document that is no edition and compare it with those of a base.

    Args:
        base: It has editions.
        data: The document.
        file: Its name, for messages.

    Raises:
        DocumentError: It is no text, or attests nothing of these editions.
    """
    if is_bulletin(decode(data, file).text):
        return attest_bulletin(base, read_bulletin(data, file), file)
    partial = read_partial(data, file)
    if partial.layout is Layout.ARTICLE:
        return attest_article(base, partial, file)
    if partial.layout in _RULINGS:
        return attest_rulings(base, partial, file)
    if partial.layout is Layout.HYPERLINKED:
        return attest_hyperlinked(base, [partial], file)
    return attest_quoted(base, partial, file)
