"""The sentence around a place in a text; imports nothing, for look-ups."""

_ENDS_AROUND = (". ", "? ", "! ", "\n", '." ', ".” ", ".) ")


def sentence_around(text: str, start: int, stop: int) -> str:
    """Return the sentence around a place in a text.

    >>> sentence_around("One. See rule 702.9. (Two.)", 14, 19)
    'See rule 702.9.'
    """
    head, tail = text[:start], text[stop:]
    begins = [head.rindex(end) + len(end) for end in _ENDS_AROUND if end in head]
    ends = [tail.index(end) + len(end.rstrip()) for end in _ENDS_AROUND if end in tail]
    return text[max(begins, default=0) : stop + min(ends, default=len(tail))].strip()
