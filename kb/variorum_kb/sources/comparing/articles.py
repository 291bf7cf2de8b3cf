"""Attests articles, and the prose of other pages: the rules they discuss, and what they quote."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.articles.linker import (
    Discussed,
    LinkedArticle,
    ProseParagraph,
    link_article,
    short_quotation,
)
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.excerpts.passage_words import said_by
from variorum_kb.sources.comparing.prose_quotations import EditionRange, QuotationChecker
from variorum_kb.sources.reading.passages.passages import Partial, Passage, PassageKind


def attest_article(base: KnowledgeBase, partial: Partial, file: str) -> Attested:
    """Say what an article discusses, what it quotes, and when it was written.

    Raises:
        LayoutError: None of it can be linked to a rule or dated by its words.
    """
    prose = [passage for passage in partial.passages if passage.kind is not PassageKind.HEADING]
    day = next((said.day for said in (partial.dated, partial.edition) if said and said.day), None)
    paragraphs = [_paragraph(passage, passage.first) for passage in prose]
    linked = link_article(base, paragraphs, partial.title, day)
    if linked is None:
        raise LayoutError("nothing in it could be linked to a rule", file)
    passages = tuple(_attested(base, prose, linked))
    quoted = [
        attestation
        for attestation in passages
        if attestation.verdict is not PassageVerdict.COMMENTARY
    ]
    places = () if linked.first is None or linked.last is None else (linked.first, linked.last)
    return replace(
        said_by(partial, places),
        matched=sum([attestation.verdict is PassageVerdict.AGREES for attestation in quoted]),
        of=len(quoted),
        evidence=(partial.evidence, *linked.evidence),
        passages=passages,
    )


def attest_prose(
    base: KnowledgeBase, passages: Sequence[Passage], edition: int | None = None, title: str = ""
) -> tuple[Attestation, ...]:
    """Say which rules paragraphs beside quotations discuss, and what they quote themselves."""
    paragraphs = [_paragraph(passage, passage.first) for passage in passages]
    places = range(len(base.editions)) if edition is None else [edition]
    linked = link_article(base, paragraphs, title, None, places)
    return tuple(_attested(base, passages, linked)) if linked else ()


def _paragraph(passage: Passage, line: int) -> ProseParagraph:
    return ProseParagraph(line, f"{passage.printed} {passage.text}".strip())


def _attested(
    base: KnowledgeBase, prose: Sequence[Passage], linked: LinkedArticle
) -> Iterator[Attestation]:
    """Yield the attestations of paragraphs, in printed order."""
    first, last = linked.first or 0, len(base.editions) - 1
    span = EditionRange(first, last if linked.last is None else linked.last)
    checker = QuotationChecker(base, base.identifier(), span)
    for passage in prose:
        rule = checker.check_rule(passage) if passage.number else None
        if rule is not None:
            yield rule
            continue
        discussed = [rule for rule in linked.discussed if rule.line == passage.first]
        yield from (
            [_commentary(passage, rule) for rule in discussed]
            or [
                Attestation(
                    kind=PassageKind.PROSE.value,
                    verdict=PassageVerdict.COMMENTARY,
                    words=short_quotation(passage.text),
                    line=passage.first,
                    confidence=0.0,
                )
            ]
        )
        yield from checker.check(
            passage, [rule.state for rule in discussed if rule.state is not None]
        )


def _commentary(passage: Passage, rule: Discussed) -> Attestation:
    return Attestation(
        kind=PassageKind.PROSE.value,
        verdict=PassageVerdict.COMMENTARY,
        number=rule.cited,
        words=rule.words,
        line=passage.first,
        provision=rule.state,
        edition=rule.edition,
        confidence=rule.chance,
        evidence=rule.evidence,
    )
