"""How many processes work at once unless a command says otherwise."""

import os


def default_jobs() -> int:
    """Return the default number of processes: one for each processor."""
    return os.cpu_count() or 1
