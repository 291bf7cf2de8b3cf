"""The default folders of the knowledge base and of caches."""

import os
import sys
from pathlib import Path

FILE = "kb.sqlite"
DOCUMENTS = "documents"
# The editions of the sample rulebook.
SAMPLE_RULEBOOK = Path(__file__).with_name("sample")


def base_folder(named: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder of the knowledge base.

    It is the folder named on the command line, otherwise the folder that the variable VARIORUM_KB
    names, otherwise the platform's folder for data of programs.
    """
    named = named or os.environ.get("VARIORUM_KB")
    return Path(named) if named else _data_folder() / "variorum"


def cache_folder() -> Path:
    """Return the folder that VARIORUM_CACHE names, otherwise the platform's for caches of programs."""
    if named := os.environ.get("VARIORUM_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        return _data_folder() / "variorum-cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "variorum"
    return _xdg_folder("XDG_CACHE_HOME", ".cache") / "variorum"


def _data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return _xdg_folder("XDG_DATA_HOME", ".local/share")


def _xdg_folder(variable: str, otherwise: str) -> Path:
    named = Path(os.environ.get(variable, ""))
    # The specification says to ignore a relative path.
    return named if named.is_absolute() else Path.home() / otherwise
