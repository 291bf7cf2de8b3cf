"""JSON as the text of a file."""

import json


def json_bytes(value: object) -> bytes:
    """Return a value as the text of a file; a file name that is no text is escaped as JSON does."""
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    return text.encode(errors="backslashreplace")
