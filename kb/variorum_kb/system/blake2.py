"""The digest BLAKE2b without OpenSSL, which `hashlib` loads in a third of Python's start."""

try:
    from _blake2 import blake2b as blake2b  # noqa: PLC0414 - for others to import
except ImportError:  # a Python that has it elsewhere
    from hashlib import blake2b as blake2b  # noqa: PLC0414 - likewise
