"""The archive: original bytes, and where they came from."""
