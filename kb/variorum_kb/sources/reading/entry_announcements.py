"""What stands under a heading of numbers in a bulletin, as announcements."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from variorum_kb.references.ranges import BULLETINS
from variorum_kb.rule_numbers import stem_of
from variorum_kb.sources.reading.announcement_patterns import (
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
from variorum_kb.sources.reading.announcements import Announcement, AnnouncementKind, Headed

_ORDINALS = {"first": 0, "former": 0, "second": 1, "latter": 1, "third": 2, "fourth": 3, "fifth": 4}


def named_in(sentence: str, line: int) -> Iterator[Announcement]:
    """Yield what a sentence announces of numbers it names itself.

    >>> [(one.kind.value, one.old, one.new) for one in named_in("205.3 becomes 205.4.", 1)]
    [('renumbered', ('205.3',), ('205.4',))]
    >>> [(one.kind.value, one.old) for one in named_in("Rules 104.6a and 104.6b were deleted.", 1)]
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
        said = match.groupdict(default="")
        numbers = BULLETINS.read(
            said["told"] or said["list"] or said["those"] or said["these"] or said["fresh"]
        )
        kind = kind_of_verb(said["did"] or said["verb"] or said["said"] or said["done"])
        taken.append(match.span())
        is_new = kind is AnnouncementKind.NEW
        old, new = ((), numbers) if is_new else (numbers, ())
        yield Announcement(kind=kind, old=old, new=new, words=words, line=line)
    shifted = None if taken else BARE_SHIFT.search(sentence)
    if shifted:
        old = BULLETINS.read(shifted["old"])
        yield Announcement(kind=AnnouncementKind.RENUMBERED, old=old, words=words, line=line)


def _lettered(letters: str, old: tuple[str, ...]) -> tuple[str, ...]:
    """Return numbers of which only the letters are printed: "602.1a & b were bumped to c & d"."""
    stem = stem_of(old[0])
    found = re.findall(r"\b[a-z]\b", letters)
    is_meant = stem != old[0] and len(found) == len(old)
    return tuple([stem + letter for letter in found]) if is_meant else ()


def _pair(
    old: tuple[str, ...], new: tuple[str, ...], match: re.Match[str], where: tuple[str, int]
) -> Announcement:
    said = match.groupdict()
    if said.get("merged") or (len(new) == 1 < len(old)):
        kind = AnnouncementKind.MERGED
    elif said.get("split") or len(old) != len(new):
        kind = AnnouncementKind.SPLIT
    else:
        kind = AnnouncementKind.RENUMBERED
    return Announcement(kind=kind, old=old, new=new, words=where[0], line=where[1])


def _of_these(heads: Sequence[Headed], sentence: str, line: int) -> Iterator[Announcement]:
    """Yield where a sentence says that "this rule", or those above it, went or came from."""
    numbers = ", ".join(head.number for head in heads)
    named, count = (THIS if len(heads) == 1 else THESE).subn(lambda _: numbers, sentence)
    if ELLIPTIC.match(sentence):
        named, count = f"{numbers} {sentence[0].lower()}{sentence[1:]}", 1
    for one in named_in(named, line) if count else ():
        if heads[0].number in one.names and one.old and one.new:
            yield replace(one, words=shorten(sentence))


def announce(
    heads: Sequence[Headed],
    paragraphs: Sequence[str],
    line: int,
    context: AnnouncementKind | None = None,
) -> tuple[Announcement, ...]:
    """Return what stands under a heading of numbers.

    Args:
        heads: The numbers.
        paragraphs: The words below them.
        line: Of the heading.
        context: What a headline above says of all numbers below it; None without one.
    """
    sentences = [one for text in paragraphs for one in announcing_sentences(text)]
    found = [one for sentence in sentences for one in named_in(sentence, line)]
    found += [one for text in sentences if heads for one in _of_these(heads, text, line)]
    found = list(dict.fromkeys(found))
    found += [one for one in _of_heads(heads, sentences, line, context, found) if one not in found]
    found += _implied(heads, sentences, line)
    said = {one.words for one in found if one.is_said}
    return tuple(
        [replace(one, reason=one.reason or _reason(sentences, one.words, said)) for one in found]
    )


def _reason(sentences: Sequence[str], words: str, said: Container[str]) -> str:
    telling = next((one for one in sentences if shorten(one) == words), "")
    return reason_of(sentences, telling, said)


def _of_heads(
    heads: Sequence[Headed],
    sentences: Sequence[str],
    line: int,
    context: AnnouncementKind | None,
    told: Sequence[Announcement],
) -> list[Announcement]:
    for sentence in sentences:
        if len(heads) == 2 and SWAPPED.search(sentence):  # noqa: PLR2004
            one, two = (head.number for head in heads)
            return [_moved((one, two), (two, one), sentence, line)]
    kind, sentence = _kind_of(sentences)
    said = kind or context
    first = sentence or telling_of(sentences)
    ordinals = _ordinals(heads, sentences)
    found: list[Announcement] = []
    for place, head in enumerate(heads):
        former = head.former or _former(sentences, heads)
        own = kind_of_mark(head.mark) or ordinals.get(place) or (None if ordinals else said)
        if _is_announced(head.number, own, told):
            continue
        found.append(_of_head(head.number, former, own, (first, line), is_said=says_change(first)))
    return found


def _is_announced(number: str, kind: AnnouncementKind | None, told: Sequence[Announcement]) -> bool:
    """Say whether it was announced already; what had a number goes, and what is new takes it."""
    if kind is AnnouncementKind.NEW:
        return any(number in one.new for one in told)
    return any(number in one.names for one in told)


def kind_of_mark(mark: str) -> AnnouncementKind | None:
    """Return what the word behind a number in a heading announces; None where it says nothing."""
    match mark:
        case "new" | "added":
            return AnnouncementKind.NEW
        case "deleted" | "removed":
            return AnnouncementKind.REMOVED
        case _:
            return None


def _of_head(
    number: str,
    former: str,
    kind: AnnouncementKind | None,
    where: tuple[str, int],
    *,
    is_said: bool,
) -> Announcement:
    words, line = where[0], where[1]
    if former and former != number and kind is not AnnouncementKind.REMOVED:
        return Announcement(
            kind=AnnouncementKind.RENUMBERED,
            old=(former,),
            new=(number,),
            words=shorten(words),
            line=line,
        )
    old, new = ((), (number,)) if kind is AnnouncementKind.NEW else ((number,), ())
    if kind is AnnouncementKind.MOVED and (found := MOVED.search(words)):
        is_source = found["way"] in {"to", "into"}
        old, new = ((number,), ()) if is_source else ((), (number,))
    return Announcement(
        kind=kind or AnnouncementKind.REWORDED,
        old=old,
        new=new,
        words=shorten(words),
        line=line,
        is_said=kind is not None or is_said,
    )


def _moved(old: tuple[str, ...], new: tuple[str, ...], sentence: str, line: int) -> Announcement:
    return Announcement(
        kind=AnnouncementKind.MOVED, old=old, new=new, words=shorten(sentence), line=line
    )


def _kind_of(sentences: Sequence[str]) -> tuple[AnnouncementKind | None, str]:
    """Return what the sentences say of what they stand under, and the one that says it."""
    said = [(kind, one) for one in sentences if (kind := what_happens(one))]
    order = list(AnnouncementKind)
    for wanted in (AnnouncementKind.REMOVED, AnnouncementKind.NEW):
        for kind, one in said:
            if kind is wanted:
                return kind, one
    return min(said, key=lambda one: order.index(one[0])) if said else (None, "")


def _ordinals(heads: Sequence[Headed], sentences: Sequence[str]) -> dict[int, AnnouncementKind]:
    found: dict[int, AnnouncementKind] = {}
    for sentence in sentences if len(heads) > 1 else ():
        for match in ORDINAL.finditer(sentence):
            which = match["which"].casefold()
            place = len(heads) - 1 if which == "last" else _ORDINALS[which]
            if place < len(heads):
                found[place] = kind_of_verb(match["verb"])
    return found


def _former(sentences: Sequence[str], heads: Sequence[Headed]) -> str:
    """Return the number that the words below a single heading say it had; "" without."""
    found = (FORMERLY.search(one) for one in sentences[:2])
    return next((one["old"] for one in found if one), "") if len(heads) == 1 else ""


def _implied(heads: Sequence[Headed], sentences: Sequence[str], line: int) -> list[Announcement]:
    found: list[Announcement] = []
    for sentence in sentences if heads else ():
        words = shorten(sentence)
        if SHIFT.search(sentence) and REST.search(sentence) and not BECOMES.search(sentence):
            found.append(
                Announcement(
                    kind=AnnouncementKind.RENUMBERED,
                    old=_reach(sentence, heads[0].number),
                    words=words,
                    line=line,
                    is_implied=True,
                )
            )
        if NEW_BELOW.search(sentence):
            found.append(
                Announcement(
                    kind=AnnouncementKind.NEW,
                    old=tuple([head.number for head in heads]),
                    words=words,
                    line=line,
                    is_implied=True,
                )
            )
    return found


def _reach(sentence: str, anchor: str) -> tuple[str, ...]:
    named = FROM.search(sentence)
    if named:
        return (named["a"],) if named["a"] else (named["b"], named["c"])
    return (anchor.partition(".")[0],) if HUNDREDS.search(sentence) else (anchor,)
