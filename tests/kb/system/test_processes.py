"""How many processes work at once."""

import os

import pytest

from variorum_kb.system.processes import default_jobs


@pytest.mark.parametrize(("processors", "jobs"), [(None, 1), (1, 1), (8, 8)])
def test_default_jobs(monkeypatch: pytest.MonkeyPatch, processors: int | None, jobs: int) -> None:
    """There is one for each processor; one, if the system does not say how many it has."""
    monkeypatch.setattr(os, "cpu_count", lambda: processors)

    assert default_jobs() == jobs
