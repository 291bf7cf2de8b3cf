"""The line in which a run ends."""

import pytest

from variorum_crawler.sync.report import Report


@pytest.mark.parametrize(
    ("report", "line", "is_well"),
    [
        (Report("kb"), "kb: nothing new, 0 editions; 0 requests, 0 unchanged", True),
        (
            Report("kb", new=["1", "2", "3"], further=["3"], editions=1, requests=1, unchanged=1),
            "kb: 3 new (1, 2, 3), 1 further issue (3), 1 edition; 1 request, 1 unchanged",
            True,
        ),
        (
            Report("kb", new=["1", "2", "3", "4"], hook="done"),
            "kb: 4 new (1 … 4), 0 editions; 0 requests, 0 unchanged",
            True,
        ),
        (
            Report("kb", quarantined=[{"sha256": "0a", "address": "/a", "reason": "odd"}]),
            "kb: nothing new, 1 put in quarantine, 0 editions; 0 requests, 0 unchanged",
            False,
        ),
        (
            Report("kb", failed_sources=["a", "b"]),
            "kb: nothing new, failed: a, b, 0 editions; 0 requests, 0 unchanged",
            False,
        ),
        (
            Report("kb", hook="exit code 1"),
            "kb: nothing new, 0 editions; 0 requests, 0 unchanged",
            False,
        ),
    ],
)
def test_line(report: Report, line: str, *, is_well: bool) -> None:
    """The line says what is new, what failed and how many requests there were."""
    assert (report.line(), report.is_well) == (line, is_well)


def test_counts_begin_at_nothing() -> None:
    """A run of which nothing is known yet has counted nothing."""
    counts = {name: value for name, value in Report("kb").json().items() if type(value) is int}

    assert len(counts) == 6
    assert set(counts.values()) == {0}


def test_failures() -> None:
    """An address that fails does not make its source fail."""
    report = Report("kb")

    report.fail("a", "https://example.org/a", "404 Not Found")
    report.fail("b", "", "no link")

    assert [failure["source"] for failure in report.failed] == ["a", "b"]
    assert report.failed_sources == ["b"]
