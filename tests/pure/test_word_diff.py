"""Word diffs."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from variorum.history.word_diffs import CAME, GONE, SAME, Piece, kept_runs, keys_of, word_diff

WORDS = st.lists(
    st.sampled_from(
        ["a", "of", "player’s", "player's", "{T}", "+1/+1", "702.9b", ",", "—", "_so_", "\n"]
    ),
    max_size=12,
).map(" ".join)


@given(WORDS, WORDS)
def test_exact_pieces_give_both_texts(older: str, newer: str) -> None:
    """Equal and removed pieces are the older text; equal and added pieces are the newer."""
    pieces = word_diff(older, newer, exactly=True)

    assert "".join(text for sign, text in pieces if sign != CAME) == older
    assert "".join(text for sign, text in pieces if sign != GONE) == newer


@given(WORDS, WORDS)
def test_folded_pieces_give_the_newer_text(older: str, newer: str) -> None:
    """The pieces give the newer text, even if spelling differs."""
    assert "".join(text for sign, text in word_diff(older, newer) if sign != GONE) == newer


@given(WORDS, WORDS)
def test_kept_runs_are_in_both(older: str, newer: str) -> None:
    """The runs are in order in both texts, and equal, from how these begin alike to how they end alike."""
    before, after = keys_of(older), keys_of(newer)
    runs = kept_runs(before, after)

    assert all(before[a : a + size] == after[b : b + size] for a, b, size in runs)
    for run, following in pairwise(runs):
        assert run.a + run.size <= following.a
        assert run.b + run.size <= following.b
    assert runs[0][:2] == (0, 0)
    assert (runs[-1].a + runs[-1].size, runs[-1].b + runs[-1].size) == (len(before), len(after))


LETTERS = st.text(alphabet="abcd", max_size=30)


@given(LETTERS, LETTERS)
def test_kept_runs_are_those_of_rapidfuzz(older: str, newer: str) -> None:
    """Of several longest common subsequences, the result is that of rapidfuzz."""
    steps = [step for step in Indel.opcodes(older, newer) if step.tag == "equal"]

    assert [run for run in kept_runs(older, newer, few=0) if run.size] == [
        (it.src_start, it.dest_start, it.src_end - it.src_start) for it in steps
    ]


@pytest.mark.parametrize(
    ("first", "second", "pieces"),
    [
        ("", "", []),
        ("Same.", "Same.", [(SAME, "Same.")]),
        ("", "New.", [(CAME, "New.")]),
        (
            "He or she draws a card.",
            "They draw a card.",
            [(GONE, "He or she draws "), (CAME, "They draw "), (SAME, "a card.")],
        ),
        ("a player’s turn", "a player's turn", [(SAME, "a player's turn")]),
        ("so it ends", "_so_ it ends", [(SAME, "_so_ it ends")]),
        ("_so_ it ends", "so it ended", [(SAME, "so it "), (GONE, "ends"), (CAME, "ended")]),
        (
            "see 509.1h now",
            "see 509.1i now",
            [(SAME, "see "), (GONE, "509.1h "), (CAME, "509.1i "), (SAME, "now")],
        ),
    ],
)
def test_pieces(first: str, second: str, pieces: list[Piece]) -> None:
    """Whole words are replaced; other quotation marks are not a change."""
    assert word_diff(first, second) == pieces


def test_lonely_words_do_not_tear_a_change() -> None:
    """If everything but a small word was replaced, the whole phrase counts as replaced."""
    before = "abandoned birds circle the distant empty fields"
    after = "great horses invade the jungle kingdom land"

    assert [sign for sign, _ in word_diff(before, after)] == [GONE, CAME]
