"""The real editions in one base, opened once for each test process by the library."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

import variorum

DAY = date(2026, 11, 20)


@pytest.fixture(scope="session")
def real(corpus: Path, bases: Callable[[str], Path]) -> Iterator[variorum.Base]:  # noqa: ARG001 - skips without it
    """Return the base of all real editions, opened by the library."""
    with variorum.open(bases("real"), today=DAY) as opened:
        yield opened
