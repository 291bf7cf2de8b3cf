"""The rulings page among the seeds and the collection of 1999, compared with all editions."""

from collections import Counter
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation_types import Attested, PassageVerdict
from variorum_kb.sources.comparing.rulings.rulings import attest_rulings
from variorum_kb.sources.recognise_kind import read_partial

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def seed(corpus: Path) -> str:
    """Return the rulings page."""
    paths = sorted((corpus.parent / "seeds").glob("001_*.txt"))
    if not paths:
        pytest.skip("no seeds beside the corpus")
    return paths[0].read_text("utf-8")


def attested(base: KnowledgeBase, text: str) -> Attested:
    """Compare a page with all editions."""
    return attest_rulings(base, read_partial(text.encode(), "seed"), "seed")


def verdicts(value: Attested) -> Counter[PassageVerdict]:
    """Count the verdicts."""
    return Counter([passage.verdict for passage in value.passages])


def test_seed(base: KnowledgeBase, seed: str) -> None:
    """All days on the rulings page are right: ten by words, 600.4f only by its number."""
    result = attested(base, seed)

    assert result.first == result.last
    assert base.editions[result.last or 0].label == "2007-10-01"
    assert (result.matched, result.of) == (12, 12)
    assert verdicts(result) == {
        PassageVerdict.AGREES: 1,
        PassageVerdict.BY_WORDS: 10,
        PassageVerdict.BY_NUMBER: 1,
    }
    (moved,) = [
        passage for passage in result.passages if passage.verdict is PassageVerdict.BY_NUMBER
    ]
    assert moved.number == "600.4f"
    assert moved.evidence[1] == (
        "2007-10-01: confirmed (number): the words stand since 2007-02-01 as 600.4e; the number "
        "since 2007-10-01; 2006-10-01 has no such provision; 2007-10-01: 600.4e became 600.4f"
    )


def test_wrong_days(base: KnowledgeBase, seed: str) -> None:
    """A day without a change is contradicted; a day far from any edition is unknown."""
    wrong = seed.replace("2007/10/01", "2007/07/13").replace("2007/02/01", "2006/12/15")

    result = attested(base, wrong)

    message = {passage.number: passage.verdict for passage in result.passages}
    assert message["600.4e"] is PassageVerdict.CONTRADICTED
    assert message["600.4f"] is PassageVerdict.CONTRADICTED
    assert message["600.4a"] is PassageVerdict.UNKNOWN
    assert message["600.4b"] is PassageVerdict.BY_WORDS


def test_run_on(base: KnowledgeBase, seed: str) -> None:
    """The page gives the same result if it is one line."""
    assert verdicts(attested(base, " ".join(seed.split()))) == verdicts(attested(base, seed))


def test_collection(base: KnowledgeBase, corpus: Path) -> None:
    """No passage of the collection is matched with a rule."""
    (path,) = (corpus / "other").glob("crystalkeep-general-rulings-*.txt")

    rulings = attest_rulings(base, read_partial(path.read_bytes(), path.name), path.name)

    assert len(rulings.passages) == 1684
    assert {(passage.verdict, passage.provision) for passage in rulings.passages} == {
        (PassageVerdict.RULING, None)
    }
