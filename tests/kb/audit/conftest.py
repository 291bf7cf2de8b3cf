"""`cr audit` in an empty folder."""

from pathlib import Path

import pytest

from tests.kb.audit.audited import Cr, audit_in


@pytest.fixture
def cr(sample_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cr:
    """Return the command on the sample rulebook, in an empty folder."""
    return audit_in(tmp_path, sample_base, monkeypatch)
