"""Pauses between requests to a host."""

import pytest

from tests.crawler.fetching import Clock
from tests.crawler.mirror import DATE
from variorum_crawler.fetch.pauses import Pauses, read_wait


def test_hosts_do_not_wait_for_each_other(clock: Clock) -> None:
    """A pause affects only one host."""
    pauses = Pauses(5, sleep=clock.sleep, now=clock.now)

    for host in ("a", "b", "a"):
        with pauses.turn(host):
            pass

    assert clock.waits == [5]


def test_answer_ends_a_turn(clock: Clock) -> None:
    """The pause begins with the answer, even a failed one."""
    pauses = Pauses(5, sleep=clock.sleep, now=clock.now)

    def fail() -> None:
        with pauses.turn("a"):
            clock.time += 100
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with pauses.turn("a"):
        pass

    assert clock.waits == [5]


def test_postponed(clock: Clock) -> None:
    """The next request to a host waits until the latest postponement."""
    pauses = Pauses(5, sleep=clock.sleep, now=clock.now)

    pauses.postpone("a", 60)
    clock.time += 10
    pauses.postpone("a", 20)
    for _ in range(2):
        with pauses.turn("a"):
            pass

    assert clock.waits == [50, 5]


def test_slowed_down(clock: Clock) -> None:
    """A longer pause counts from the last answer; a shorter one is ignored."""
    pauses = Pauses(5, sleep=clock.sleep, now=clock.now)

    for wish in (7, 3, 1e9):
        with pauses.turn("a"):
            pass
        pauses.slow_down("a", wish)
    with pauses.turn("a"):
        pass

    assert clock.waits == [7, 7, 30]


def test_wait_of_no_known_length() -> None:
    """If an answer has no date of its own, the date until which it asks us to wait is ignored."""
    assert read_wait({"retry-after": DATE}) == 0
    assert read_wait({"retry-after": DATE, "date": "today"}) == 0
