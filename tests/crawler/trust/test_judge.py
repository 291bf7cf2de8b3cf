"""The judge: the new documents that are trusted, and those that are not."""

from dataclasses import replace
from datetime import date

import pytest

from variorum_crawler.trust.judge import Candidate, Judgement, reason_against, weigh
from variorum_kb.facts.editions import EditionFacts
from variorum_kb.model import Sha256

TODAY = date(2024, 6, 1)
KNOWN = {date(2023, 5, 5): EditionFacts(date(2023, 5, 5), "ABC", "A Set", ("known",))}
PAGE = "http://a.example/cr.txt"


def one(
    sha256: str, day: str, rules: int = 100, *, words: str = "", set_in: str = "utf-8 sound"
) -> Candidate:
    """Return an edition with an encoding and a condition."""
    effective = date.fromisoformat(day)
    encoding, condition = set_in.split()
    return Candidate(
        Sha256(sha256), effective, rules, encoding=encoding, condition=condition, words=words
    )


ORIGINAL = replace(one("a", "2024-01-01", words="w", set_in="binary sound"), is_original=True)


def judgement(candidate: Candidate, *held: Candidate) -> Judgement:
    """Return the judgement of an edition."""
    return weigh([candidate], held, KNOWN, TODAY)[candidate.sha256]


def agreed(sha256: str, effective: str) -> Candidate:
    """Return an edition that two publishers served."""
    return replace(one(sha256, effective), publishers=2)


HELD = one("held", "2024-01-01", words="w")


@pytest.mark.parametrize(
    ("candidate", "held", "expected"),
    [
        (one("a", "2024-02-01"), (HELD,), Judgement()),
        (one("a", "2000-02-01"), (), Judgement()),
        (one("known", "2023-05-05"), (HELD,), Judgement()),
        (one("known", "2023-05-05", 1), (one("a", "2023-01-01"),), Judgement()),
        (agreed("other", "2023-05-05"), (HELD,), Judgement(is_further=True)),
        (agreed("other", "2024-01-01"), (HELD,), Judgement(is_further=True)),
        (one("other", "2024-01-01"), (replace(HELD, is_weak=True),), Judgement(is_further=True)),
        (one("a", "2024-02-01", 90), (HELD,), Judgement()),
        (one("a", "2024-07-31"), (HELD,), Judgement()),
        (
            one("a", "2024-01-01", words="w", set_in="cp1252 sound"),
            (HELD,),
            Judgement(copy_of="held"),
        ),
        (one("a", "2024-01-01", words="w"), (HELD,), Judgement(copy_of="held")),
        (
            one("a", "2024-01-01", words="w", set_in="utf-8 repaired"),
            (HELD,),
            Judgement(copy_of="held"),
        ),
        (one("a", "2024-02-01", set_in="utf-8 repaired"), (HELD,), Judgement()),
        (ORIGINAL, (HELD,), Judgement()),
        (one("known", "2023-05-05", set_in="utf-8 lossy"), (HELD,), Judgement()),
    ],
)
def test_trusted(candidate: Candidate, held: tuple[Candidate, ...], expected: Judgement) -> None:
    """A new edition, a known one, and another issue of a known date are trusted."""
    assert judgement(candidate, *held) == expected


@pytest.mark.parametrize(
    ("candidate", "reason"),
    [
        (
            one("a", "2023-12-31"),
            (
                "its date, 2023-12-31, is neither that of a known edition nor later than 2024-01-01, "
                "the newest one"
            ),
        ),
        (one("a", "2024-02-01", set_in="utf-8 lossy"), "characters of its text are lost"),
        (
            one("a", "2034-01-01"),
            "its date, 2034-01-01, lies 3,501 days ahead, farther than any announced",
        ),
        (
            one("a", "2024-08-01"),
            "its date, 2024-08-01, lies 61 days ahead, farther than any announced",
        ),
        (
            one("a", "2024-02-01", 89),
            "it has 89 rules, the edition of 2024-01-01 has 100",
        ),
        (
            one("other", "2024-01-01"),
            "another text of 2024-01-01: other introduction or credits",
        ),
        (
            replace(one("other", "2024-01-01"), differs="1 word differs: 104.3a"),
            "another text of 2024-01-01: 1 word differs: 104.3a",
        ),
        (
            one("other", "2023-05-05"),
            "not the known text of 2023-05-05, which the archive does not have",
        ),
        (replace(one("a", "2024-02-01"), against="a rule is missing"), "a rule is missing"),
        (replace(one("a", "2024-02-01"), controls="escapes in line 1"), "escapes in line 1"),
    ],
)
def test_error_not_trusted(candidate: Candidate, reason: str) -> None:
    """A text from the past or the far future, or with lost rules, is not trusted."""
    assert judgement(candidate, HELD) == Judgement(reason)


def test_those_of_a_run_count() -> None:
    """Candidates are judged by date; an unknown one older than a known one is suspicious."""
    judgements = weigh(
        [one("new", "2024-03-01", 80), one("old", "2020-01-01"), one("known", "2023-05-05")],
        [],
        KNOWN,
        TODAY,
    )

    new, old, known = (judgements[Sha256(name)] for name in ("new", "old", "known"))
    assert new.reason == "it has 80 rules, the edition of 2023-05-05 has 100"
    assert old.reason.startswith("its date, 2020-01-01, is neither")
    assert known == Judgement()


def test_agreed_text_counts_first() -> None:
    """Of two unknown texts of a day, the one with more publishers is judged first."""
    reason = "another text of 2024-02-01: other introduction or credits"

    both = [one("a", "2024-02-01"), agreed("b", "2024-02-01")]

    assert weigh(both, [HELD], KNOWN, TODAY) == {"a": Judgement(reason), "b": Judgement()}


def test_first_source_counts() -> None:
    """Two conversions of an edition agree with the known bytes, in any order."""
    both = [
        one("b", "2023-05-05", words="w"),
        one("a", "2023-05-05", words="w", set_in="cp1252 sound"),
    ]

    known = one("known", "2023-05-05", words="w", set_in="utf-16-le sound")
    assert weigh([*both, known], [], KNOWN, TODAY) == {
        "known": Judgement(),
        "b": Judgement(copy_of="known"),
        "a": Judgement(copy_of="known"),
    }


@pytest.mark.parametrize(
    ("body", "final", "reason"),
    [
        (b"100. General", PAGE, ""),
        (b"%PDF-1.7", PAGE, ""),
        (b"{\\rtf1", PAGE, ""),
        (b"Rules with <html> in them", PAGE, ""),
        (b"", PAGE, "empty"),
        (b" \r\n\0", PAGE, "empty"),
        (b"<!doctype HTML><p>x", PAGE, "a web page instead of a document"),
        (b" " * 4091 + b"<html>", PAGE, "a web page instead of a document"),
        (b" " * 4092 + b"<html>", PAGE, ""),
        (b"<h1>Bad gateway</h1>", PAGE, "a web page instead of a document"),
        (b"\xef\xbb\xbf\n<!-- x --><HTML lang=en>", PAGE, "a web page instead of a document"),
        (
            b"<?xml version='1.0'?><html><title>\n No \xe2\x80\x9croom\xe2\x80\x9d </title>",
            "http://b.example/",
            'a web page instead of a document, sent by b.example: "No “room”"',
        ),
    ],
)
def test_web_pages(body: bytes, final: str, reason: str) -> None:
    """A web page is recognised by its beginning, and named by its title and sender."""
    assert reason_against(body, PAGE, final) == reason
