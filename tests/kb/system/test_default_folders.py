"""The place of the knowledge base."""

import ntpath
import os
import posixpath
import sys

import pytest

from variorum_kb.system.default_folders import base_folder, cache_folder


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the settings of the user who runs the tests."""
    for name in (
        "VARIORUM_KB",
        "VARIORUM_CACHE",
        "XDG_DATA_HOME",
        "XDG_CACHE_HOME",
        "LOCALAPPDATA",
    ):
        monkeypatch.delenv(name, raising=False)


def on_platform(monkeypatch: pytest.MonkeyPatch, name: str, home: str) -> None:
    """Pretend to be on a platform."""
    paths = ntpath if name == "win32" else posixpath
    monkeypatch.setattr(sys, "platform", name)
    monkeypatch.setattr(os, "path", paths)

    def expanduser(path: str) -> str:
        return path.replace("~", home)

    monkeypatch.setattr(paths, "expanduser", expanduser)


@pytest.mark.parametrize(
    ("platform", "home", "expected"),
    [
        ("linux", "/home/ada", "/home/ada/.local/share/variorum"),
        ("freebsd14", "/home/ada", "/home/ada/.local/share/variorum"),
        ("darwin", "/Users/ada", "/Users/ada/Library/Application Support/variorum"),
        ("win32", r"C:\Users\ada", r"C:\Users\ada\AppData\Local\variorum"),
    ],
)
def test_platforms(
    monkeypatch: pytest.MonkeyPatch, platform: str, home: str, expected: str
) -> None:
    """Each platform has its own folder for data of programs."""
    on_platform(monkeypatch, platform, home)

    assert base_folder() == expected


def test_windows_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows may keep the data of programs on another disk."""
    on_platform(monkeypatch, "win32", r"C:\Users\ada")
    monkeypatch.setenv("LOCALAPPDATA", r"D:\Data")

    assert base_folder() == r"D:\Data\variorum"


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("/data", "/data/variorum"),
        ("data", "/home/ada/.local/share/variorum"),
        ("", "/home/ada/.local/share/variorum"),
    ],
)
def test_data_home(monkeypatch: pytest.MonkeyPatch, named: str, expected: str) -> None:
    """XDG_DATA_HOME counts if it is an absolute path, as its specification says."""
    on_platform(monkeypatch, "linux", "/home/ada")
    monkeypatch.setenv("XDG_DATA_HOME", named)

    assert base_folder() == expected


def test_data_home_is_for_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS has its own folder."""
    on_platform(monkeypatch, "darwin", "/Users/ada")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")

    assert base_folder() == "/Users/ada/Library/Application Support/variorum"


def test_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line overrides the variable, and the variable the platform."""
    on_platform(monkeypatch, "linux", "/home/ada")
    monkeypatch.setenv("VARIORUM_KB", "of the variable")

    assert base_folder("named") == "named"
    assert base_folder() == base_folder("") == "of the variable"


def test_empty_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty variable counts as unset."""
    on_platform(monkeypatch, "linux", "/home/ada")
    monkeypatch.setenv("VARIORUM_KB", "")

    assert base_folder() == "/home/ada/.local/share/variorum"


# Caches --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "home", "expected"),
    [
        ("linux", "/home/ada", "/home/ada/.cache/variorum"),
        ("freebsd14", "/home/ada", "/home/ada/.cache/variorum"),
        ("darwin", "/Users/ada", "/Users/ada/Library/Caches/variorum"),
        ("win32", r"C:\Users\ada", r"C:\Users\ada\AppData\Local\variorum-cache"),
    ],
)
def test_caches_of_platforms(
    monkeypatch: pytest.MonkeyPatch, platform: str, home: str, expected: str
) -> None:
    """Each platform has its own folder for caches, outside of the base's folder."""
    on_platform(monkeypatch, platform, home)

    assert cache_folder() == expected
    assert not expected.startswith(base_folder() + os.path.sep)


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("/fast", "/fast/variorum"),
        ("fast", "/home/ada/.cache/variorum"),
        ("", "/home/ada/.cache/variorum"),
    ],
)
def test_cache_home(monkeypatch: pytest.MonkeyPatch, named: str, expected: str) -> None:
    """XDG_CACHE_HOME counts if it is an absolute path, unless VARIORUM_CACHE is set."""
    on_platform(monkeypatch, "linux", "/home/ada")
    monkeypatch.setenv("XDG_CACHE_HOME", named)

    assert cache_folder() == expected
    monkeypatch.setenv("VARIORUM_CACHE", "/mine")
    assert cache_folder() == "/mine"
