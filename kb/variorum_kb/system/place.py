"""Where the knowledge base lies unless one says otherwise; imports nothing but sys and os."""

import os
import sys

FILE = "kb.sqlite"
DOCUMENTS = "documents"
INDEX = "index"
VARIABLE = "VARIORUM_KB"


def base_folder(named: str | None = None) -> str:
    """Return the folder of the knowledge base.

    The folder named on the command line counts, else that of the variable VARIORUM_KB, else the
    place that the platform has for data of programs.
    """
    return named or os.environ.get(VARIABLE) or os.path.join(_data_folder(), "variorum")  # noqa: PTH118


def cache_folder() -> str:
    """Return the folder for what can be made again, which the platform has for each user."""
    home = os.path.expanduser("~")  # noqa: PTH111
    if sys.platform == "win32":
        return os.path.join(_data_folder(), "variorum", "cache")  # noqa: PTH118
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "variorum")  # noqa: PTH118
    named = os.environ.get("XDG_CACHE_HOME", "")
    folder = named if os.path.isabs(named) else os.path.join(home, ".cache")  # noqa: PTH117, PTH118
    return os.path.join(folder, "variorum")  # noqa: PTH118


def _data_folder() -> str:
    home = os.path.expanduser("~")  # noqa: PTH111
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")  # noqa: PTH118
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support")  # noqa: PTH118
    named = os.environ.get("XDG_DATA_HOME", "")
    # The specification tells to ignore a relative path.
    return named if os.path.isabs(named) else os.path.join(home, ".local", "share")  # noqa: PTH117, PTH118
