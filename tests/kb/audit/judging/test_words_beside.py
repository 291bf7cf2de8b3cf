"""Words beside a citation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.audit.judging.words_beside import Beside, CitationContext, Marks, words_beside

DRIFT = "Drift means this boat goes out at dusk and comes back at the next dawn."
GLEAM = "Gleam means this boat deals its damage before boats without gleam do."
MARKS = Marks([(["Drift", "Keywords"], [DRIFT]), (["Gleam", "Keywords"], [GLEAM])])


def strong(which: int, words: str) -> CitationContext:
    """Return the evidence right beside the number."""
    return CitationContext(which, is_strong=True, words=words)


def weak(which: int, words: str) -> CitationContext:
    """Return the evidence further away."""
    return CitationContext(which, is_strong=False, words=words)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("", " (Drift)", strong(0, "Drift")),
        ("", ": Drift", strong(0, "Drift")),
        ("", " — Gleam", strong(1, "Gleam")),
        ("", " is about ", None),
        ("", ", “Gleam,”", strong(1, "Gleam")),
        ("", " **Gleam**", strong(1, "Gleam")),
        ("", " (Drift's)", strong(0, "Drift")),
        ("", " the gleaming", strong(1, "Gleam")),
        ("Gleam (", ")", strong(1, "Gleam")),
        ("the boat has Gleam, ", "", strong(1, "Gleam")),
        ("", " is why Gleam wins", weak(1, "Gleam")),
        ("Gleam wins by ", "", weak(1, "Gleam")),
        # Of two names, the one adjacent to the number counts, else the nearest.
        ("unlike Gleam, look at ", " (Drift)", strong(0, "Drift")),
        ("Drift ", " Gleam", strong(1, "Gleam")),
        ("Drift (", ") Gleam", strong(0, "Drift")),
        ("", " speaks of Drift and of Gleam", weak(0, "Drift")),
        ("Gleam\n", " is why Drift wins", weak(0, "Drift")),
        ("why Gleam wins by ", "\nof Drift", weak(1, "Gleam")),
        # Names in a list are no evidence for one number: "CR 701.15a / CR 701.35a: Goad and
        # detain".
        ("", ": Drift and gleam", None),
        ("", ": Gleam and drift", None),
        ("Drift / Gleam, ", "", None),
        ("Drift, Gleam (", ")", None),
        # A name of both rules, or part of another word.
        ("", " (Keywords)", None),
        ("", " (Adrift)", None),
        ("", " (Gleamless)", None),
        ("", " SeaDrift_x", None),
        ("", "", None),
        ("", " Drifters know Drift", weak(0, "Drift")),
        ("Drift is no SeaDrift ", "", weak(0, "Drift")),
    ],
)
def test_names(before: str, after: str, message: CitationContext | None) -> None:
    """A name is evidence for its provision, most of all if it is adjacent to the number."""
    beside = Beside(before, after)

    assert MARKS.look(beside, in_doubt=True) == message
    assert MARKS.look(beside, in_doubt=False) == (
        message if message and message.is_strong else None
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DRIFT, "drift means this boat goes out at dusk and comes back at the next dawn"),
        ("… goes out, at DUSK — and comes …", "goes out at dusk and comes"),
        ("goes out\n// at dusk\n// and comes", "goes out at dusk and comes"),
        ("goes out at dusk and", None),
        ("goes out at dawn and comes back", None),
        ("goes 7 out 7 at 7 dusk 7 and 7 comes", None),
        ("x goes out at dusk and comes x", "goes out at dusk and comes"),
    ],
)
def test_quotations(text: str, words: str | None) -> None:
    """Six consecutive words that only one provision has are a quotation of it."""
    for beside in (Beside("", text), Beside(text, "")):
        context = MARKS.look(beside, in_doubt=True)
        assert (context.words if context is not None and context.is_strong else None) == words


def test_shared_words() -> None:
    """Words of both provisions are no evidence."""
    shared = "this boat comes back at the next dawn"
    marks = Marks([(["A"], [f"Drift: {shared}"]), (["B"], [f"Gleam: {shared}"])])

    assert marks.look(Beside("", shared), in_doubt=True) is None
    assert marks.look(Beside("", f"drift {shared}"), in_doubt=False) is None


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("one CR two", "one ", " two"),
        ("far\n\none CR two\n\nfar", "one ", " two"),
        ("// far\n//\n// one CR two\n//\n// far", "// one ", " two"),
        ("one\nCR\ntwo", "one\n", "\ntwo"),
        ("far\r\n\r\none CR two\r\n\r\nfar", "one ", " two\r"),
        ("CR", "", ""),
    ],
)
def test_paragraph(text: str, before: str, after: str) -> None:
    """Only words of the same paragraph count."""
    start = text.index("CR")

    assert words_beside(text, start, start + 2, 0, len(text)) == Beside(before, after)


def test_distance() -> None:
    """Words far away are no evidence."""
    text = "b" * 500 + "CR" + "a" * 500

    assert words_beside(text, 500, 502, 0, len(text)) == Beside("b" * 160, "a" * 240)


@given(st.text(alphabet="\n\r/*# aé\udc96", max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_words_are_those_of_the_text(text: str, one: int, other: int) -> None:
    """Each word beside a citation is in the text, at the given place."""
    start, end = sorted((min(one, len(text)), min(other, len(text))))

    beside = words_beside(text, start, end, 0, len(text))

    assert text[:start].endswith(beside.before)
    assert text[end:].startswith(beside.after)


@given(st.lists(st.sampled_from([*DRIFT.split(), *GLEAM.split(), "(", "\n"]), max_size=40))
def test_said_words_are_there(words: list[str]) -> None:
    """The words in a verdict's evidence are beside the citation."""
    text = " ".join(words)

    context = MARKS.look(Beside("", text), in_doubt=True)

    if context is not None and context.is_strong:
        plain = " ".join(text.casefold().replace(".", "").replace("(", " ").split())
        assert context.words.casefold() in plain


@pytest.mark.parametrize(
    ("context", "is_quoted"),
    [
        (strong(0, "Piles That Lie Open"), True),
        (weak(0, "Piles That Lie Open"), False),
        (strong(0, "The Open Sea"), False),
        (weak(0, "a boat goes out at dusk"), True),
    ],
)
def test_quoted(context: CitationContext, *, is_quoted: bool) -> None:
    """Six words are a quotation; so is a name of four words adjacent to the number."""
    assert context.is_quoted == is_quoted
