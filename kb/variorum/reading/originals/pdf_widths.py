"""Estimates of how wide words are; they compare words of one line, so no unit is needed."""


def width_in_courier(text: str) -> float:
    """Return the width of a text in a font with letters of equal width."""
    return float(len(text))


def width_in_times(text: str) -> float:
    """Return the approximate width of a text in Times."""
    return sum(_WIDTHS.get(character, 5.0) for character in text)


# Widths in Times, in tenths of the letter height; other characters have about 5.
_WIDTHS = {
    character: width
    for width, characters in (
        (2.5, " .,|"),
        (2.8, "ijlt:;/"),
        (3.3, "fr()[]I-‘’'"),
        (4.0, "sJ"),
        (4.4, "acez“”?"),
        (5.6, "LFPSTE"),
        (6.1, "BRCZ"),
        (7.2, "ADGHKNOQUVXYw"),
        (7.8, "m"),
        (9.2, "MW—™"),
    )
    for character in characters
}
