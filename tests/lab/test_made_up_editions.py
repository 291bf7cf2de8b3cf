"""Copies of editions with later dates, for benchmarks of growth."""

from importlib.resources import files
from pathlib import Path

from lab.benchmarks.made_up_editions import CYCLE, write_editions
from variorum_kb.reading.edition import read_edition


def test_made_up_editions_differ_in_their_dates_alone(tmp_path: Path) -> None:
    """Editions are repeated every 28 years with the same words, and the last given one is last."""
    originals = sorted(Path(str(files("variorum_kb").joinpath("sample"))).glob("*.txt"))[:2]

    made = write_editions(originals, tmp_path, 3)

    old = [read_edition(path.read_bytes(), path.name) for path in originals]
    new = [read_edition(path.read_bytes(), path.name) for path in made]
    years = [edition.effective.year for edition in new]
    first, second = (edition.effective.year for edition in old)
    assert years == [second + CYCLE, first + 2 * CYCLE, second + 2 * CYCLE]
    for written, real in zip(new, [old[1], *old], strict=True):
        assert [entry.paragraphs for entry in written.provisions] == [
            entry.paragraphs for entry in real.provisions
        ]
