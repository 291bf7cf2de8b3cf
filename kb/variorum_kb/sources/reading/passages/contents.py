"""Tells the contents list of a page from its rules."""

import re
from collections.abc import Iterator, Sequence

from variorum_kb.rule_numbers import CHAPTER, RULE, SECTION
from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.page_signs import role_of
from variorum_kb.sources.reading.passages.openers import open_headed, open_numbered, without_bullet

# A permalink may follow.
_SECTION = re.compile(
    rf"(?P<printed>(?P<number>{SECTION}|{CHAPTER})(?P<period>\.?))(?P<mark>\s*¶?)", re.ASCII
)
_NUMBER = rf"{SECTION}(?:\.{RULE}[a-z]{{0,2}})?\.?"
# As in "Jump to: 705.1 | 705.2".
_NUMBERS = re.compile(
    rf"(?:[A-Z][\w ]{{0,20}}:\s*)?{_NUMBER}(?:\s*[|,·•/–-]?\s+{_NUMBER})+", re.ASCII
)
# This many consecutive numbers without words are a list of links to rules.
_FEWEST_BARE = 3


def find_contents(blocks: Sequence[Line]) -> set[int]:
    """Return the places of headings and numbers that only point to rules."""
    shown = [
        (block.place, without_bullet(block.text)) for block in blocks if role_of(block) is None
    ]
    lists = {place for place, text in shown if _NUMBERS.fullmatch(text)}
    return {*_repeated_headings(shown), *_listed_numbers(shown), *lists}


def _repeated_headings(shown: Sequence[tuple[int, str]]) -> Iterator[int]:
    """Yield the places of headings repeated further down with their rules."""
    places: dict[str, list[int]] = {}
    for here, (_, text) in enumerate(shown):
        opening = open_headed(text)
        if opening is not None:
            places.setdefault(f"{opening.number} {opening.rest}", []).append(here)
    for name, repeated in places.items():
        for here in repeated[:-1]:
            following = shown[here + 1][1] if here + 1 < len(shown) else ""
            if not following.startswith(f"{name.split()[0]}."):
                yield shown[here][0]


def _listed_numbers(shown: Sequence[tuple[int, str]]) -> Iterator[int]:
    """Yield the places of numbers without words that are repeated or stand in a row."""
    last = {_number_of(text): here for here, (_, text) in enumerate(shown)}
    run: list[int] = []
    for here, (place, text) in enumerate(shown):
        following = shown[here + 1][1] if here + 1 < len(shown) else ""
        if _is_bare(text) and (not following or _number_of(following)):
            run.append(place)
            if last[_number_of(text)] > here:
                yield place
            continue
        yield from run if len(run) >= _FEWEST_BARE else ()
        run = []
    yield from run if len(run) >= _FEWEST_BARE else ()


def _number_of(text: str) -> str:
    """Return the number that begins or forms a paragraph; "" if there is none."""
    section = _SECTION.fullmatch(text)
    opening = open_numbered(text) or open_headed(text)
    return section["number"] if section else opening.number if opening else ""


def _is_bare(text: str) -> bool:
    opening = open_numbered(text)
    return _SECTION.fullmatch(text) is not None or (opening is not None and not opening.rest)


def leads_to(number: str, below: str) -> bool:
    """Say whether a text begins a chapter's first section, or a rule of a section."""
    if re.fullmatch(CHAPTER, number):
        return re.match(rf"{number}0\d\b", below) is not None
    return below.startswith(f"{number}.") and _number_of(below) != number


def are_unnumbered(blocks: Sequence[Line]) -> bool:
    """Say whether no paragraph begins with the number of a rule or section."""
    texts = [without_bullet(block.text) for block in blocks if role_of(block) is None]
    return not any(map(_number_of, texts))


def goes_on_from(number: str, last: str) -> bool:
    """Say whether a chapter or section directly follows that of a rule.

    >>> goes_on_from("9", "812.3"), goes_on_from("616", "615.10"), goes_on_from("3", "812.3")
    (True, True, False)
    """
    before = last[: len(number)]
    return before.isdigit() and int(number) == int(before) + 1
