"""Counts and shares as readers see them."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "glossary entry"), counted(2, "glossary entry"), counted(179, "lost dash")
    ('1 glossary entry', '2 glossary entries', '179 lost dashes')
    >>> counted(0, "edition"), counted(6770, "day")
    ('0 editions', '6,770 days')
    """
    if number != 1 and noun.endswith("y") and noun[-2:-1] not in "aeiou":
        noun = f"{noun[:-1]}ies"
    elif number != 1:
        noun += "es" if noun.endswith("sh") else "s"
    return f"{number:,} {noun}"


def listed(names: "Sequence[str]", most: int) -> str:
    """Return the first names of a list, and how many more there are.

    >>> listed(["704", "705", "706"], 2), listed(["704", "705"], 2)
    ('704, 705 and 1 more', '704, 705')
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def balance(lines: int, accounted: int, blank: int) -> str:
    """Return the summary of a ledger.

    >>> balance(6770, 5600, 1170)
    '6,770 lines = 5,600 accounted for + 1,170 blank'
    """
    return f"{counted(lines, 'line')} = {accounted:,} accounted for + {blank:,} blank"


def characters_kept(kept: int, characters: int) -> str:
    """Return how many characters of a document an edition keeps.

    >>> characters_kept(90210, 90211)
    '90,210 of 90,211 characters kept'
    """
    return f"{kept:,} of {characters:,} characters kept"


def percent(share: float) -> str:
    """Return a share or a chance as a percentage.

    >>> percent(0.87), percent(0.99), percent(0.9901)
    ('87 %', '99 %', 'over 99 %')
    """
    return "over 99 %" if share > 0.99 else f"{share * 100:.0f} %"  # noqa: PLR2004
