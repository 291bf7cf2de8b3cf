"""Folding: texts in one spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.text.folding import IN_PLACE, fold_in_place, fold_words, plain_signs

# Characters of rulebooks, with more of those that separate or join words.
texts = st.text(
    alphabet=st.one_of(st.sampled_from("aAtsT 10.+-−–*/'’‘“”\"{}\nİß_"), st.characters())
)


@pytest.mark.parametrize(
    ("text", "words", "plain"),
    [
        ("“Each player’s” turn—ends.", "each player's turn ends", '"Each player\'s" turn-ends.'),
        ("the _Magic_(TM) game", "the magic game", "the Magic(TM) game"),
        ("Ælun’s −1/–1 ‘ferry’", "aelun's 1/ 1 ferry", "Ælun's -1/-1 'ferry'"),
        ("Tides™guide®book", "tides guide book", "Tides™guide®book"),
        ("212.2h?k", "212 2h k", "212.2h?k"),
    ],
)
def test_variants(text: str, words: str, plain: str) -> None:
    """Each fold keeps the differences that matter to its users."""
    assert (fold_words(text), plain_signs(text)) == (words, plain)


def test_spellings_are_signs() -> None:
    """If offsets matter, folding keeps the length of each sign."""
    assert all(len(sign) == len(plain) == 1 for sign, plain in IN_PLACE.items())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Can’t “sail” ‘now’", "can't \"sail\" 'now'"),
        ("−1/−1 and 3–5", "-1/-1 and 3-5"),
        ("İSTANBUL’S TIDE", "İstanbul's tide"),
        ("", ""),
    ],
)
def test_fold(text: str, expected: str) -> None:
    """Folding equates capitals and signs, in place."""
    assert fold_in_place(text) == expected


@given(texts)
def test_folding_moves_nothing(text: str) -> None:
    """A folded text has the same length, and folding it again changes nothing."""
    folded = fold_in_place(text)

    assert len(folded) == len(text)
    assert fold_in_place(folded) == folded
