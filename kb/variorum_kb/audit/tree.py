"""The files of a tree, without what git ignores."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from pathspec import GitIgnoreSpec

# Where version control keeps its own.
_PRIVATE = {".git", ".hg", ".svn", ".jj"}

_Specs = tuple[tuple[Path, GitIgnoreSpec], ...]


def files_below(
    paths: Sequence[Path], exclude: Sequence[str] = (), folder: Path = Path()
) -> Iterator[Path]:
    """Yield the files that paths name and that stand below them, each once, in sorted order.

    Of a folder, what .gitignore files there, below and above it ignore is left out, and so are
    links, which would lead to files twice or out of the tree. Who names what is ignored wants it.

    Args:
        paths: Files and folders.
        exclude: Patterns as in .gitignore of what is left out even where it is named.
        folder: To which these are relative.
    """
    excluded = ((folder.absolute(), GitIgnoreSpec.from_lines(exclude)),) if exclude else ()
    seen: set[Path] = set()
    for path in paths:
        for file in _below(path, excluded):
            # Only where paths lie within each other may a file come twice.
            if len(paths) == 1:
                yield file
            elif file.absolute() not in seen:
                seen.add(file.absolute())
                yield file


def _below(path: Path, excluded: _Specs) -> Iterator[Path]:
    here = path.absolute()
    if not path.is_dir():
        if not _is_ignored(str(here), excluded):
            yield path
        return
    name = f"{here}{os.sep}"
    above = _above(here)
    ignored = () if _is_ignored(name, above) else above
    if not _is_ignored(name, excluded):
        yield from _walk(path, here, (*ignored, *excluded), len(excluded))


def _above(here: Path) -> _Specs:
    """Return what is ignored by the repository that a folder is in, from its root downwards."""
    root = next((one for one in (here, *here.parents) if (one / ".git").exists()), None)
    if root is None:
        return ()
    found = [*_spec(root, root / ".git" / "info" / "exclude")]
    for folder in reversed(here.parents):
        if folder == root or root in folder.parents:
            found += _spec(folder, folder / ".gitignore")
    return tuple(found)


def _spec(folder: Path, file: Path) -> _Specs:
    try:
        lines = file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ()
    return ((folder, GitIgnoreSpec.from_lines(lines)),)


def _walk(shown: Path, folder: Path, specs: _Specs, last: int) -> Iterator[Path]:
    """Yield the files of a folder.

    Args:
        shown: The folder as the user calls it.
        folder: As the platform does.
        specs: What is left out; what stands further back decides.
        last: How many of them are the user's own and stay at the end.
    """
    inner = len(specs) - last
    specs = (*specs[:inner], *_spec(folder, folder / ".gitignore"), *specs[inner:])
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        yield shown  # whoever opens it says why not
        return
    for entry in found:
        if entry.is_symlink():
            continue
        if entry.is_dir():
            is_private = entry.name in _PRIVATE
            if not is_private and not _is_ignored(f"{entry.path}{os.sep}", specs):
                yield from _walk(shown / entry.name, folder / entry.name, specs, last)
        elif entry.is_file() and not _is_ignored(entry.path, specs):
            yield shown / entry.name


def _is_ignored(path: str, specs: _Specs) -> bool:
    """Say whether a file, or a folder whose name ends with a separator, is left out."""
    for folder, spec in reversed(specs):
        root = f"{folder}{os.sep}".replace(f"{os.sep}{os.sep}", os.sep)
        if path.startswith(root) and path != root:
            result = spec.check_file(path[len(root) :].replace(os.sep, "/")).include
            if result is not None:
                return result
    return False
