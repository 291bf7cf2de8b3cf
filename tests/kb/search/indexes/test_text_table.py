"""Texts with one letter for each stem."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.search.indexes.text_table import IndexedText, TextTable, TextWriter, lone_text
from variorum_kb.text.search_words import plain_words
from variorum_kb.text.stems import stem_of

TEXT = "A boat has lamps. (The lamp burns.)\nIt says: “Light!” Twice."


def _saved(folder: Path, *rows: str, writer: TextWriter) -> list[IndexedText]:
    for row in rows:
        writer.add(row)
    writer.save(folder)
    table = TextTable(folder)
    return [table.text(place, cited=place) for place in range(len(rows))]


def test_letters_and_sentences(tmp_path: Path) -> None:
    """A text has a letter for each stem, and the starts of its sentences and examples."""
    writer = TextWriter()
    row = writer.spelt("rule", (["lamps"], ["boats"]), TEXT, TEXT.index("It")).row

    (text,) = _saved(tmp_path, row, writer=writer)

    spelt = text.alphabet.spelt
    assert (text.kind, text.heading, text.above) == ("rule", spelt(("lamp",)), spelt(("boat",)))
    assert text.text == spelt(tuple(map(stem_of, plain_words(TEXT))))
    assert [TEXT[start:stop] for start, stop in text.spans] == [
        "A boat has lamps.", "(The lamp burns.)", "It says: “Light!”", "Twice.",
    ]  # fmt: skip
    assert list(text.ends) == [4, 7, 10, 11]
    assert text.own == 7
    assert spelt(("lamp", "burn")) in text.text


def test_unknown_stems(tmp_path: Path) -> None:
    """An unknown stem is in no text of the table."""
    writer = TextWriter()

    texts = _saved(tmp_path, writer.spelt("rule", ((), ()), "", 0).row, writer=writer)

    letters = texts[0].alphabet.spelt(("anchor",))
    assert letters not in texts[0].text
    assert (texts[0].text, list(texts[0].spans), texts[0].cited) == ("", [(0, 0)], 0)


def test_more_stems_than_letters(tmp_path: Path) -> None:
    """Letters skip surrogates, however many stems there are."""
    words = [f"{number}x" for number in range(60_000)]
    writer = TextWriter()
    first = writer.spelt("rule", ((), ()), " ".join(words), 0).row
    last = writer.spelt("glossary", (words[-1:], words[:1]), words[-1], 9).row

    many, few = _saved(tmp_path, first, last, writer=writer)

    assert len(set(many.text)) == len(words) == many.ends[0]
    assert (few.text, few.heading, few.above) == (many.text[-1], many.text[-1], many.text[0])
    assert (few.kind, few.own, few.cited) == ("glossary", 1, 1)


@given(st.text(alphabet=st.sampled_from("aAbs 10.!?)”\"'’-\n")))
def test_a_lone_text(text: str) -> None:
    """A text outside the index has all its words in its sentences."""
    result = lone_text(text)

    assert result.text == result.alphabet.spelt(tuple(map(stem_of, plain_words(text))))
    assert result.ends[-1] == len(result.text) == result.own
