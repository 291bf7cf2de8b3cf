"""The keys of provisions, headwords and titles in look-ups; imports nothing."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from variorum.rows import State

    Found = TypeVar("Found", bound=Sequence[object])


def fold_key(words: str) -> str:
    """Return the key of a number or headword: small letters, no quotation marks, single blanks.

    >>> fold_key(" State-Based  Actions")
    'state-based actions'
    >>> fold_key("“As Though”")
    'as though'
    """
    words = words.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    for mark in '"\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}_':
        words = words.replace(mark, "")
    return " ".join(words.casefold().split())


def fold_title(words: str) -> str:
    """Return a title without quotes, dashes and case, in which a citation and a heading may differ.

    >>> fold_title("Commander Variant–Rules.") == fold_title("COMMANDER VARIANT-RULES")
    True
    """
    return "".join([sign for sign in words.casefold() if sign.isalnum()])


def key_of_meant(number: str) -> str:
    """Return the key of a misprinted provision by the number that is meant.

    Its first sign tells it from the key of a printed number, which look-ups try first.

    >>> key_of_meant("609.2c")
    '=609.2c'
    """
    return f"={number}"


def word_of(key: str) -> str:
    """Return the number or headword of a key, printed or meant."""
    return key.removeprefix("=")


def keys_of(state: "State") -> list[str]:
    """Return all keys of a provision.

    A headword such as "You, Your" also has the key of each word, and "Bury (Obsolete)" that
    without the remark. A misprinted number also has the key of the number that is meant.
    """
    if state.kind != "glossary":
        return [key_of_meant(state.meant), state.number] if state.meant else [state.number]
    headword = fold_key(state.heading)
    bare = headword.partition(" (")[0]
    parts = [part.strip() for part in bare.split(", ")]
    return sorted({key for key in (headword, bare, *parts) if key})


def bearing(at: "Callable[[str], Found]", number: str) -> "Found":
    """Return the provisions with a number: as printed or, if none has it, as a misprint means it.

    Args:
        at: Returns the provisions of an edition with a key of `keys_of`.
        number: The number to look up.
    """
    return at(number) or at(key_of_meant(number))
