"""The digest BLAKE2b without `hashlib`, which loads OpenSSL; that takes a third of Python's start."""

try:
    from _blake2 import blake2b as blake2b  # noqa: PLC0414 - for others to import
except ImportError:  # this Python has no module `_blake2`
    from hashlib import blake2b as blake2b  # noqa: PLC0414 - likewise
