"""The beginning of a text that is too long to show; imports nothing, for look-ups."""


def shortened(text: str, most: int) -> str:
    """Return a text, cut between words if it has more characters than wanted.

    >>> shortened("Toss a coin.", 7), shortened("Toss a coin.", 12)
    ('Toss a …', 'Toss a coin.')
    """
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} …"
