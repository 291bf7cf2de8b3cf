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
    """Those count whose step may lie between two editions, whatever stands between these."""
    one = all_verdicts()[0]

    assert one in verdicts_between(one.old_edition, one.new_edition)
    assert one in verdicts_between("1993-08-05", "2100-01-01")
    assert one not in verdicts_between(one.new_edition, "2100-01-01")
    assert one not in verdicts_between("1993-08-05", one.old_edition)


def test_words_are_known_again() -> None:
    """The digest of words never changes, and blanks don't count."""
    assert digest_of_words("", "A  boat\x1ehas a\n lamp.") == "2184bf830e462a3c"
    assert digest_of_words("A boat", "has a lamp.") == digest_of_words("", "A boat has a lamp.")


def test_table() -> None:
    """Every row has a known verdict, a short reason, ends with digests, and none is decided twice."""
    table = all_verdicts()

    for one in table:
        assert one.verdict in (OF_OLD if one.is_of_old else OF_NEW), one
        assert bool(one.others) is (one.verdict not in {"gone", "new"}), one
        assert one.old_edition < one.new_edition
        assert one.readings in {"1", "2", "decided"}
        assert 0 < len(one.reason.split()) <= 30, one
        assert all(re.fullmatch("[0-9a-f]{16}", end.words) for end in (one.asked, *one.others))
    counts = Counter((one.old_edition, one.new_edition, one.is_of_old, one.asked) for one in table)
    assert [one for one, count in counts.items() if count > 1] == []


def test_columns_are_read_by_name() -> None:
    """A table of one row, as others may write it."""
    head = "old_edition\tnew_edition\tasked\tprovision\twords\tverdict\tothers\twords_of_others"
    row = "2020-01-01\t2021-01-01\tnew\tglossary: Gull\tab\tmerged\t1.1; 1.2\tcd; ef"

    (found,) = read_verdicts([f"{head}\talso\twords_of_also\treadings\treason", f"{row}\t\t\t2\tx"])

    assert (found.is_of_old, found.asked) == (False, StepEnd("glossary: Gull", "ab"))
    assert found.others == (StepEnd("1.1", "cd"), StepEnd("1.2", "ef"))
