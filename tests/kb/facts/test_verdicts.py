"""The table of verdicts."""

import re
from collections import Counter

from variorum_kb.facts.verdicts import (
    OF_NEW,
    OF_OLD,
    StepEnd,
    all_verdicts,
    digest_of_words,
    read_verdicts,
    verdicts_between,
)


def test_verdicts_between_editions() -> None:
    """Only verdicts count whose step may lie between two editions, whatever is between these."""
    all_verdict = all_verdicts()[0]

    assert all_verdict in verdicts_between(all_verdict.old_edition, all_verdict.new_edition)
    assert all_verdict in verdicts_between("1993-08-05", "2100-01-01")
    assert all_verdict not in verdicts_between(all_verdict.new_edition, "2100-01-01")
    assert all_verdict not in verdicts_between("1993-08-05", all_verdict.old_edition)


def test_words_are_known_again() -> None:
    """The digest of words never changes, and ignores blanks."""
    assert digest_of_words("", "A  boat\x1ehas a\n lamp.") == "2184bf830e462a3c"
    assert digest_of_words("A boat", "has a lamp.") == digest_of_words("", "A boat has a lamp.")


def test_table() -> None:
    """Every row has a known verdict, a short reason and digests as ends; no step is decided twice."""
    table = all_verdicts()

    for verdict in table:
        assert verdict.verdict in (OF_OLD if verdict.is_of_old else OF_NEW), verdict
        assert bool(verdict.others) is (verdict.verdict not in {"gone", "new"}), verdict
        assert verdict.old_edition < verdict.new_edition
        assert verdict.readings in {"1", "2", "decided"}
        assert 0 < len(verdict.reason.split()) <= 30, verdict
        assert all(
            re.fullmatch("[0-9a-f]{16}", end.words) for end in (verdict.asked, *verdict.others)
        )
    counts = Counter(
        (item.old_edition, item.new_edition, item.is_of_old, item.asked) for item in table
    )
    assert [key for key, count in counts.items() if count > 1] == []


def test_columns_are_read_by_name() -> None:
    """The columns of a table are found by their names."""
    head = "old_edition\tnew_edition\tasked\tprovision\twords\tverdict\tothers\twords_of_others"
    row = "2020-01-01\t2021-01-01\tnew\tglossary: Gull\tab\tmerged\t1.1; 1.2\tcd; ef"

    (verdict,) = read_verdicts(
        [f"{head}\talso\twords_of_also\treadings\treason", f"{row}\t\t\t2\tx"]
    )

    assert (verdict.is_of_old, verdict.asked) == (False, StepEnd("glossary: Gull", "ab"))
    assert verdict.others == (StepEnd("1.1", "cd"), StepEnd("1.2", "ef"))
