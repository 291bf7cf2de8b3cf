"""Reads the text under a heading of numbers in a bulletin as announcements."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from variorum_kb.references.ranges import BULLETINS
from variorum_kb.rule_numbers import stem_of
from variorum_kb.sources.reading.bulletins.announcement_patterns import (
    BARE_SHIFT,
    BECOMES,
    COMES,
    ELLIPTIC,
    FORMERLY,
    FROM,
    FROM_TO,
    HUNDREDS,
    LISTED,
    MOVED,
    NEW_BELOW,
    ORDINAL,
    REST,
    SHIFT,
    SWAPPED,
    THESE,
    THIS,
    announcing_sentences,
    kind_of_verb,
    reason_of,
    says_change,
    shorten,
    telling_of,
    what_happens,
)
from variorum_kb.sources.reading.bulletins.announcements import (
    Announcement,
    AnnouncementKind,
    Headed,
    sides_of,
)

# The kinds that the word after a number in a heading announces.
_OF_MARK = {
    "new": AnnouncementKind.NEW,
    "added": AnnouncementKind.NEW,
    "deleted": AnnouncementKind.REMOVED,
    "removed": AnnouncementKind.REMOVED,
}
_MENTION = re.compile(rf"(?P<numbers>{BULLETINS.range})\s+\((?P<why>[^()]{{8,300}})[),]")
_FEWEST_MENTIONS = 4
_ORDINALS = {"first": 0, "former": 0, "second": 1, "latter": 1, "third": 2, "fourth": 3, "fifth": 4}


def named_in(sentence: str, line: int) -> Iterator[Announcement]:
    """Yield the announcements of a sentence about numbers that it names.

    >>> [(announcement.kind.value, announcement.old, announcement.new) for announcement in named_in("205.3 becomes 205.4.", 1)]
    [('renumbered', ('205.3',), ('205.4',))]
    >>> [(announcement.kind.value, announcement.old) for announcement in named_in("Rules 104.6a and 104.6b were deleted.", 1)]
    [('removed', ('104.6a', '104.6b'))]
    """
    words = shorten(sentence)
    taken: list[tuple[int, int]] = []
    for form in (FROM_TO, BECOMES, COMES):
        for match in form.finditer(sentence):
            old = BULLETINS.read(match["old"])
            new = BULLETINS.read(match["new"]) or _lettered(match["new"], old)
            if (
                not new
                or old == new
                or any(start < match.end() and match.start() < end for start, end in taken)
            ):
                continue
            taken.append(match.span())
            yield _pair(old, new, match, (words, line))
    if taken:
        return
    named = BULLETINS.read(sentence) if SWAPPED.search(sentence) else ()
    if len(named) == 2:  # noqa: PLR2004
        yield _moved(named, named[::-1], sentence, line)
        return
    for match in LISTED.finditer(sentence):
        groups = match.groupdict(default="")
        numbers = BULLETINS.read(
            groups["told"]
            or groups["list"]
            or groups["those"]
            or groups["these"]
            or groups["fresh"]
        )
        kind = kind_of_verb(groups["did"] or groups["verb"] or groups["said"] or groups["done"])
        taken.append(match.span())
        old, new = sides_of(kind, numbers)
        yield Announcement(kind=kind, old=old, new=new, words=words, line=line)
    shifted = None if taken else BARE_SHIFT.search(sentence)
    if shifted:
        old = BULLETINS.read(shifted["old"])
        yield Announcement(kind=AnnouncementKind.RENUMBERED, old=old, words=words, line=line)


def _lettered(letters: str, old: tuple[str, ...]) -> tuple[str, ...]:
    """Return numbers printed as letters: "602.1a & b were bumped to c & d"."""
    stem = stem_of(old[0])
    printed = re.findall(r"\b[a-z]\b", letters)
    is_meant = stem != old[0] and len(printed) == len(old)
    return tuple([stem + letter for letter in printed]) if is_meant else ()


def _pair(
    old: tuple[str, ...], new: tuple[str, ...], match: re.Match[str], where: tuple[str, int]
) -> Announcement:
    groups = match.groupdict()
    if groups.get("merged") or (len(new) == 1 < len(old)):
        kind = AnnouncementKind.MERGED
    elif groups.get("split") or len(old) != len(new):
        kind = AnnouncementKind.SPLIT
    else:
        kind = AnnouncementKind.RENUMBERED
    return Announcement(kind=kind, old=old, new=new, words=where[0], line=where[1])


def _of_these(heads: Sequence[Headed], sentence: str, line: int) -> Iterator[Announcement]:
    """Yield the moves that a sentence announces for "this rule" or the rules above."""
    numbers = ", ".join(head.number for head in heads)
    named = (THIS if len(heads) == 1 else THESE).sub(lambda _: numbers, sentence)
    if ELLIPTIC.match(sentence):
        named = f"{numbers} {sentence[0].lower()}{sentence[1:]}"
    for announcement in named_in(named, line) if named != sentence else ():
        if heads[0].number in announcement.names and announcement.old and announcement.new:
            yield replace(announcement, words=shorten(sentence))


def announce(
    heads: Sequence[Headed],
    paragraphs: Sequence[str],
    line: int,
    context: AnnouncementKind | None = None,
) -> tuple[Announcement, ...]:
    """Return the announcements under a heading of numbers.

    Args:
        heads: The numbers.
        paragraphs: The paragraphs below them.
        line: The line of the heading.
        context: The kind that a headline implies for the numbers below it; None if there is none.
    """
    sentences = [sentence for text in paragraphs for sentence in announcing_sentences(text)]
    announcements = [
        announcement for sentence in sentences for announcement in named_in(sentence, line)
    ]
    announcements += [
        announcement for text in sentences if heads for announcement in _of_these(heads, text, line)
    ]
    announcements = list(dict.fromkeys(announcements))
    announcements += [
        announcement
        for announcement in _of_heads(heads, sentences, line, context, announcements)
        if announcement not in announcements
    ]
    announcements += _implied(heads, sentences, line)
    quoted = {announcement.words for announcement in announcements if announcement.is_said}
    return tuple(
        [
            replace(
                announcement,
                reason=announcement.reason or reason_of(sentences, announcement.words, quoted),
            )
            for announcement in announcements
        ]
    )


def _of_heads(
    heads: Sequence[Headed],
    sentences: Sequence[str],
    line: int,
    context: AnnouncementKind | None,
    announced: Sequence[Announcement],
) -> list[Announcement]:
    for sentence in sentences:
        if len(heads) == 2 and SWAPPED.search(sentence):  # noqa: PLR2004
            left, right = (head.number for head in heads)
            return [_moved((left, right), (right, left), sentence, line)]
    kind, sentence = _kind_of(sentences)
    usual = kind or context
    first = sentence or telling_of(sentences)
    ordinals = _ordinals(heads, sentences)
    announcements: list[Announcement] = []
    for place, head in enumerate(heads):
        former = head.former or _former(sentences, heads)
        own = _OF_MARK.get(head.mark) or ordinals.get(place) or (None if ordinals else usual)
        if _is_announced(head.number, own, announced):
            continue
        announcements.append(_of_head(head.number, former, own, (first, line)))
    return announcements


def _is_announced(
    number: str, kind: AnnouncementKind | None, announced: Sequence[Announcement]
) -> bool:
    """Say whether a change was announced already. A removed and a new rule may share a number."""
    if kind is AnnouncementKind.NEW:
        return any(number in announcement.new for announcement in announced)
    return any(number in announcement.names for announcement in announced)


def _of_head(
    number: str, former: str, kind: AnnouncementKind | None, where: tuple[str, int]
) -> Announcement:
    words, line = where
    if former and former != number and kind is not AnnouncementKind.REMOVED:
        return Announcement(
            kind=AnnouncementKind.RENUMBERED,
            old=(former,),
            new=(number,),
            words=shorten(words),
            line=line,
        )
    old, new = sides_of(kind, (number,))
    if kind is AnnouncementKind.MOVED and (moved := MOVED.search(words)):
        is_source = moved["way"] in {"to", "into"}
        old, new = ((number,), ()) if is_source else ((), (number,))
    return Announcement(
        kind=kind or AnnouncementKind.REWORDED,
        old=old,
        new=new,
        words=shorten(words),
        line=line,
        is_said=kind is not None or says_change(words),
    )


def _moved(old: tuple[str, ...], new: tuple[str, ...], sentence: str, line: int) -> Announcement:
    return Announcement(
        kind=AnnouncementKind.MOVED, old=old, new=new, words=shorten(sentence), line=line
    )


def _kind_of(sentences: Sequence[str]) -> tuple[AnnouncementKind | None, str]:
    """Return the kind that sentences announce, and the announcing sentence."""
    telling = [(kind, sentence) for sentence in sentences if (kind := what_happens(sentence))]
    order = list(AnnouncementKind)
    for wanted in (AnnouncementKind.REMOVED, AnnouncementKind.NEW):
        for kind, sentence in telling:
            if kind is wanted:
                return kind, sentence
    return min(telling, key=lambda pair: order.index(pair[0])) if telling else (None, "")


def _ordinals(heads: Sequence[Headed], sentences: Sequence[str]) -> dict[int, AnnouncementKind]:
    kinds: dict[int, AnnouncementKind] = {}
    for sentence in sentences if len(heads) > 1 else ():
        for match in ORDINAL.finditer(sentence):
            ordinal = match["which"].casefold()
            place = len(heads) - 1 if ordinal == "last" else _ORDINALS[ordinal]
            if place < len(heads):
                kinds[place] = kind_of_verb(match["verb"])
    return kinds


def _former(sentences: Sequence[str], heads: Sequence[Headed]) -> str:
    """Return the former number stated below a single heading; "" if there is none."""
    matches = (FORMERLY.search(sentence) for sentence in sentences[:2])
    return next((match["old"] for match in matches if match), "") if len(heads) == 1 else ""


def _implied(
    heads: Sequence[Headed], sentences: Sequence[str], line: int
) -> Iterator[Announcement]:
    for sentence in sentences if heads else ():
        implied: list[tuple[AnnouncementKind, tuple[str, ...]]] = []
        if SHIFT.search(sentence) and REST.search(sentence) and not BECOMES.search(sentence):
            implied.append((AnnouncementKind.RENUMBERED, _reach(sentence, heads[0].number)))
        if NEW_BELOW.search(sentence):
            implied.append((AnnouncementKind.NEW, tuple([head.number for head in heads])))
        for kind, old in implied:
            yield Announcement(
                kind=kind, old=old, words=shorten(sentence), line=line, is_implied=True
            )


def _reach(sentence: str, anchor: str) -> tuple[str, ...]:
    named = FROM.search(sentence)
    if named:
        return (named["a"],) if named["a"] else (named["b"], named["c"])
    return (anchor.partition(".")[0],) if HUNDREDS.search(sentence) else (anchor,)


def mentioned_in(text: str, line: int) -> list[Announcement]:
    """Return the announcements of a paragraph of many numbers with their changes in brackets."""
    mentions = list(_MENTION.finditer(text))
    if len(mentions) < _FEWEST_MENTIONS:
        return []
    return [
        Announcement(
            kind=AnnouncementKind.REWORDED,
            old=BULLETINS.read(match["numbers"]),
            words=shorten(match[0]),
            reason=shorten(match["why"]),
            line=line,
            is_said=False,
        )
        for match in mentions
    ]
