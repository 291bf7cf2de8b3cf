"""Files and folders of documents."""

from pathlib import Path

import pytest
from tests.kb.pages import page

from variorum_kb.build import find_documents, load_edition
from variorum_kb.errors import LayoutError, NotReadableError


def test_load_edition(tmp_path: Path) -> None:
    """An edition is read from its file."""
    path = tmp_path / "a.txt"
    path.write_bytes(page())

    assert load_edition(path).effective.isoformat() == "2020-06-05"


def test_find_documents(tmp_path: Path) -> None:
    """A folder means its files, sorted, without hidden ones and inner folders."""
    for name in ("b.txt", "a.txt", ".hidden"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "inner").mkdir()

    found = find_documents([Path("x.txt"), tmp_path])

    assert found == [Path("x.txt"), tmp_path / "a.txt", tmp_path / "b.txt"]


def test_error_missing_file(tmp_path: Path) -> None:
    """A file that cannot be opened is named."""
    with pytest.raises(NotReadableError) as caught:
        load_edition(tmp_path / "none.txt")

    assert str(caught.value) == f"{tmp_path / 'none.txt'}: No such file or directory"


def test_error_carries_the_path(tmp_path: Path) -> None:
    """A document that is refused is named by its path."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"no rules")

    with pytest.raises(LayoutError) as caught:
        load_edition(path)

    assert str(caught.value).startswith(f"{path}: no known layout")
