"""Rules pasted without numbers are separated, however their lines are broken."""

from collections.abc import Iterator, Sequence

import pytest

from tests.support.pasted_fragments import Form, pasted
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.subject import Subject
from variorum_kb.build.identify import identify
from variorum_kb.forms.identify import IdentifyJson

pytestmark = pytest.mark.slow

DAY = "2008-06-20"
LENGTH = 5


def rules(base: KnowledgeBase, *numbers: str) -> list[Subject]:
    """Return rules of the pasted day."""
    return [base.show(number, DAY)[0] for number in numbers]


def windows(base: KnowledgeBase, kind: str) -> Iterator[Sequence[Subject]]:
    """Yield a few provisions at a time, through all of an edition."""
    some = [
        provision
        for provision in base.provisions(DAY)
        if (provision.kind == "glossary") == (kind == "glossary")
    ]
    worded = [subject for subject in some if len(subject.text.split()) > LENGTH]
    for start in range(0, len(worded) - LENGTH + 1, LENGTH):
        yield worded[start : start + LENGTH]


def ask(base: KnowledgeBase, text: str) -> IdentifyJson:
    return identify(base, text.encode(), "a.txt")


@pytest.mark.parametrize("cut", [0, 2])
@pytest.mark.parametrize("kind", ["rules", "glossary"])
@pytest.mark.parametrize("form", Form, ids=[form.name for form in Form])
def test_forms(base: KnowledgeBase, form: Form, kind: str, cut: int) -> None:
    """Every edition with all of the provisions is found, and their numbers are supplied."""
    labels = [edition.label for edition in base.editions]
    elsewhere, tried = 0, 0
    for some in windows(base, kind):
        text = pasted(some, form, cut=cut)
        answer = ask(base, text)
        assert answer["agrees"], text
        assert answer["layout"] == "fragment"
        assert answer["from"] is not None
        assert answer["to"] is not None
        elsewhere += (
            not labels.index(answer["from"]) <= labels.index(DAY) <= labels.index(answer["to"])
        )
        tried += 1
    # If two rules were one before, a run-on text may be of either edition.
    assert elsewhere <= (form not in {Form.APART, Form.LINES, Form.WRAPPED})
    assert tried > 3


def test_numbers_are_supplied(base: KnowledgeBase) -> None:
    """A wrapped text without numbers or blank lines is split into its provisions."""
    numbers = ["600.1", "600.2", "600.3", "600.4", "600.4a"]

    answer = ask(base, pasted(rules(base, *numbers), Form.WRAPPED))

    heirs = [
        base.subject(number, DAY).where(base.edition(answer["from"] or ""))["new"][0]
        for number in numbers
    ]
    assert list(dict.fromkeys(provision["number"] for provision in answer["provisions"])) == heirs


def test_altered_word(base: KnowledgeBase) -> None:
    """A provision with an altered sentence differs; the others agree."""
    some = rules(base, "600.1", "600.2", "600.3", "600.4", "600.4a")
    text = pasted(some, Form.RUN_ON)
    word = some[2].text.split()[3]
    whole = ask(base, text)["candidates"][0]

    answer = ask(base, text.replace(some[2].text, some[2].text.replace(word, "turnips", 1)))

    best = answer["candidates"][0]
    assert (best["matched"], best["of"]) == (whole["of"] - 1, whole["of"])
    assert "turnips" in "".join(words for _, words in answer["differences"][0]["pieces"])


def test_broken_words_and_real_hyphens(base: KnowledgeBase) -> None:
    """Only words that no edition hyphenates are rejoined."""
    (some,) = rules(base, "600.4a")
    word = next(item for item in some.text.split() if item.isalpha() and len(item) > 5)

    assert ask(base, some.text.replace(word, f"{word[:3]}-{word[3:]}"))["agrees"]
    assert ask(base, some.text.replace(word, f"{word[:3]}\N{HYPHEN}{word[3:]}"))["agrees"]
    assert ask(base, some.text.replace(word, f"{word[:3]}\N{SOFT HYPHEN}\n{word[3:]}"))["agrees"]
    assert not ask(base, some.text.replace(word, f"{word}-x"))["agrees"]
