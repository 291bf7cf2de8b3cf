"""A document that is no edition → what it attests, whatever its kind."""

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.articles import attest_article
from variorum_kb.sources.comparing.attested import Attested
from variorum_kb.sources.comparing.bulletins import attest_bulletin
from variorum_kb.sources.comparing.hyperlinked import attest_hyperlinked
from variorum_kb.sources.comparing.quoted import attest_quoted
from variorum_kb.sources.comparing.rulings import attest_rulings
from variorum_kb.sources.comparing.unbroken import without_breaks
from variorum_kb.sources.reading.bulletins import Bulletin
from variorum_kb.sources.reading.passages import Layout, Partial

_RULINGS = frozenset([Layout.RULINGS_PAGE, Layout.RULINGS_COLLECTION])


def attest(base: KnowledgeBase, document: Partial | Bulletin, file: str) -> Attested:
    """Compare a document that is no edition with those of a base.

    Args:
        base: It has editions.
        document: As `load.read_document` reads it.
        file: Its name, for messages.

    Raises:
        LayoutError: It attests nothing of these editions.
    """
    if isinstance(document, Bulletin):
        return attest_bulletin(base, document, file)
    document = without_breaks(document, base.identifier())
    if document.layout is Layout.ARTICLE:
        return attest_article(base, document, file)
    if document.layout in _RULINGS:
        return attest_rulings(base, document, file)
    if document.layout is Layout.HYPERLINKED:
        return attest_hyperlinked(base, [document], file)
    return attest_quoted(base, document, file)
