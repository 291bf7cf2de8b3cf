"""What stands in a page as a link."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """Words, and where they lead; nowhere if that is "".

    Attributes:
        text: A number, a headword, a label.
        href: Relative to the page.
    """

    text: str
    href: str
