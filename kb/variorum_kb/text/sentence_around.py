"""The sentence around a place in a text; imports nothing, for look-ups."""

_ENDS_AROUND = (". ", "? ", "! ", "\n", '." ', ".” ", ".) ")


def sentence_around(text: str, start: int, stop: int) -> str:
    """Return the sentence around a place in a text.

    >>> sentence_around("One. See rule 702.9. (Two.)", 14, 19)
    'See rule 702.9.'
    """
    before = [text.rfind(end, 0, start) + len(end) for end in _ENDS_AROUND if end in text[:start]]
    after = [(text.find(end, stop), end) for end in _ENDS_AROUND]
    stops = [place + len(end.rstrip()) for place, end in after if place >= 0]
    return text[max(before, default=0) : min(stops, default=len(text))].strip()
