"""Pieces of the real editions without their numbers come from those editions, however pasted."""

import random

import pytest

from tests.support.pasted_fragments import Form, pasted
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.identify import identify

pytestmark = pytest.mark.corpus

PIECES = 4


@pytest.mark.parametrize("form", Form, ids=[form.name for form in Form])
def test_pieces(base: KnowledgeBase, form: Form) -> None:
    """Random pieces, one of four of the glossary: some edition has all, and it is in the span."""
    chosen = random.Random(f"fragments {form.name}")
    labels = [edition.label for edition in base.editions]
    for place in range(PIECES):
        label = chosen.choice(labels)
        some = [
            one
            for one in base.provisions(label)
            if (one.kind == "glossary") == (place % 4 == 3) and one.text
        ]
        start, count = chosen.randrange(len(some)), chosen.randint(4, 12)
        text = pasted(some[start : start + count], form, cut=chosen.choice([0, 0, 3]))

        found = identify(base, text.encode(), "a.txt")

        assert found["agrees"], f"{label}\n{text}"
        assert found["from"] is not None
        assert found["to"] is not None
        assert labels.index(found["from"]) <= labels.index(label) <= labels.index(found["to"]), text
