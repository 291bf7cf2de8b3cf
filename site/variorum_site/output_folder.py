"""The folder of a site, which contains only files that we wrote.

A manifest lists the digest of every file, and has a digest of everything that the site depends on: if
neither that nor any file has changed, nothing needs to be made.
"""

import contextlib
import json
import os
from collections.abc import Iterable
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path

from variorum.errors import FileError
from variorum.files import in_one_line, write_file

MANIFEST = ".variorum-site.json"


class OutputFolder:
    """The folder of a site, to be written into; it need not exist.

    `files` has the digest of each file of the last build by its name; `rests_on` is the digest of
    everything that the whole site depends on, "" if the site is not whole.
    """

    def __init__(self, folder: Path) -> None:
        """Open a folder; FileError if others wrote files in it, or its manifest is damaged or leads out of it."""
        self.folder = folder
        self.files: dict[str, str] = {}
        self.rests_on = ""
        path = place_of(folder, MANIFEST)
        with in_one_line(folder, "cannot be used: "):
            is_foreign = folder.exists() and not path.exists() and any(folder.iterdir())
            text = path.read_text("utf-8") if path.exists() else ""
        if is_foreign:
            why = "is not empty and was not written by cr site; name another folder"
            raise FileError(f"{folder}: {why}")
        if not path.exists():
            return
        try:
            manifest = json.loads(text)
            self.files = {str(file): str(digest) for file, digest in manifest["files"].items()}
            self.rests_on = str(manifest["rests_on"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            why = "damaged; remove the folder and build the site again"
            raise FileError(f"{path}: {why}") from None
        for file in self.files:
            place_of(folder, file)

    def is_current(self, rests_on: str) -> bool:
        """Return whether the whole site is up to date with everything that it depends on."""
        try:
            return rests_on == self.rests_on and all(
                digest_of(place_of(self.folder, file).read_bytes()) == digest
                for file, digest in self.files.items()
            )
        except OSError:  # a file is missing
            return False

    def save(self, files: dict[str, str], rests_on: str = "") -> None:
        """Write the manifest; `rests_on` is "" if the site is not whole."""
        whole = {"rests_on": rests_on, "files": files}
        text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        write(self.folder, MANIFEST, text.encode())

    def remove(self, files: Iterable[str]) -> None:
        """Remove some files, and the folders that are then empty."""
        with in_one_line(self.folder):
            for path in [place_of(self.folder, file) for file in files]:
                path.unlink(missing_ok=True)
                with contextlib.suppress(OSError):  # a folder that is not empty stays
                    for parent in path.relative_to(self.folder).parents[:-1]:
                        (self.folder / parent).rmdir()


def place_of(folder: Path, file: str) -> Path:
    """Return the path of a file of the site, whose name comes from a manifest or a base, perhaps a stranger's.

    FileError: the name, or a link on the way to it, leads out of the folder; or the file is hidden.
    """
    path = folder / file
    is_plain = file == MANIFEST or all(it[:1] not in {"", "."} for it in file.split("/"))
    if not is_plain or any(sign in file for sign in "\\:\0"):
        raise FileError(
            f"{folder}: {file!r} is not the name of a file of a website; remove the folder and build "
            "the site again, from a base that you trust"
        )
    parts = list(accumulate(file.split("/"), os.path.join, initial=str(folder)))[1:]
    if any(map(os.path.islink, parts)) and not path.resolve().is_relative_to(folder.resolve()):
        raise FileError(f"{path}: a link leads out of the website's folder; remove the link")
    return path


def digest_of(data: bytes) -> str:
    """Return a digest of bytes."""
    return blake2b(data, digest_size=12).hexdigest()


def write(folder: Path, name: str, data: bytes) -> bool:
    """Write a file if it changed, completely or not at all; return whether it did."""
    return write_file(place_of(folder, name), data, is_flushed=False)
