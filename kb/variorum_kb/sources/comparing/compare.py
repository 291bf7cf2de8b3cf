"""A document that is no edition → what it attests, whatever its kind."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from variorum_kb.answers.identify import Identifier
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.articles import attest_article, names_rules_in
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.broken_words import without_breaks
from variorum_kb.sources.comparing.bulletins import attest_bulletin
from variorum_kb.sources.comparing.excerpts import attest_excerpt
from variorum_kb.sources.comparing.hyperlinked import attest_hyperlinked
from variorum_kb.sources.comparing.rulings import attest_rulings
from variorum_kb.sources.reading.bulletins import Bulletin
from variorum_kb.sources.reading.passages import Partial, SourceLayout


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
    if document.layout is not SourceLayout.RULINGS_COLLECTION:
        document = without_breaks(document, Identifier(base.reader))
    try:
        return COMPARISONS[document.layout](base, document, file)
    except LayoutError:
        if document.layout is not SourceLayout.FRAGMENT or not names_rules_in(document):
            raise
    # It quotes nothing, but speaks of the rules by name: notes of somebody who explains them.
    return attest_article(base, replace(document, layout=SourceLayout.ARTICLE), file)


# How a document of each layout is compared; a bulletin has no passages and goes another way.
COMPARISONS: Mapping[SourceLayout, Callable[[KnowledgeBase, Partial, str], Attested]] = (
    MappingProxyType(
        {
            SourceLayout.EXCERPT: attest_excerpt,
            SourceLayout.FRAGMENT: attest_excerpt,
            SourceLayout.RULINGS_PAGE: attest_rulings,
            SourceLayout.RULINGS_COLLECTION: attest_rulings,
            SourceLayout.WIKI_PAGE: attest_excerpt,
            SourceLayout.HYPERLINKED: attest_hyperlinked,
            SourceLayout.EXPORT: attest_excerpt,
            SourceLayout.ARTICLE: attest_article,
        }
    )
)
