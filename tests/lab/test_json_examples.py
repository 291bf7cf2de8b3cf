"""The examples of docs/json.md."""

import json
from pathlib import Path

import pytest

from lab.reference.generate import ROOT
from lab.reference.json_examples import PAGE, Json, text_of, with_examples


@pytest.mark.slow
def test_examples_are_up_to_date(sample_base: Path) -> None:
    """Each example is the shortened output of its command on the sample rulebook."""
    page = (ROOT / PAGE).read_text("utf-8")

    assert page.count("<!-- Made by") > 10
    assert with_examples(page, sample_base) == page, "run `make reference`"


def test_long_values_are_broken() -> None:
    """A long value is broken between its items, and stays the same value."""
    value: Json = {"name": "x" * 30, "rows": [{"a": "y" * 90, "b": [1, 2]}], "end": None}

    text = text_of(value)

    assert json.loads(text) == value
    assert text.startswith('{\n  "name": ')
    assert max(map(len, text.splitlines())) <= 120
