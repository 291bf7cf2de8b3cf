"""Data files of the website's script: JSON in a script.

A page opened from the file system may only load scripts. From a server, the browser reads the JSON in
them, which is faster.
"""

import json
from collections.abc import Iterable
from typing import Any


def script_file(file: str, value: object) -> bytes:
    r"""Return the content of a data file.

    >>> script_file("search/numbers.js", {"format": 2}).decode()
    'variorum.take("search/numbers.js",{"format":2});\n'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    # Older browsers treat these characters as line ends in a script; JSON does not.
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f'variorum.take("{file}",{text});\n'.encode()


def listing_file(file: str, files: Iterable[bytes]) -> bytes:
    r"""Return a data file with a list of the values in other data files.

    >>> listing_file("all.js", [script_file("1.js", 1), script_file("2.js", [2])]).decode()
    'variorum.take("all.js",[1,[2]]);\n'
    """
    return b'variorum.take("%s",[%s]);\n' % (file.encode(), b",".join(map(_text_in, files)))


def json_in(data: bytes) -> Any:  # noqa: ANN401 - as `json.loads` does
    """Return the value in a data file.

    >>> json_in(script_file("search/numbers.js", {"format": 2}))
    {'format': 2}
    """
    return json.loads(_text_in(data))


def _text_in(data: bytes) -> bytes:
    return data.partition(b",")[2].removesuffix(b");\n")
