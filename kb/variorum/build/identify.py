"""Identify a document by its words: the editions it quotes or announces, the rules it discusses."""

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.articles.articles import LinkedArticle
from variorum.quoting.verdicts import PageKind
from variorum.records.identify import (
    AnnouncedEdition,
    DocumentOrigin,
    EditionCandidate,
    RuleDiscussed,
    StatedDate,
)
from variorum.rows import name_of
from variorum.witnesses.read import DocumentReader, quoted_provision


def identify(base: KnowledgeBase, data: bytes, file: str) -> DocumentOrigin:
    """Return which editions a document quotes or announces, in the form of `cr identify --json`.

    Raises:
        DocumentError: It is no text, or costs more than any document of the rules does.
    """
    labels = base.labels
    page, quotes, step, linked = DocumentReader(base).read(data, file)
    ties, stated, of = quotes.ties, quotes.stated, len(quotes.passages)
    # Of editions with as many passages, those that fit best lead.
    counts = sorted(quotes.counts, key=lambda count: (-count[1], count[0] not in ties))
    kind, announces = quotes.kind.value, None
    discusses, evidence = list[RuleDiscussed](), list[str]()
    edition = None if quotes.edition is None else labels[quotes.edition]
    ends = (labels[ties[0]], labels[ties[-1]]) if ties else (None, None)
    if step:
        kind, edition = "bulletin", labels[step.edition]
        ends = edition, edition
        announces = AnnouncedEdition(edition, len(step.changed), len(step.entries))
    elif linked:
        discusses = _discussed(base, linked)
        kind = kind.replace(PageKind.NOTHING.value, PageKind.COMMENTARY.value)
        if not ties and linked.first is not None and linked.last is not None:
            ends, evidence = (labels[linked.first], labels[linked.last]), list(linked.evidence)
    return DocumentOrigin(
        kind=kind,
        edition=edition,
        from_=ends[0],
        to=ends[1],
        candidates=[
            EditionCandidate(labels[place], list(base.editions[place].doubts), matched, of)
            for place, matched in counts
        ],
        passages=[quoted_provision(passage, page, labels) for passage in quotes.passages],
        stated=[
            StatedDate(day.isoformat(), line, fits if ties and not step else None)
            for day, line, fits in stated
        ],
        announces=announces,
        discusses=discusses,
        evidence=evidence,
    )


def _discussed(base: KnowledgeBase, article: LinkedArticle) -> list[RuleDiscussed]:
    states = base.states.of([rule.state for rule in article.discussed if rule.state is not None])
    return [
        RuleDiscussed(
            rule.line,
            name_of(states[rule.state]),
            base.labels[rule.edition],
            rule.chance,
            rule.words,
        )
        for rule in article.discussed
        if rule.state is not None and rule.edition is not None
    ]
