"""The result of comparing a witness with the editions of a base."""

from dataclasses import dataclass
from enum import Enum

from variorum_kb.history.diff import Piece


class PassageVerdict(Enum):
    """The verdict of the editions on a passage; the values are the words we show.

    Attributes:
        AGREES: It quotes a provision word for word.
        DIFFERS: It resembles a provision, with other words.
        BY_WORDS: Its words are new in the edition of the claimed day; see `claim_judge.py`.
        BY_NUMBER: Only its number is new in that edition.
        CONFIRMED: The announced change was made; see `announcement_judge.py`.
        CONTRADICTED: Another change or none was made in the edition of the claimed day
            (`claim_judge.py`) or in the one announced (`announcement_judge.py`).
        UNKNOWN: The editions cannot tell.
        RULING: It is not a quotation but a ruling on a provision.
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
        verdict: What the editions say.
        number: As the witness prints it; "" where it prints none, and then `supplied` may say more.
        headword: The headword of a definition or ruling, as printed; an empty string if there is
            none.
        words: Of quoted rules and rulings all of them, examples behind line feeds; of prose and
            announcements a short quotation.
        line: The number of its first line in the document, from 1; 0 where lines mean nothing.
        provision: The id of the state that it attests or discusses; None if there is none. For an
            announcement: the new state, or the removed one if there is no new one.
        former: For an announcement, the id of the former state; else None.
        edition: The place of an edition that has the provision: for a quotation the last that it
            can come from, for an announcement the one that made the change.
        becomes: For an announcement, the new number as printed; else "".
        claimed: The day that the witness itself names for this passage, ISO; "" if none.
        source: The source that the witness names for it: "CompRules", "Mirage, Page 29"; ""
            if it names none.
        supplied: "number" or "headword" where the witness prints none and an edition supplied it.
        likeness: The likeness of its words and the provision's, from 0 to 1; 1 if they say the same.
        confidence: The chance that the provision is the one meant, from 0 to 1.
        reason: For an announcement, its reason; an empty string if there is none.
        evidence: In our words, a line each.
        pieces: The word diff from the provision's words to these; empty where they agree.
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
        layout: How it is set, in the words we show: a value of `SourceLayout`,
            "bulletin", or "original in docx" and the like.
        title: As printed; "" if none.
        author: As printed; "" if none.
        source: Where it says it comes from; "" if it does not say.
        stated: The edition that it says it quotes, in its own words; "" if none.
        dated: The day that it says it was written, ISO; "" if it does not say.
        first: The place of the first edition that it can come from; None where none fits.
        last: The same of the last one.
        matched: How many of its passages these editions have word for word.
        of: How many passages were looked for.
        evidence: Why it is what it is, and why it is dated so, in our words, a line each.
        passages: In printed order.
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
