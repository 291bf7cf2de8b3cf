"""What stands in the file, as records; imports next to nothing.

A *state* is what a provision is and says; one state holds in one edition or in many. An edition is
a list of states in printed order. So each text is kept once, however many editions print it.
"""

from variorum_kb.record import Record

# Marks a file as ours ("vrrm"), and says how it is laid out. A file of another layout is built
# anew from the documents.
APPLICATION = 0x7672726D
SCHEMA = 5


class State(Record):
    """A state: what a provision is and says.

    Attributes:
        kind: A value of `model.Kind`.
        number: As printed, "" in the glossary.
        address: The number, with #1, #2 where it is printed twice; the headword in the glossary.
        heading: Its own heading or headword.
        body: Its paragraphs, as `join_body` joins them.
        parent: The address of the provision it stands under, "" of chapters and the glossary.
        meant: The number it has by its place, "" where that is the printed one.
        irregularities: JSON as in docs/json.md, "" without any.
    """

    __slots__ = ()
    kind: str
    number: str
    address: str
    heading: str
    body: str
    parent: str
    meant: str
    irregularities: str

    def with_id(self, number: int) -> "Row":
        """Return it with its id in a file."""
        return Row.of((*self, number))


class Row(State):
    """A state with its id in a file."""

    __slots__ = ()
    id: int


# An edition is a tuple in the order of these columns, without its id; JSON stands in the last ones.
EDITION_COLUMNS = (
    "effective",
    "issue",
    "sha256",
    "set_code",
    "set_name",
    "layout",
    "encoding",
    "crlf",
    "cr",
    "lf",
    "sections",
    "rules",
    "examples",
    "glossary",
    "irregularities",
    "condition",
    "introduction",
    "index_lines",
    "credits",
    "ledger",
)

# Those that hold JSON, and that only few questions need.
LONG_COLUMNS = ("introduction", "index_lines", "credits", "ledger")

# What a step may be, in the order of the bits that stand for them in the file. A link that is kept
# and nothing else, of a state that stays what it is, is not written down.
STEP_KINDS = (
    "kept",
    "renumbered",
    "reworded",
    "split",
    "merged",
    "copied",
    "new",
    "gone",
    "uncertain",
)
# How much a change of words matters, likewise.
CHANGE_CLASSES = ("", "typographic", "citation-only", "sweep", "substantive")

# A link is (old, new, rank, kinds, class, confidence, evidence, runners-up).
#   old, new    ids of states, -1 for none
#   rank        from 0 among the heirs of old, the main one first
#   kinds       bits, see STEP_KINDS
#   class       place in CHANGE_CLASSES
#   confidence  the chance that the main heir is right
#   evidence    lines
#   runners-up  lines: the id of a state and its points
LinkRow = tuple[int, int, int, int, int, float, str, str]

# A witness is a tuple in the order of these columns, without its id; see schema.sql.
WITNESS_COLUMNS: tuple[str, ...] = (
    "sha256",
    "rests_on",
    "layout",
    "title",
    "author",
    "source",
    "stated",
    "dated",
    "first",
    "last",
    "matched",
    "total",
    "evidence",
)
# The layout of an original begins so; it is a witness to the edition of its date.
ORIGINAL_LAYOUT = "original in "
# A passage of one likewise, without the id of its witness and its place among the passages.
PASSAGE_COLUMNS: tuple[str, ...] = (
    "kind",
    "verdict",
    "number",
    "headword",
    "words",
    "line",
    "provision",
    "former",
    "edition",
    "becomes",
    "claimed",
    "source",
    "supplied",
    "likeness",
    "confidence",
    "evidence",
    "pieces",
)

# An example is set apart by characters that no text holds: splitting lines removes them.
_EXAMPLE, _MARKER_END = "\x1e", "\x1f"


def kinds_of(bits: int) -> list[str]:
    """Return the kinds that bits stand for.

    >>> kinds_of(6)
    ['renumbered', 'reworded']
    """
    return [kind for place, kind in enumerate(STEP_KINDS) if bits >> place & 1]


def bits_of(kinds: "list[str]") -> int:
    """Return the bits that stand for kinds."""
    return sum([1 << STEP_KINDS.index(kind) for kind in kinds])


def join_body(paragraphs: list[tuple[str, str]]) -> str:
    """Return paragraphs, each a marker ("" of plain text) and its words, as one string."""
    return "\n".join(
        [
            f"{_EXAMPLE}{marker}{_MARKER_END}{text}" if marker else text
            for marker, text in paragraphs
        ]
    )


def split_body(body: str) -> list[tuple[str, str]]:
    """Return the paragraphs that `join_body` joined."""
    paragraphs: list[tuple[str, str]] = []
    for part in body.split("\n") if body else ():
        if part[:1] == _EXAMPLE:
            marker, _, text = part[1:].partition(_MARKER_END)
            paragraphs.append((marker, text))
        else:
            paragraphs.append(("", part))
    return paragraphs


def text_of(body: str) -> str:
    """Return the paragraphs that are no examples, joined by line feeds."""
    return "\n".join([text for marker, text in split_body(body) if not marker])


def examples_of(body: str) -> list[str]:
    """Return the examples."""
    return [text for marker, text in split_body(body) if marker]


def full_text(body: str) -> str:
    """Return the text and then the examples, joined by line feeds: what offsets count in."""
    if _EXAMPLE not in body:
        return body
    return "\n".join([part for part in (text_of(body), *examples_of(body)) if part])
