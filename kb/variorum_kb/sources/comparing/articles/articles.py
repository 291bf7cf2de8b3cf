"""Links prose to the provisions that its paragraphs discuss, and dates it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.rule_numbers import SECTION, stem_of
from variorum_kb.sources.comparing.articles.article_dates import Time, time_of
from variorum_kb.sources.comparing.articles.discussed_provisions import (
    MOST_LINKS,
    DiscussedProvision,
    Topic,
    find_all_links,
    find_topic,
    is_near,
)
from variorum_kb.sources.comparing.articles.numbers_in_prose import Cited, NumberResolver
from variorum_kb.sources.comparing.articles.prose_quotations import EditionRange, QuotationChecker
from variorum_kb.sources.comparing.articles.topics import EditionTopics
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.excerpts.passage_words import said_by
from variorum_kb.sources.reading.passages.passages import Partial, Passage, PassageKind
from variorum_kb.text.sentences import sentences_of
from variorum_kb.text.stems import topic_of
from variorum_kb.text.words import words_of

# The most words and the most characters of a shortened quotation.
_MOST_WORDS, _MOST_CHARACTERS = 25, 160
_MOST_PARAGRAPHS = 3000
# If an article names the rulebook, its numbers are numbers of rules.
_OWN_NAME = re.compile(rf"\b(?:comp(?:rehensive|\.)? ?rules?|CR ?(?={SECTION}\.\d))", re.IGNORECASE)
_GAME = re.compile(r"\bMagic: ?the Gathering\b|\bMTG\b", re.IGNORECASE)
_MOST_SHOWN = 5
# An article without links is about this game if it has this many phrases unique to the rules, and
# as many paragraphs that resemble a rule. Otherwise it may be about a war or another game.
_FEWEST_SIGNS = 3
_TOPICS: WeakKeyDictionary[KnowledgeBase, tuple[int, EditionTopics]] = WeakKeyDictionary()


def attest_article(base: KnowledgeBase, partial: Partial, file: str) -> Attested:
    """Say what an article discusses, what it quotes, and when it was written.

    Raises:
        LayoutError: None of it can be linked to a rule or dated by its words, or it is far too
            long.
    """
    prose = [passage for passage in partial.passages if passage.kind is not PassageKind.HEADING]
    if not base.editions or not prose:
        raise LayoutError("nothing in it could be linked to a rule", file)
    if len(prose) > _MOST_PARAGRAPHS:
        raise LayoutError(
            f"{len(prose)} paragraphs: too long; an article may have {_MOST_PARAGRAPHS}", file
        )
    time = time_of(base, partial, prose)
    linked = _attest(base, prose, partial.title, time, is_sure=False)
    is_linked = any(attestation.provision is not None for attestation in linked.passages)
    is_own = any(
        _GAME.search(text) for text in (partial.title, *[passage.text for passage in prose])
    )
    is_about = is_own or (time.own is not None and time.own + linked.near >= _FEWEST_SIGNS)
    if not is_linked and not is_about:
        raise LayoutError("nothing in it could be linked to a rule", file)
    quoted = [
        attestation
        for attestation in linked.passages
        if attestation.verdict is not PassageVerdict.COMMENTARY
    ]
    return replace(
        said_by(partial, (time.span.first, time.span.last) if time.span else ()),
        matched=sum([attestation.verdict is PassageVerdict.AGREES for attestation in quoted]),
        of=len(quoted),
        evidence=(partial.evidence, *time.evidence, *linked.evidence),
        passages=linked.passages,
    )


def attest_prose(
    base: KnowledgeBase, passages: Sequence[Passage], edition: int | None = None, title: str = ""
) -> tuple[Attestation, ...]:
    """Say which provisions paragraphs about this game discuss, and what they quote.

    Args:
        base: The editions.
        passages: Prose, in printed order.
        edition: The place of the edition that it is about; by default the last edition.
        title: The title above it, which helps to find its topic.

    Returns:
        For each paragraph, the provisions that it discusses, surest first, then the provisions that
        it quotes. A paragraph without either has one attestation that names no provision.
    """
    if not base.editions or not passages:
        return ()
    last = len(base.editions) - 1
    time = (
        Time(None, last, ())
        if edition is None
        else Time(EditionRange(edition, edition), edition, ())
    )
    return _attest(base, passages, title, time, is_sure=True).passages


# Linking -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _LinkedProse:
    passages: tuple[Attestation, ...]
    evidence: tuple[str, ...]
    near: int


def _attest(
    base: KnowledgeBase, prose: Sequence[Passage], title: str, time: Time, *, is_sure: bool
) -> _LinkedProse:
    """Attest paragraphs.

    Args:
        base: The editions.
        prose: The paragraphs.
        title: The title of the article.
        time: When they were written.
        is_sure: Whether they are known to be about this game, so that a number is enough.
    """
    span = time.span or EditionRange(0, len(base.editions) - 1)
    subjects = _topics_of(base, time.place)
    texts = [passage.text for passage in prose]
    topic = find_topic(title, texts, subjects)
    links = find_all_links(texts, subjects, topic)
    citations = NumberResolver(base, span)
    checker = QuotationChecker(base, base.identifier(), span)
    quoted = [checker.check_rule(passage) if passage.number else None for passage in prose]
    cited = [_cited(citations, passage) for passage in prose]
    is_sure = is_sure or any(links) or any(quoted) or any(map(_OWN_NAME.search, texts))
    if not (is_sure or any(citation.is_supported for some in cited for citation in some)):
        # The numbers are another rulebook's.
        cited = [() for _ in texts]
    passages: list[Attestation] = []
    for passage, rule, some, ours in zip(prose, quoted, cited, links, strict=True):
        if rule is not None:
            passages.append(rule)
            continue
        discussed = _discussed(passage, some, ours, topic, time.place)
        passages += discussed or [_commentary(passage, short_quotation(passage.text))]
        known = [
            attestation.provision for attestation in discussed if attestation.provision is not None
        ]
        passages += checker.check(passage, known)
    count = sum([bool(numbers or linked) for numbers, linked in zip(cited, links, strict=True)])
    evidence = [f"{count} of {len(prose)} paragraphs discuss rules that could be told"]
    if topic.family:
        evidence.append(_about(topic))
    near = 0 if any(links) else sum([is_near(text, subjects) for text in texts])
    return _LinkedProse(tuple(passages), tuple(evidence), near)


def _topics_of(base: KnowledgeBase, place: int) -> EditionTopics:
    """Return the topics of an edition; cached, because most prose is linked to the last edition."""
    known = _TOPICS.get(base)
    if known is None or known[0] != place:
        outlines = base.texts.outlines_in(place)
        bodies = base.texts.bodies([outline.key for outline in outlines])
        known = _TOPICS[base] = place, EditionTopics(outlines, bodies)
    return known[1]


def _cited(citations: NumberResolver, passage: Passage) -> tuple[Cited, ...]:
    """Return the citations of a paragraph, starting with the number that it begins with."""
    inside = citations.find(passage.text)
    if not passage.number:
        return inside
    own = citations.stand_for(passage.number, passage.text)
    return (own, *[citation for citation in inside if citation.number != own.number])


def _discussed(
    passage: Passage,
    cited: Iterable[Cited],
    links: Iterable[DiscussedProvision],
    topic: Topic,
    place: int,
) -> list[Attestation]:
    """Return the provisions that a paragraph discusses: cited provisions first."""
    discussed = [
        replace(
            _commentary(passage, short_quotation(citation.sentence, citation.number)),
            number=citation.number,
            provision=citation.state,
            edition=citation.edition,
            confidence=citation.confidence,
            evidence=citation.evidence,
        )
        for citation in cited
    ]
    families = {stem_of(attestation.number) for attestation in discussed}
    discussed += [
        _linked(passage, link, topic, place)
        for link in links
        if stem_of(link.number) not in families
    ]
    return discussed[:MOST_LINKS]


def _linked(passage: Passage, link: DiscussedProvision, topic: Topic, place: int) -> Attestation:
    rule = f"rule {link.number}{' and its subrules' if link.is_whole else ''}"
    evidence = [f"shares with {rule}: {', '.join(link.shared[:_MOST_SHOWN])}"]
    if link.twin:
        evidence.append(f"rule {link.twin} says much the same")
    if link.is_topic:
        evidence.append(_about(topic))
    return replace(
        _commentary(passage, short_quotation(link.words, *link.shared)),
        provision=link.state,
        edition=place,
        confidence=round(link.confidence, 2),
        evidence=tuple(evidence),
    )


def _about(topic: Topic) -> str:
    return f"{topic.count} of {topic.of} paragraphs are near rule {topic.family}"


def _commentary(passage: Passage, words: str) -> Attestation:
    """Return a paragraph that is linked to no provision."""
    return Attestation(
        kind=PassageKind.PROSE.value,
        verdict=PassageVerdict.COMMENTARY,
        words=words,
        line=passage.first,
        confidence=0.0,
    )


def short_quotation(text: str, *shared: str) -> str:
    """Return the sentence of a text that has the most of some words, shortened.

    >>> short_quotation("Well. Now the wick is trimmed, at last.", "wick", "trimmed")
    'Now the wick is trimmed, at last.'
    """
    wanted = {topic_of(word) for some in shared for word in words_of(some)}
    counts = {
        sentence: len(wanted.intersection(map(topic_of, words_of(sentence))))
        for sentence in sentences_of(text)
    }
    best = max(counts, key=lambda sentence: counts[sentence], default="")
    words = " ".join(best.split()).split(" ")
    short = " ".join(words[:_MOST_WORDS])
    if len(short) > _MOST_CHARACTERS - 1:
        short = short[:_MOST_CHARACTERS].rpartition(" ")[0] or short[: _MOST_CHARACTERS - 2]
    is_whole = len(short) == len(" ".join(words))
    return short if is_whole else f"{short.rstrip(' ,;:–—-')}…"
