"""Damaged documents, and documents of other kinds."""

import random
import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO

from tests.support.original_files import docx, story

_LONG = 1_000_000
HUGE = 200_000_000
_DEEP = 10_000

ANOTHER_GAME = """\
Rules of the Game of Four Towers

1. The Board

1.1. The board has sixty-four squares, which are light and dark in turn.

1.2. Each player has two towers, one at either end of the row that is nearest to her.

1.3. A light square stands in the corner at the right hand of each player.

2. The Towers

2.1. A tower moves along its row or its column as far as it likes.

2.2. A tower may not leap over another piece, whoever that belongs to.

2.3. A tower that ends its move on a square held by the other player takes the piece there.

3. The End

3.1. Who has no tower left has lost.

3.2. If the same position comes back three times, either player may ask for a draw.

3.3. If neither player has taken a piece in fifty moves, nobody has won.
"""

ANOTHER_GAME_NUMBERED = "\n\n".join(
    f"{100 + place}.1. {line.partition(' ')[2]}"
    for place, line in enumerate(ANOTHER_GAME.splitlines())
    if line[:2] in {"1.", "2.", "3."} and line[2:3].isdigit()
)


def _noisy(data: bytes) -> bytes:
    """Return bytes in which every seventh is changed, as by a wrong encoding."""
    noise = random.Random(7)
    return bytes(noise.randrange(128, 256) if n % 7 == 3 else byte for n, byte in enumerate(data))


def _with_zeros(data: bytes) -> bytes:
    half = len(data) // 2
    return data[:half] + b"\0\0\0" + data[half:]


def _as_utf_16(data: bytes) -> bytes:
    return data.decode("latin-1").encode("utf-16-le")


# Damage to any document.
DAMAGES: Mapping[str, Callable[[bytes], bytes]] = {
    "cut off": lambda data: data[: len(data) // 2],
    "cut off after a few bytes": lambda data: data[:7],
    "cut off at the front": lambda data: data[len(data) // 2 :],
    "noise": lambda data: random.Random(len(data)).randbytes(5000),
    "noise of a wrong encoding": _noisy,
    "UTF-16 without a mark": _as_utf_16,
    "zeros": _with_zeros,
}

# Files that are no document of any kind, under any name.
FOREIGN: Mapping[str, bytes] = {
    "nothing": b"",
    "blanks": b" \t\r\n" * 100,
    "no-break spaces": "\N{NO-BREAK SPACE}\n".encode() * 100,
    "a mark": b"\xef\xbb\xbf",
    "another game": ANOTHER_GAME.encode(),
    "another game, numbered": ANOTHER_GAME_NUMBERED.encode(),
    "zeros alone": b"\0" * 5000,
}


def long_line(data: bytes) -> bytes:
    """Return a document and many copies of its first half, on one line."""
    line = b" ".join(data.split())
    return line + b" " + line[: len(line) // 2] * (_LONG // max(1, len(line) // 2))


def long_word(data: bytes) -> bytes:
    """Return the beginning of a document and an endless word."""
    return data[:40].replace(b" ", b"x") + b"x" * _LONG


def bomb() -> bytes:
    """Return a Word document that unpacks to far more than its size."""
    return docx(story("<w:p><w:r><w:t>" + " " * 60_000_000 + "</w:t></w:r></w:p>"))


def nested_bomb() -> bytes:
    """Return a Word document with many parts that each unpack to a lot."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", story("<w:p/>"))
        for n in range(40):
            archive.writestr(f"word/header{n}.xml", b" " * 2_000_000)
    return file.getvalue()


def hostile(page: str) -> str:
    """Return an HTML page with words in scripts, styles and handlers."""
    evil = (
        '<base href="https://pilchard.example/"><meta http-equiv="refresh" content="0">'
        '<script>document.write("<p>999.1. EVIL</p>")</script>'
        "<style>p::before { content: 'EVIL' }</style>"
        '<p onclick="EVIL()" onmouseover=EVIL() style="background:url(javascript:EVIL)"></p>'
        '<iframe srcdoc="&lt;p&gt;999.1. EVIL"></iframe><object data="EVIL"></object>'
        "<svg><script>EVIL</script></svg><template><p>999.1. EVIL</p></template>"
        "<!-- 999.1. EVIL --><![CDATA[ EVIL ]]><noscript><p>999.1. EVIL</p></noscript>"
    )
    return page.replace("<body>", f"<body>{evil}").replace("</body>", f"{evil}</body>")


def nested(page: str, tag: str) -> str:
    """Return a deeply nested HTML page."""
    return page.replace("<body>", "<body>" + f"<{tag}>" * _DEEP)
