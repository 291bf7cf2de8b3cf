"""The default folders of the knowledge base and caches; imports only sys and os."""

import os
import sys

FILE = "kb.sqlite"
DOCUMENTS = "documents"
VARIABLE = "VARIORUM_KB"
CACHE_VARIABLE = "VARIORUM_CACHE"


def base_folder(named: "str | os.PathLike[str] | None" = None) -> str:
    """Return the folder of the knowledge base.

    It is the folder named on the command line, otherwise the folder that the variable VARIORUM_KB
    names, otherwise the platform's folder for data of programs.
    """
    named = named or os.environ.get(VARIABLE)
    return os.fspath(named or os.path.join(_data_folder(), "variorum"))  # noqa: PTH118


def cache_folder() -> str:
    """Return the folder of caches.

    It is the folder that VARIORUM_CACHE names, otherwise the platform's folder for
    caches of programs.
    """
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return named
    if sys.platform == "win32":
        return os.path.join(_data_folder(), "variorum-cache")  # noqa: PTH118
    if sys.platform == "darwin":
        return os.path.join(os.path.expanduser("~"), "Library", "Caches", "variorum")  # noqa: PTH111, PTH118
    return os.path.join(_xdg_folder("XDG_CACHE_HOME", ".cache"), "variorum")  # noqa: PTH118


def _data_folder() -> str:
    home = os.path.expanduser("~")  # noqa: PTH111
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")  # noqa: PTH118
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support")  # noqa: PTH118
    return _xdg_folder("XDG_DATA_HOME", ".local", "share")


def _xdg_folder(variable: str, *otherwise: str) -> str:
    named = os.environ.get(variable, "")
    # The specification says to ignore a relative path.
    return named if os.path.isabs(named) else os.path.join(os.path.expanduser("~"), *otherwise)  # noqa: PTH111, PTH117, PTH118
