"""Garbage collection is suspended, and resumed."""

import gc

import pytest

from variorum_kb.system.collecting import without_collecting


def test_goes_on_after_errors() -> None:
    """Collection is off inside, and on again afterwards, even after errors."""
    was_on: list[bool] = []

    @without_collecting()
    def fail() -> None:
        was_on.append(gc.isenabled())
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert (was_on, gc.isenabled()) == ([False], True)


def test_stays_off() -> None:
    """If collection is already off, it stays off."""
    with without_collecting():
        with without_collecting():
            pass
        is_on = gc.isenabled()

    assert not is_on
