"""A made-up history with texts, dates and headwords at the limits of what the site shows."""

from datetime import date
from string import ascii_uppercase

from tests.support.edition_texts import CREDITS, HEAD, RULES, page

# A bar from the first of these days to the second is 108 wide: a headword of 13 letters just fails
# to fit, and one of 8 letters on phones. A bar from the second to the third has no width.
_DAYS = [
    *(date(2001, 1, 1), date(2004, 8, 30), date(2004, 8, 31)),
    *(date(year, 1, 1) for year in range(2010, 2020)),
    *(date(2020, 1, 24), date(2020, 6, 1)),
]
# Today the last edition is not yet in force.
TODAY = date(2020, 5, 31)
_BEGINNINGS = (57, 61, 71, 91, 151, 161, 480, 481)
_OTHER = ("lit", "dim", "wet", "dry", "old", "new", "far", "near")


def documents() -> dict[str, bytes]:
    """Return the editions of the history by the names of their files."""
    return {
        f"{day}.txt": _document(place, f"{day:%B} {day.day}, {day.year}")
        for place, day in enumerate(_DAYS)
    }


def _document(place: int, day: str) -> bytes:
    """Return an edition, in which some texts have come, moved, changed or gone."""
    citing = [f"See rule 101.2 {'x' * size}" for size in (225, 226, *range(1, 26))]
    ends = [
        f"A tide {'turns ' * 20}{'y' * size if place < 5 else 'z' * 2967}" for size in (2966, 2967)
    ]
    general = [*citing, *ends, 'A "wet" & <dry> boat’s lamp is called a “wick.”']
    moved = [_words("gull", most) for most in _BEGINNINGS]
    lamps = moved if not place else [_words("flag", most) for most in _BEGINNINGS if place > 3]
    tides = [*moved, *([_words("crew", 161)] if place > 1 else [])] if place else []
    tides += ["A boat sinks."] if place > 6 else []
    rules = RULES.replace("101. Lamps\n", f"{_rules(100, 4, general)}101. Lamps\n")
    rules += _rules(101, 3, lamps)
    rules += f"102. _Tides_\n\n{_rules(102, 1, tides)}" if tides else ""
    if place > 6:
        rules = rules.replace("102.10. A", "432.2. A")
    names = [f"{('Tide', 'Ebb', 'Flood')[min(place, 2)]:x<{size}}" for size in range(7, 16)]
    entries = [f"{name}\n{_words(word, 90)}\n\n" for name, word in zip(names, _OTHER, strict=False)]
    entries += [
        f"{letter}og {number}\nA kind of {letter} {number}.\n\n"
        for letter in ascii_uppercase
        for number in range(4 * (place > 5))
    ]
    return page(
        head=HEAD.replace("June 5, 2020", day),
        rules=rules,
        glossary="".join(entries),
        credits_=CREDITS.replace("June 5, 2020", day),
    )


def _words(about: str, most: int) -> str:
    """Return a text of so many letters that is like no other."""
    text = f"A {about} number {most} {f'{about}s {most} ' * 200}"
    return f"{text[: most - 5]} end."[:most]


def _rules(section: int, first: int, texts: list[str]) -> str:
    return "".join(f"{section}.{number}. {text}\n\n" for number, text in enumerate(texts, first))
