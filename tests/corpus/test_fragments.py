"""Pasted pieces of the real editions are found in these editions, even without numbers."""

import random

import pytest

from tests.support.pasted_fragments import Form, pasted
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.identify import identify

pytestmark = pytest.mark.corpus

PIECES = 4


@pytest.mark.parametrize("form", Form, ids=[form.name for form in Form])
def test_pieces(base: KnowledgeBase, form: Form) -> None:
    """Random pieces, a quarter of them from the glossary, agree, and the span has their edition."""
    chosen = random.Random(f"fragments {form.name}")
    labels = [edition.label for edition in base.editions]
    for place in range(PIECES):
        label = chosen.choice(labels)
        some = [
            provision
            for provision in base.provisions(label)
            if (provision.kind == "glossary") == (place % 4 == 3) and provision.text
        ]
        start, count = chosen.randrange(len(some)), chosen.randint(4, 12)
        text = pasted(some[start : start + count], form, cut=chosen.choice([0, 0, 3]))

        result = identify(base, text.encode(), "a.txt")

        assert result["agrees"], f"{label}\n{text}"
        assert result["from"] is not None
        assert result["to"] is not None
        assert labels.index(result["from"]) <= labels.index(label) <= labels.index(result["to"]), (
            text
        )
