"""The sentences of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.text.sentence_around import sentence_around
from variorum.text.sentences import sentence_spans

texts = st.text(alphabet=st.one_of(st.sampled_from("aAbs 10.!?)”\"'’-\n"), st.characters()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [""]),
        ("   ", ["   "]),
        ("A boat", ["A boat"]),
        ("A boat. A lamp.", ["A boat.", "A lamp."]),
        ("See rule 702.9b. Done!", ["See rule 702.9b.", "Done!"]),
        ("See p.m. and 1.5. Done", ["See p.m. and 1.5.", "Done"]),
        ("He says, “Light!” Done?", ["He says, “Light!”", "Done?"]),
        ('He says, "Light." (Or not.) Done', ['He says, "Light."', "(Or not.)", "Done"]),
        ("One\nTwo\n\nThree", ["One", "Two", "Three"]),
        ("Wait... what", ["Wait... what"]),
        ("Wait... What?! (No.)", ["Wait...", "What?!", "(No.)"]),
        ("It says “Draw.” or “Discard.” twice.", ["It says “Draw.” or “Discard.” twice."]),
        ('Say "a" or "Draw." Twice. Done', ['Say "a" or "Draw."', "Twice.", "Done"]),
        ('Say "a", "Draw. Twice." Done', ['Say "a", "Draw. Twice."', "Done"]),
        ("He says “draw", ["He says “draw"]),
        ("Say “one\ntwo” or “three", ["Say “one", "two” or “three"]),
    ],
)
def test_spans(text: str, expected: list[str]) -> None:
    """A sentence ends with its sign and any closing quote or bracket, or with the line."""
    assert [text[start:stop] for start, stop in sentence_spans(text)] == expected


@given(texts)
def test_spans_are_all_of_the_text(text: str) -> None:
    """Sentences are in order, with only blanks between them."""
    result = sentence_spans(text)

    places = [place for row in result for place in row]
    assert places == sorted(places)
    ends = [0, *places, len(text)]
    between = [text[start:stop] for start, stop in zip(ends[::2], ends[1::2], strict=True)]
    assert "".join(between).strip() == ""


@pytest.mark.parametrize(
    ("text", "cited", "sentence"),
    [
        ("One. See rule 702.9. (Two.)", "702.9", "See rule 702.9."),
        ("See rule 702.9", "702.9", "See rule 702.9"),
        ("A lamp (see rule 702.9) burns. So?", "702.9", "A lamp (see rule 702.9) burns."),
        ('Say "Light." Then see 702.9.', "702.9", "Then see 702.9."),
        ("(Light.) See 702.9", "702.9", "See 702.9"),
        ("One\nSee 702.9\nTwo", "702.9", "See 702.9"),
    ],
)
def test_sentence_around(text: str, cited: str, sentence: str) -> None:
    """The sentence of a citation is found; a period inside a number does not end it."""
    start = text.index(cited)

    assert sentence_around(text, start, start + len(cited)) == sentence
