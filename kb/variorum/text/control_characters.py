"""Show control characters as escapes, so that no text can command a terminal or reorder a line."""

# Characters that are invisible, reverse a line or command a terminal: the Unicode 15.1 categories
# Cc, Cf, Zl and Zp without the line feed and without the signs printed before Arabic and Kaithi
# numbers; also U+FFFE and U+FFFF, which XML refuses.
_CONTROLS = (
    (0x00, 0x09),
    (0x0B, 0x1F),
    (0x7F, 0x9F),
    (0xAD, 0xAD),
    (0x61C, 0x61C),
    (0x180E, 0x180E),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0xE0001, 0xE0001),
    (0xE0020, 0xE007F),
)


def _escape(code: int) -> str:
    units = chr(code).encode("utf-16-be").hex(",", 2)  # JSON writes units of UTF-16
    return "\\u" + units.replace(",", "\\u")


def escapes() -> dict[int, str]:
    """Return the escape of each control character, by its code."""
    return {code: _escape(code) for first, last in _CONTROLS for code in range(first, last + 1)}


def is_visible(text: str) -> bool:
    """Return whether all characters of a text are printable; line feeds are allowed."""
    return text.replace("\n", "").isprintable()


def visible(text: str) -> str:
    r"""Return a text with control characters, except line feeds, escaped as in JSON.

    In a JSON text, this changes no value.

    >>> visible("a\x1b[2J\n\u202eb")
    'a\\u001b[2J\n\\u202eb'
    """
    # All control characters are unprintable; looking for these is much faster than translating.
    return text if is_visible(text) else text.translate(escapes())
