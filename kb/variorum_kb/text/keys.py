"""The keys that provisions, headwords and titles are looked up by; imports nothing, for look-ups."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from variorum_kb.rows import State

    Found = TypeVar("Found", bound=Sequence[object])


def fold_key(words: str) -> str:
    """Return what a number or headword is looked up by: small letters, straight quotes.

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
    """Return a title without what a citation and a heading may differ in: quotes, dashes, case.

    >>> fold_title("Commander Variant–Rules.") == fold_title("COMMANDER VARIANT-RULES")
    True
    """
    return "".join([sign for sign in words.casefold() if sign.isalnum()])


def key_of_meant(number: str) -> str:
    """Return the key of a misprinted provision by the number that is meant.

    It differs from the key of a printed number, whose provision comes first.

    >>> key_of_meant("609.2c")
    '=609.2c'
    """
    return f"={number}"


def word_of(key: str) -> str:
    """Return the number or headword of a key, printed or meant."""
    return key.removeprefix("=")


def keys_of(state: "State") -> list[str]:
    """Return all that a provision is looked up by.

    A headword that names several words, or ends with a remark, is found by each of them:
    "You, Your", "Bury (Obsolete)". A misprinted number is also found by what it means.
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
        at: Gives what is looked up by a key of `keys_of`, in one edition.
        number: Any.
    """
    return at(number) or at(key_of_meant(number))
