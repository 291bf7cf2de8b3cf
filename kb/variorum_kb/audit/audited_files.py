"""Decides which files of a tree are audited, and reads them.

Left out are files that git ignores or the settings exclude, links, binary and large files, and our
own reports and baselines.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import cast

from pathspec import GitIgnoreSpec, RegexPattern

from variorum_kb.all_size_limits import LARGEST_AUDITED, LARGEST_SETTINGS
from variorum_kb.audit.text_file import TextFile, text_file_of
from variorum_kb.errors import NotReadableError, SettingsError, TooLargeError
from variorum_kb.system.git import repository_at
from variorum_kb.system.input_files import read_file

# Folders of version control.
_PRIVATE = {".git", ".hg", ".svn", ".jj"}

# The beginning of a baseline, of a report in JSON or of one in SARIF.
_OURS = re.compile(
    r'\{"(?:version": 1, "findings": \[\n\{"file": |findings": \[\n\{"file": '
    r'|\$schema": "[^"]*", "version": "[^"]*", "runs": \[\{"tool": \{"driver": \{"name": "cr audit")'
)

_Specs = tuple[tuple[Path, GitIgnoreSpec], ...]


def files_below(
    paths: Sequence[Path], exclude: Sequence[str] = (), folder: Path = Path()
) -> Iterator[Path]:
    """Yield the files that paths name or contain, each once, in sorted order.

    Files that .gitignore ignores are left out, unless a path names them. Links in folders are left
    out, because they might lead to a file twice or out of the tree.

    Args:
        paths: Files and folders.
        exclude: Patterns as in .gitignore of files that are left out even if a path names them.
        folder: The folder to which the patterns are relative.

    Raises:
        SettingsError: One of `exclude` is not a pattern.
    """
    excluded = ((folder.absolute(), patterns_of(exclude, "exclude")),) if exclude else ()
    seen: set[Path] = set()
    for path in paths:
        for file in _below(path, excluded):
            # Only if one path lies in another can a file occur twice.
            if len(paths) == 1:
                yield file
            elif (real := file.resolve()) not in seen:
                seen.add(real)
                yield file


def patterns_of(lines: Iterable[str], name: str) -> GitIgnoreSpec:
    """Return patterns as in .gitignore.

    Args:
        lines: A pattern each.
        name: The name of their setting.

    Raises:
        SettingsError: One of them is not a pattern.
    """
    for line in lines:
        if not _is_pattern(line):
            raise SettingsError(f"{name}: {line!r} is not a pattern as in .gitignore")
    return GitIgnoreSpec.from_lines(lines)


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True


def _below(path: Path, excluded: _Specs) -> Iterator[Path]:
    here = path.absolute()
    if not path.is_dir():
        if not _is_within_ignored(here, excluded):
            yield path
        return
    above = _above(here)
    ignored = () if _is_within_ignored(here, above) else above
    if not _is_within_ignored(here, excluded):
        yield from _walk(path, here, (*ignored, *excluded), len(excluded))


def _above(here: Path) -> _Specs:
    """Return the ignore patterns of a folder's repository, from its root downwards."""
    root = next((place for place in (here, *here.parents) if (place / ".git").exists()), None)
    if root is None:
        return ()
    repository = repository_at(root)
    specs = [*_spec(root, repository.common / "info" / "exclude")] if repository else []
    for folder in reversed(here.parents):
        if folder == root or root in folder.parents:
            specs += _spec(folder, folder / ".gitignore")
    return tuple(specs)


def _spec(folder: Path, file: Path) -> _Specs:
    try:
        text = read_file(file, LARGEST_SETTINGS).decode("utf-8-sig", "replace")
    except NotReadableError:
        return ()
    # Git ends a pattern at a line feed, and nowhere else.
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    try:
        return ((folder, GitIgnoreSpec.from_lines(lines)),)
    except (ValueError, re.error):
        # Git skips lines that are not patterns, such as a lone "!".
        return ((folder, GitIgnoreSpec.from_lines(filter(_is_pattern, lines))),)


def _walk(shown: Path, folder: Path, specs: _Specs, last: int) -> Iterator[Path]:
    """Yield the files of a folder.

    Args:
        shown: The folder as the user calls it.
        folder: Its absolute path.
        specs: The patterns to leave out; the last one that fits decides.
        last: How many of the patterns are the user's own and stay at the end.
    """
    # Trees may be deeper than Python's stack.
    ahead = [_entries(shown, folder, specs, last)]
    while ahead:
        entry = next(ahead[-1], None)
        if entry is None:
            ahead.pop()
        elif isinstance(entry, Path):
            yield entry
        else:
            ahead.append(_entries(*entry, last))


_Folder = tuple[Path, Path, _Specs]


def _entries(shown: Path, folder: Path, specs: _Specs, last: int) -> Iterator[Path | _Folder]:
    """Yield the files and folders in a folder that are not left out."""
    inner = len(specs) - last
    specs = (*specs[:inner], *_spec(folder, folder / ".gitignore"), *specs[inner:])
    try:
        with os.scandir(folder) as entries:
            sorted_entries = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        yield shown  # opening it will fail with the reason
        return
    for entry in sorted_entries:
        if entry.is_symlink() or entry.name in _PRIVATE:
            continue
        if entry.is_dir():
            if not _is_ignored(f"{entry.path}{os.sep}", specs):
                yield shown / entry.name, folder / entry.name, specs
        elif entry.is_file() and not _is_ignored(entry.path, specs):
            yield shown / entry.name


def _is_within_ignored(path: Path, specs: _Specs) -> bool:
    """Say whether a file or folder, or any folder that it is in, is left out."""
    own = f"{path}{os.sep}" if path.is_dir() else str(path)
    folders = [f"{folder}{os.sep}" for folder in path.parents]
    return any(_is_ignored(above, specs) for above in (*folders, own))


def _is_ignored(path: str, specs: _Specs) -> bool:
    """Say whether a file, or a folder whose name ends with a separator, is left out."""
    for folder, spec in reversed(specs):
        root = f"{folder}{os.sep}".replace(f"{os.sep}{os.sep}", os.sep)
        if path.startswith(root) and path != root:
            is_left_out = _last_match(spec, path[len(root) :].replace(os.sep, "/"))
            if is_left_out is not None:
                return is_left_out
    return False


def _last_match(spec: GitIgnoreSpec, path: str) -> bool | None:
    """Return whether the last pattern that matches leaves a path out; None if none matches.

    The walk has already tested the folders above.
    """
    for pattern in reversed(list(spec.patterns)):
        if _fits(pattern, path):
            return pattern.include
    return None


def _fits(pattern: RegexPattern, path: str) -> bool:
    """Say whether a pattern matches a file or folder itself, not a folder above it."""
    # The library does not say whether a pattern is compiled for text or for bytes.
    regex = cast("re.Pattern[str] | None", pattern.regex)
    if pattern.include is None or regex is None:
        return False
    name = path.removesuffix("/")
    if any(not match.groupdict().get("ps_d") for match in regex.finditer(name)):
        return True
    if path == name:
        return False
    return len(path) in [
        match.end() for match in regex.finditer(path) if match.groupdict().get("ps_d")
    ]


def read_text_file(path: Path) -> TextFile | None:
    """Read a file; return None if it is not text or too large.

    Raises:
        NotReadableError: The file cannot be read, or the folder cannot be listed.
    """
    try:
        return text_file_of(read_file(path, LARGEST_AUDITED))
    except TooLargeError:
        return None


def is_own_report(text: str) -> bool:
    """Say whether a text is a report of an audit or a baseline."""
    return text.startswith("{") and _OURS.match(text) is not None
