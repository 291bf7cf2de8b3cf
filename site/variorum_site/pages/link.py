"""Links on pages."""

from dataclasses import dataclass
from html import escape

from variorum.text import visible
from variorum_site.pages.markup import with_italics


@dataclass(frozen=True, slots=True)
class Link:
    """Words and their link target.

    Attributes:
        text: A number, a headword or a label.
        href: The target, relative to the page; "" for plain words.
    """

    text: str
    href: str

    def __html__(self) -> str:
        """Return the link as markup, as templates show it."""
        words = with_italics(_escaped(self.text))
        return f'<a href="{_escaped(self.href)}">{words}</a>' if self.href else words


def _escaped(text: str) -> str:
    """Escape a text as templates do."""
    return escape(visible(text)).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")
