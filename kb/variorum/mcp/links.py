"""Permalinks of answers: pages of the website if its address is set, else resources of this server."""

from urllib.parse import quote, urlencode

from variorum.permalinks import dated_permalink, slug_of
from variorum.rows import headword_of


class Links:
    """Makes the permalinks of answers."""

    def __init__(self, site: str = "") -> None:
        """Set the website's address, which ends in a slash; "" if there is none."""
        self._site = site

    def dated(self, label: str, name: str) -> str:
        """Return the permalink of a provision as an edition prints it.

        Args:
            label: The label of the edition.
            name: The address of the provision; for a glossary entry, "glossary: " and its headword.

        >>> Links().dated("2007-10-01", "600.4a"), Links().dated("2007-10-01", "glossary: Flip a Coin")
        ('cr://2007-10-01/600.4a', 'cr://2007-10-01/Flip%20a%20Coin')
        >>> Links("https://rules.example/").dated("2007-10-01", "600.4a")
        'https://rules.example/2007-10-01/6/#600.4a'
        """
        headword = headword_of(name)
        if self._site:
            number = "" if headword else name
            return self._site + dated_permalink(label, number, headword)
        return f"cr://{label}/{quote(headword or name, safe='')}"

    def edition(self, label: str) -> str:
        """Return the permalink of an edition."""
        return f"{self._site}{label}/" if self._site else f"cr://{label}"

    def life(self, name: str, label: str) -> str:
        """Return the permalink of the website's page on a number or headword.

        Without a website, return the permalink of the provision in an edition.
        """
        if not self._site:
            return self.dated(label, name)
        headword = headword_of(name)
        if headword:
            return f"{self._site}glossary/{slug_of(headword)}/"
        return f"{self._site}rule/{name.partition('#')[0]}/"

    def between(self, before: str, after: str) -> str:
        """Return the permalink of what changed between two editions."""
        if not self._site:
            return self.edition(after)
        return f"{self._site}compare/?{urlencode({'from': before, 'to': after})}"

    def search(self, query: str, label: str) -> str:
        """Return the address of a search in the newest edition."""
        if not self._site:
            return self.edition(label)
        return f"{self._site}search/?{urlencode({'q': query})}"
