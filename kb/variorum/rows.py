"""The rows of kb.sqlite, as records; `store/schema.sql` says more of their columns.

A *state* is what a provision is and says; one state holds in one edition or in many. An edition is
a list of states in printed order. So each text is kept once, however many editions print it.
"""

from collections.abc import Iterable
from typing import NamedTuple


class State(NamedTuple):
    """What a provision is and says: kind, number, address, heading and meant are those of `model.Provision`.

    The parent is the address of the provision above, "" of chapters and the glossary. `join_body` made the
    body; irregularities are JSON as in docs/json.md. Outside a file, the id is -1.
    """

    kind: str
    number: str
    address: str
    heading: str
    body: str
    parent: str
    meant: str
    irregularities: str
    id: int = -1


class EditionRow(NamedTuple):
    """An edition without its states, by its place among all of a base from 0; outside a file -1.

    The label is its day, with its issue if the base has several of that day; the day alone means the chosen
    one. `doubts` are lines that every answer from it shows. `introduction` to `ledger` hold JSON. `settle`
    sets `issue` to `is_chosen`, which rest on facts, decisions and the other editions.
    """

    place: int
    effective: str
    sha256: str
    layout: str = ""
    encoding: str = ""
    crlf: int = 0
    cr: int = 0
    lf: int = 0
    sections: int = 0
    rules: int = 0
    examples: int = 0
    glossary: int = 0
    irregularities: int = 0
    condition: str = ""
    issue: int = 0
    set_code: str = ""
    set_name: str = ""
    attested: str = ""
    doubts: str = ""
    label: str = ""
    is_chosen: int = 0
    introduction: str = ""
    index_lines: str = ""
    credits: str = ""
    ledger: str = ""


class StaleRow(NamedTuple):
    """A citation by the number of a `target` that moved away in the edition `since`; 1 if its heir is alike."""

    provision: int
    place: int
    number: str
    target: int
    since: int
    is_alike: int


PROVISION_KINDS = ("chapter", "section", "rule", "subrule", "glossary")
# What attests an edition: the table of facts, independent publishers that agreed, or a person.
BY_FACTS, BY_AGREEMENT, BY_PERSON = ("facts", "agreement", "person")
# Doubts about an edition: nothing attests it; and of one whose numbers alone are known.
ONE_SOURCE, NOT_KNOWN, NO_WORDS = "one source", "not the known text of its date", "no words"
# Kinds of other documents; that of an original begins so. A copy is another text of an edition.
ORIGINAL, COPY, BULLETIN = "original in ", "copy", "bulletin"
# Verdicts on passages that quote nothing: prose, also a kind of document; an announcement that its edition
# confirms, and one that none does.
COMMENTARY, ANNOUNCED, UNKNOWN = "commentary", "announced", "unknown"
# What a step may be, in the order of the bits that stand for them in the file. A link that is only
# "kept", between equal states, is not stored.
STEP_KINDS = (
    *("kept", "renumbered", "reworded", "split", "merged", "copied"),
    *("new", "gone", "uncertain"),
)
KEPT, RENUMBERED, REWORDED, SPLIT, MERGED, COPIED, NEW, GONE, UNCERTAIN = [1 << n for n in range(9)]
# How much a change of words matters, likewise.
CHANGE_CLASSES = ("", "typographic", "citation-only", "sweep", "substantive")
# A less likely step is uncertain and lists its candidates; no citation is followed along a less likely lineage.
STEP_CERTAIN, FOLLOWED = 0.5, 0.8
# From here on `cr audit --fix` rewrites a number, `cr lint` reports a citation, and answers state a step plainly.
ACTED_ON = SHOWN_CERTAIN = 0.95
# An heir that keeps a smaller share of the words is too different to say that a citation means it. Readers found
# 17 of 27 stale citations right without it, all 21 with it.
SAME_SUBJECT = 0.5
# What may happen to a subrule, as a history counts it; the classes of changed words are among them.
SUBRULE_SORTS = (
    *("new", "moved_in", "parts", "substantive", "merged", "moved_out", "gone", "uncertain"),
    *("sweep", "citation_only", "typographic", "moved_only"),
)
# Characters that no text holds, since splitting lines removes them: before and behind the marker of an
# example, and before a mark in place of unknown words, which all bodies with these words have.
_EXAMPLE, _MARKER_END, UNKNOWN_WORDS = "\x1e", "\x1f", "\x1d"
# Stands before a headword where numbers stand too, in answers and in the table of verdicts.
_ENTRY = "glossary: "


def wording_of(state: State) -> str:
    """Return the words of a provision and its examples; without any, its heading."""
    return full_text(state.body) or state.heading


def name_of(state: State) -> str:
    """Return a provision's address; for a glossary entry, "glossary: " and its headword."""
    return named("" if state.kind == "glossary" else state.address, state.heading)


def named(number: str | None, headword: str | None) -> str:
    """Return a number, or without one "glossary: " and the headword."""
    return number or f"{_ENTRY}{headword}"


def headword_of(name: str) -> str:
    """Return the headword that such a name holds; "" of a number."""
    return name.removeprefix(_ENTRY) if name.startswith(_ENTRY) else ""


def kinds_of(bits: int) -> list[str]:
    """Return the kinds that bits stand for: of 6, renumbered and reworded."""
    return [kind for place, kind in enumerate(STEP_KINDS) if bits >> place & 1]


def join_body(paragraphs: Iterable[tuple[str, str]]) -> str:
    """Return paragraphs, each a marker ("" of plain text) and its words, as one string."""
    marked = [(mark and f"{_EXAMPLE}{mark}{_MARKER_END}") + text for mark, text in paragraphs]
    return "\n".join(marked)


def split_body(body: str) -> list[tuple[str, str]]:
    """Return the paragraphs that `join_body` joined."""
    parts = body.split("\n") if body and body[0] != UNKNOWN_WORDS else []
    cells = [part.removeprefix(_EXAMPLE).rpartition(_MARKER_END) for part in parts]
    return [(marker, text) for marker, _, text in cells]


def words_or_mark(state: State) -> str:
    """Return heading and words of a provision to compare; of unknown words, what tells which are the same."""
    is_unknown = state.body.startswith(UNKNOWN_WORDS)
    return state.body if is_unknown else f"{state.heading}\n{full_text(state.body)}"


def text_of(body: str) -> str:
    """Return the paragraphs except examples, joined by line feeds."""
    return "\n".join([text for marker, text in split_body(body) if not marker])


def examples_of(body: str) -> list[str]:
    """Return the examples, which are the last paragraphs of `full_text`."""
    return [text for marker, text in split_body(body) if marker]


def full_text(body: str) -> str:
    """Return the text and then the examples, joined by line feeds: what offsets count in."""
    if _EXAMPLE not in body:
        return "" if body.startswith(UNKNOWN_WORDS) else body
    return "\n".join(filter(None, [text_of(body), *examples_of(body)]))
