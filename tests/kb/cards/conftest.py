"""The invented cards, added to a base."""

import json
from collections.abc import Generator

import pytest

from tests.support.sample_cards import ATOMIC
from variorum_kb.cards.store import Cards, take_in


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Generator[Cards]:
    """Return the invented cards, added to a base."""
    folder = tmp_path_factory.mktemp("cards")
    (folder / "cards.json").write_text(json.dumps(ATOMIC), "utf-8")
    take_in([folder / "cards.json"], folder)
    with Cards.open(folder) or pytest.fail("no cards") as opened:
        yield opened
