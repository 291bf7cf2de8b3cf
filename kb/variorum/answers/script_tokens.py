"""The canonical words of texts, by which the website tells wordings apart."""

from variorum.history.canonical import Folder
from variorum.rows import State


class Canonical:
    """Gives the canonical words of texts, in which typography and cited numbers do not matter."""

    def __init__(self) -> None:
        self._folder = Folder()

    def encoded(self, heading: str, body: str) -> str:
        """Return the normalised words of a heading and a body, one character each."""
        return self._folder.canon(State("rule", "", "", heading, body, "", "", "")).whole
