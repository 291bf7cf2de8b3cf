"""Cards, with what the rules need to know of them; pure."""

import re
from typing import NamedTuple

_REMINDER = re.compile(r"\([^()]*\)")


class Face(NamedTuple):
    """A face, a half or a part of a card.

    Attributes:
        name: Its own name.
        cost: Its mana cost in braces; an empty string if there is none.
        type_line: "Legendary Creature — God".
        text: Its rules text, each ability on a line.
        size: Power and toughness, loyalty or defense as printed; "" if it has none.
    """

    name: str
    cost: str
    type_line: str
    text: str
    size: str

    @property
    def types(self) -> list[str]:
        """Return the words of the type line.

        >>> Face("Ox", "{W}", "Legendary Creature — Ox // Land - Bay", "", "2/2").types
        ['Legendary', 'Creature', 'Ox', 'Land', 'Bay']
        """
        return [
            word for word in re.split(r"[\s—–]+", self.type_line) if word not in {"", "-", "//"}
        ]

    @property
    def rules_text(self) -> str:
        r"""Return the text without reminders, and without the face's own name.

        >>> Face("Ox, the Slow", "", "", "Flying (It flies.)\nOx fights Ox, the Slow.", "").rules_text
        'Flying \n~ fights ~.'
        """
        text = _REMINDER.sub("", self.text).replace(self.name, "~")
        return re.sub(rf"\b{re.escape(self.name.split(', ')[0])}\b", "~", text)


class CardRuling(NamedTuple):
    """A ruling on a card, with its day ("2014-04-26")."""

    date: str
    text: str


class Card(NamedTuple):
    """A card.

    Attributes:
        name: Its whole name, its faces joined by " // ".
        layout: How its faces belong together: normal, split, transform, saga, …
        keywords: The keywords that its source lists.
        faces: In their order; one at least.
        rulings: In the order of their days.
    """

    name: str
    layout: str
    keywords: tuple[str, ...]
    faces: tuple[Face, ...]
    rulings: tuple[CardRuling, ...]

    @property
    def names(self) -> list[str]:
        """Return the whole name and those of the faces, each once."""
        return list(dict.fromkeys([self.name, *(face.name for face in self.faces)]))

    @property
    def rules_text(self) -> str:
        """Return the text of all faces, as `Face.rules_text` has it."""
        return "\n".join([face.rules_text for face in self.faces])

    @property
    def types(self) -> list[str]:
        """Return the words of all type lines, each once."""
        return list(dict.fromkeys([word for face in self.faces for word in face.types]))
