"""The result of comparing a witness with the editions of a base."""

from dataclasses import dataclass
from enum import Enum

from variorum_kb.history.word_diffs.diff import Piece


class PassageVerdict(Enum):
    """The verdict of the editions on a passage; the values are the words we show.

    Attributes:
        AGREES: It quotes a provision word for word.
        DIFFERS: It resembles a provision, with other words.
        BY_WORDS: Its words were new in the edition of the claimed day; see `claim_judge.py`.
        BY_NUMBER: Only its number was new in that edition.
        CONFIRMED: The announced change was made; see `announcement_judge.py`.
        CONTRADICTED: The claimed or announced edition made no change or another change.
        UNKNOWN: The editions neither confirm nor contradict it.
        RULING: It is a ruling on a provision, not a quotation.
        COMMENTARY: It is prose that discusses a provision.
    """

    AGREES = "agrees"
    DIFFERS = "differs"
    BY_WORDS = "confirmed (words)"
    BY_NUMBER = "confirmed (number)"
    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    UNKNOWN = "unknown"
    RULING = "ruling"
    COMMENTARY = "commentary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attestation:
    """A passage of a witness and the verdict of the editions on it.

    Attributes:
        kind: A value of `PassageKind`, "announcement" in a bulletin, or a kind of provision in a
            complete witness.
        verdict: The verdict of the editions.
        number: As the witness prints it; "" if it prints none, see `supplied`.
        headword: The headword of a definition or ruling, as printed; "" if there is none.
        words: For a quoted rule or a ruling, all its words, with line feeds before examples. For
            prose or an announcement, a short quotation from it.
        line: The number of its first line in the document, from 1; 0 if the document has no lines.
        provision: The id of the state that it attests or discusses; None if there is none. For an
            announcement, the new state or, without one, the removed state.
        former: For an announcement, the id of the former state; else None.
        edition: The place of an edition that has the provision: for a quotation, the last edition
            that it can come from; for an announcement, the edition that made the change.
        becomes: For an announcement, the new number as printed; else "".
        claimed: The day that the witness names for this passage, ISO; "" if none.
        source: The source that the witness names for this passage: "CompRules", "Mirage, Page 29";
            "" if none.
        supplied: "number" or "headword" if the witness does not print it but an edition supplied
            it.
        likeness: The likeness of its words to the provision's, from 0 to 1; 1 if they are the same.
        confidence: The chance that it means this provision, from 0 to 1.
        reason: For an announcement, its reason; "" if there is none.
        evidence: The evidence in our words, a line each.
        pieces: The word diff from the provision's words to these; empty if they agree.
    """

    kind: str
    verdict: PassageVerdict
    number: str = ""
    headword: str = ""
    words: str = ""
    line: int = 0
    provision: int | None = None
    former: int | None = None
    edition: int | None = None
    becomes: str = ""
    claimed: str = ""
    source: str = ""
    supplied: str = ""
    likeness: float = 0.0
    confidence: float = 1.0
    reason: str = ""
    evidence: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attested:
    """A witness, compared with all editions of a base.

    Attributes:
        layout: Its layout, in the words we show: a value of `SourceLayout`, "bulletin", or
            "original in docx" and the like.
        title: As printed; "" if none.
        author: As printed; "" if none.
        source: The source that it states; "" if it states none.
        stated: The edition that it claims to quote, in its own words; "" if none.
        dated: The day on which it says it was written, ISO; "" if none.
        first: The place of the first edition that it can come from; None if no edition fits.
        last: The place of the last edition that it can come from; None if no edition fits.
        matched: The number of its passages that these editions have word for word.
        of: The number of passages that were looked for.
        evidence: The evidence for its kind and its date, in our words, a line each.
        passages: The passages, in printed order.
    """

    layout: str
    title: str = ""
    author: str = ""
    source: str = ""
    stated: str = ""
    dated: str = ""
    first: int | None = None
    last: int | None = None
    matched: int = 0
    of: int = 0
    evidence: tuple[str, ...] = ()
    passages: tuple[Attestation, ...] = ()
