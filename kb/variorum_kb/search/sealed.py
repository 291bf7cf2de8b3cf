"""A folder that is complete and undamaged, or not there at all."""

import json
import zlib
from pathlib import Path
from typing import TypedDict

_MANIFEST = "manifest.json"


class RestsOn(TypedDict):
    """What an index rests on.

    Attributes:
        versions: Of all that made it.
        edition: The label of the edition that it holds, "" of an index of all texts.
        editions: The hashes of the base's editions, in order.
    """

    versions: str
    edition: str
    editions: list[str]


class Manifest(TypedDict):
    """What the index in a folder rests on and what its files must be.

    Attributes:
        rests_on: What it rests on.
        amended: How often it was amended since it was written.
        files: Size and CRC-32 of each file but this one.
    """

    rests_on: RestsOn
    amended: int
    files: dict[str, list[int]]


def seal(folder: Path, rests_on: RestsOn, amended: int) -> None:
    """Write down what a finished folder holds."""
    files = {file.name: _measure(file) for file in sorted(folder.iterdir())}
    files.pop(_MANIFEST, None)
    manifest: Manifest = {"rests_on": rests_on, "amended": amended, "files": files}
    data = json.dumps(manifest).encode()
    (folder / _MANIFEST).write_bytes(b"%08x\n%b" % (zlib.crc32(data), data))


def open_seal(folder: Path) -> Manifest | None:
    """Return what a folder holds; None if it is damaged or was never finished."""
    try:
        checksum, _, data = (folder / _MANIFEST).read_bytes().partition(b"\n")
        if int(checksum, 16) != zlib.crc32(data):
            return None
        manifest: Manifest = json.loads(data)
        whole = all(
            _measure(folder / name) == measure for name, measure in manifest["files"].items()
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return manifest if whole else None


def _measure(file: Path) -> list[int]:
    data = file.read_bytes()
    return [len(data), zlib.crc32(data)]
