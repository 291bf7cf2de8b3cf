"""A base opened by look-ups, without the rest of the program."""

from contextlib import closing
from pathlib import Path
from shutil import copyfile

import pytest

from tests.support.small_bases import change
from variorum_kb.answers.lookup import named_edition, open_plain
from variorum_kb.schema_version import APPLICATION, SCHEMA
from variorum_kb.store.verified import seal


def test_open(sample_base: Path) -> None:
    """The base of this program is opened for reading."""
    connection = open_plain(str(sample_base / "kb.sqlite"))

    assert connection is not None
    with closing(connection):
        edition = named_edition(connection, "first", "")
    assert edition is not None
    assert (edition.label, edition.doubts) == ("1999-05-14", [])


@pytest.mark.parametrize(
    "statement",
    [f"PRAGMA user_version = {SCHEMA + 1}", f"PRAGMA application_id = {APPLICATION + 1}"],
)
def test_open_another_base(sample_base: Path, tmp_path: Path, statement: str) -> None:
    """A base of another program, a missing one and a damaged one are left to the full command."""
    file = tmp_path / "kb.sqlite"
    assert open_plain(str(file)) is None
    copyfile(sample_base / "kb.sqlite", file)
    change(tmp_path, statement)
    assert open_plain(str(file)) is None

    seal(str(file))

    assert open_plain(str(file)) is None
