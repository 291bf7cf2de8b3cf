"""Log how long the parts of long work take."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from time import perf_counter

log = logging.getLogger(__name__)


@contextmanager
def timed(part: str) -> Generator[None]:
    """Log how long a part of the work took."""
    start = perf_counter()
    try:
        yield
    finally:
        log.info("%.2f s: %s", perf_counter() - start, part)
