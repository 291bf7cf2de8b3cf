"""Control characters in texts that are printed."""

import unicodedata
from itertools import chain

import pytest

from variorum.text.control_characters import escapes, is_visible, visible

# Signs that Arabic and Syriac texts print before numbers and abbreviations.
PRINTED = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2")
NO_TEXT = set("\u2065\ufffe\uffff")


def test_all_control_characters() -> None:
    """Whatever Unicode calls a control or format character is escaped, but no line feed."""
    signs = set(map(chr, chain(range(0x11000), range(0xE0000, 0xE1000))))
    controls = {sign for sign in signs if unicodedata.category(sign) in {"Cc", "Cf", "Zl", "Zp"}}

    assert set(map(chr, escapes())) == (controls | NO_TEXT) - PRINTED - {"\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", "a\nb"),
        ("a\tb", "a\\u0009b"),
        ("\u202eb", "\\u202eb"),
        ("\uffff", "\\uffff"),
        ("\U000e0001", "\\udb40\\udc01"),
    ],
)
def test_visible(text: str, expected: str) -> None:
    """Control characters are shown as JSON escapes them; line feeds stay."""
    assert visible(text) == expected
    assert is_visible(text) is (text == expected)
