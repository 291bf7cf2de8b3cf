"""The folder of a site, which contains only files that we wrote.

A manifest lists the digest of every file, by the *group* of pages that are made together. A group
is not made again if its inputs and its files have not changed since the last build. The manifest also
has a digest of everything that the whole site depends on, so that nothing else is computed if neither it
nor any file has changed.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TypedDict

from variorum.errors import NotWritableError
from variorum_site.group_results import GroupResults

MANIFEST = ".variorum-site.json"
_HALF_WRITTEN = ".new"


class GroupJson(TypedDict):
    """A group in the manifest."""

    inputs: str
    results: GroupResults
    files: dict[str, str]


class ManifestJson(TypedDict):
    """The manifest.

    Attributes:
        rests_on: A digest of everything that the whole site depends on; "" if the site is not whole.
        groups: The groups by name.
    """

    rests_on: str
    groups: dict[str, GroupJson]


@dataclass(frozen=True, slots=True)
class EarlierGroup:
    """A group in the manifest of the last build."""

    folder: Path
    group: GroupJson

    def read(self, file: str) -> bytes | None:
        """Return the bytes of a file; None if it has changed since the last build.

        Raises:
            NotWritableError: The file is not in the folder.
        """
        path = place_of(self.folder, file)
        try:
            # For thousands of files, `Path.read_bytes` takes twice the time.
            with open(path, "rb", buffering=0) as stream:  # noqa: PTH123 - see above
                data = stream.read()
        except OSError:
            return None
        return data if self.group["files"].get(file) == digest_of(data) else None

    def is_untouched(self) -> bool:
        """Return whether every file is as the last build wrote it."""
        return all(self.read(file) is not None for file in self.group["files"])


@dataclass(slots=True)
class OutputFolder:
    """The folder of a site.

    Attributes:
        groups: The groups of the last build, by name.
        rests_on: A digest of everything that the whole site depends on; "" if the site is not whole.
    """

    folder: Path
    groups: dict[str, GroupJson] = field(default_factory=dict[str, GroupJson])
    rests_on: str = ""

    @classmethod
    def open(cls, folder: Path) -> "OutputFolder":
        """Open a folder to write a site into; it need not exist.

        Raises:
            NotWritableError: It has files that we did not write, or cannot be written; or its
                manifest lists a file that is not in it.
        """
        manifest = place_of(folder, MANIFEST)
        try:
            text = manifest.read_text("utf-8")
        except FileNotFoundError:
            if _is_in_use(folder):
                raise NotWritableError(
                    f"{folder}: is not empty and was not written by cr site; name another folder"
                ) from None
            return cls(folder)
        except OSError as error:
            raise NotWritableError(f"{folder}: cannot be used: {error.strerror or error}") from None
        output = cls(folder, *_read(folder / MANIFEST, text))
        for file in output.files():
            place_of(folder, file)
        return output

    def earlier(self, name: str) -> EarlierGroup | None:
        """Return a group of the last build; None if there was none."""
        known = self.groups.get(name)
        return None if known is None else EarlierGroup(self.folder, known)

    def is_fresh(self, name: str, inputs: str) -> bool:
        """Return whether a group is up to date with its inputs."""
        known = self.earlier(name)
        return known is not None and known.group["inputs"] == inputs and known.is_untouched()

    def is_current(self, rests_on: str) -> bool:
        """Return whether the whole site is up to date with everything that it depends on."""
        return rests_on == self.rests_on and all(
            EarlierGroup(self.folder, group).is_untouched() for group in self.groups.values()
        )

    def save(self, groups: Mapping[str, GroupJson], rests_on: str = "") -> None:
        """Write the manifest.

        Args:
            groups: The groups by name.
            rests_on: A digest of everything that the whole site depends on; "" if it is not whole.

        Raises:
            NotWritableError: The manifest cannot be written.
        """
        whole: ManifestJson = {
            "rests_on": rests_on,
            "groups": dict(sorted(groups.items())),
        }
        text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        write(self.folder, {MANIFEST: text.encode()})
        self.groups, self.rests_on = dict(groups), rests_on

    def remove_stale(self, before: Iterable[str], kept: Iterable[str]) -> int:
        """Remove files that an earlier build wrote and this build did not; return how many.

        Raises:
            NotWritableError: A file cannot be removed.
        """
        stale = sorted(set(before) - set(kept))
        paths = [place_of(self.folder, file) for file in stale]
        try:
            for path in paths:
                path.unlink(missing_ok=True)
                _remove_empty(self.folder, path.parent)
        except OSError as error:
            raise NotWritableError(f"{self.folder}: {error.strerror or error}") from None
        return len(stale)

    def files(self) -> list[str]:
        """Return all files of the last build."""
        return [file for group in self.groups.values() for file in group["files"]]


def _read(path: Path, text: str) -> tuple[dict[str, GroupJson], str]:
    """Return the groups of a manifest and what the whole site depends on.

    The digests of inputs include the program, so another version's groups are never fresh.
    """
    try:
        manifest: ManifestJson = json.loads(text)
        for group in manifest["groups"].values():
            group["files"].items(), group["inputs"], group["results"]
        return dict(manifest["groups"].items()), manifest.get("rests_on", "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise NotWritableError(
            f"{path}: damaged; remove the folder and build the site again"
        ) from None


def place_of(folder: Path, file: str) -> Path:
    """Return the path of a file of the site.

    The names come from a manifest or a base, which may be a stranger's.

    Raises:
        NotWritableError: The name, or a link on the way to it, leads out of the folder; or the file
            is hidden, as those of git are.
    """
    path = folder / file
    is_plain = file.removesuffix(_HALF_WRITTEN) == MANIFEST or not any(
        part.startswith(".") or not part for part in file.split("/")
    )
    if not is_plain or any(sign in file for sign in "\\:\0"):
        raise NotWritableError(
            f"{folder}: {file!r} is not the name of a file of a website; remove the folder and build "
            "the site again, from a base that you trust"
        )
    # `os.path` because `Path.resolve` takes three times as long, for thousands of files.
    root, real = os.path.realpath(folder), os.path.realpath(path)
    if os.path.commonpath([root, real]) != root or real == root:
        raise NotWritableError(f"{path}: a link leads out of the website's folder; remove the link")
    return path


def digest_of(data: bytes) -> str:
    """Return a digest of bytes."""
    return blake2b(data, digest_size=12).hexdigest()


def write(folder: Path, files: Mapping[str, bytes]) -> int:
    """Write the files that changed, each completely or not at all; return how many.

    Raises:
        NotWritableError: A file cannot be written, or would not be in the folder.
    """
    written = 0
    try:
        for name, data in files.items():
            path = place_of(folder, name)
            if _is_there(path, data):
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = place_of(folder, f"{name}{_HALF_WRITTEN}")
            beside.write_bytes(data)
            os.replace(beside, path)  # noqa: PTH105 - says more than `Path.replace`
            written += 1
    except NotWritableError:
        raise
    except OSError as error:
        raise NotWritableError(f"{folder}: cannot be written: {error.strerror or error}") from None
    return written


def _is_there(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except OSError:
        return False


def _is_in_use(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except FileNotFoundError:
        return False
    except OSError as error:
        raise NotWritableError(f"{folder}: cannot be used: {error.strerror or error}") from None


def _remove_empty(root: Path, folder: Path) -> None:
    """Remove a folder and its parents, up to the first that is not empty."""
    while folder != root:
        with contextlib.suppress(OSError):
            folder.rmdir()
            folder = folder.parent
            continue
        return
