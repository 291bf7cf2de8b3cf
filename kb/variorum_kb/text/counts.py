"""Counts as readers see them."""


def counted(number: int, noun: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "rule"), counted(12, "glossary entry"), counted(179, "lost dash")
    ('1 rule', '12 glossary entries', '179 lost dashes')
    >>> counted(0, "edition"), counted(6770, "day")
    ('0 editions', '6,770 days')
    """
    if number != 1 and noun.endswith("y") and noun[-2:-1] not in "aeiou":
        noun = f"{noun[:-1]}ies"
    elif number != 1:
        noun += "es" if noun.endswith("sh") else "s"
    return f"{number:,} {noun}"
