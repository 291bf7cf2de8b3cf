"""Finds the witnesses of a provision: quotations, announcements, commentary, originals."""

from functools import cached_property
from operator import itemgetter

from msgspec import convert, json, structs

from variorum.history.lineages import Link, Stretch
from variorum.records.document import Announcement, Attestation, Witness, WitnessName
from variorum.rows import ANNOUNCED, COMMENTARY, COPY, ORIGINAL, UNKNOWN
from variorum.store.reader import PassageRow
from variorum.text import listed, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase

# Below this, the confidence of a passage is printed; above, it would be rounded to 100 %.
_WITNESS_CERTAIN = 0.995
_SAID = {COMMENTARY: "discusses it", UNKNOWN: "no such change found"}
# The most runs of editions that are named.
_MOST_RUNS = 3

# Of a passage that has nothing but a verdict.
BARE = convert(
    dict.fromkeys(("number", "headword", "supplied", "stands", "line", "edition", "former"))
    | {name: [] for name in ("editions", "pieces", "claims", "evidence")}
    | {"witness": WitnessName("0" * 64, "", "", "", None), "verdict": "agrees", "words": ""}
    | {"is_part": False, "likeness": 0.0, "confidence": 1.0},
    Attestation,
)


class Witnesses:
    """Answers about the witnesses of an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base

    @cached_property
    def _by_hash(self) -> "list[Witness]":
        rows = self._base.reader.query("SELECT body FROM witness ORDER BY sha256")
        return [json.decode(body, type=Witness) for (body,) in rows]

    def all(self) -> "list[Witness]":
        """Return all witnesses: dated ones first, oldest first, then by hash."""
        return sorted(self._by_hash, key=lambda witness: witness.dated or witness.from_ or "9999")

    def passages_of(self, sha256: str) -> "list[Attestation]":
        """Return the passages of a witness, in printed order."""
        return [row.said for row in self._passages("witness", [sha256]).values()]

    def of(self, life: "Sequence[Stretch]") -> "list[Attestation]":
        """Return what witnesses quote of a provision, announce or say about it, by edition.

        A copy attests nothing. An original attests every provision in which it agrees with its
        edition; such an answer has no words.
        """
        rows = {
            key: row
            for key, row in self._about({stretch.state for stretch in life}).items()
            if row.said.witness.kind != COPY and any(_speaks_of(row, stretch) for stretch in life)
        }
        differing = {(sha256, row.provision) for (sha256, _), row in rows.items()}
        said = [(row.edition or 0, key, row.said) for key, row in rows.items()]
        names = self._base.reader.names_by_id([stretch.state for stretch in life])
        for witness in self._by_hash:
            if witness.kind.startswith(ORIGINAL) and witness.from_:
                place = self._base.labels.index(witness.from_)
                about = {"witness": _name_of(witness), "edition": witness.from_, "likeness": 1.0}
                said += [
                    (
                        place,
                        (witness.sha256, -1),
                        structs.replace(BARE, stands=names[stretch.state], **about),
                    )
                    for stretch in life
                    if stretch.first <= place <= stretch.last
                    and (witness.sha256, stretch.state) not in differing
                ]
        return [attestation for *_, attestation in sorted(said, key=itemgetter(0, 1))]

    def quoted(self, life: "Sequence[Stretch]") -> "list[Attestation]":
        """Return what witnesses quote of a provision or say about it; announcements are in its steps."""
        return [said for said in self.of(life) if said.verdict != ANNOUNCED]

    def announced(self, links: "Iterable[Link]") -> "list[Announcement]":
        """Return what bulletins say about a step."""
        steps = {(link.old, link.new, link.edition) for link in links}
        rows = self._about({end for *ends, _ in steps for end in ends if end is not None})
        announcements = [
            Announcement(**structs.asdict(row.said.witness), words=row.said.words)
            for _, row in sorted(rows.items(), key=itemgetter(0))
            if row.said.verdict == ANNOUNCED and (row.former, row.provision, row.edition) in steps
        ]
        return list(dict.fromkeys(announcements))

    def announcements(self, on: "str | EditionEntry" = "current") -> "list[Attestation]":
        """Return what bulletins announce of an edition, in their order.

        Raises:
            NoEditionError: The designator names no edition.
        """
        rows = self._passages("edition", [self._base.edition(on).place]).values()
        bulletins = {row.said.witness for row in rows if row.said.verdict == ANNOUNCED}
        return [row.said for row in rows if row.said.witness in bulletins]

    def _about(self, states: "Iterable[int]") -> "dict[tuple[str, int], PassageRow]":
        """Return the passages about some states, or about steps into or out of them."""
        ids = sorted(states)
        return self._passages("provision", ids) | self._passages("former", ids)

    def _passages(
        self, column: str, values: "Sequence[int | str]"
    ) -> "dict[tuple[str, int], PassageRow]":
        """Return passages by some values of a column, by the witness's hash and their place in it."""
        wanted = f"SELECT * FROM passage WHERE {column} IN ({{}}) ORDER BY witness, place"  # noqa: S608 - our own column
        return {
            (sha256, place): PassageRow(new, old, edition, json.decode(body, type=Attestation))
            for sha256, place, new, old, edition, body in self._base.reader.query_each(
                wanted, values
            )
        }


def _name_of(witness: Witness) -> WitnessName:
    return WitnessName(*[getattr(witness, name) for name in WitnessName.__struct_fields__])


def _speaks_of(row: PassageRow, stretch: Stretch) -> bool:
    """Return whether a passage is about a stretch's state in its editions, or a step into or out of it."""
    edition = -1 if row.edition is None else row.edition
    if row.said.verdict != ANNOUNCED:
        return row.provision == stretch.state and stretch.first <= edition <= stretch.last
    is_into = row.provision == stretch.state and edition == stretch.first
    return is_into or (row.former == stretch.state and edition == stretch.last + 1)


def verdict_in_words(attestation: "Attestation") -> str:
    """Return the verdict on a passage, the editions that agree, and what the passage is called."""
    verdict, runs = attestation.verdict, attestation.editions
    said = _SAID.get(verdict, verdict)
    if verdict != "differs" and runs:
        shown = [first if first == last else f"{first} to {last}" for first, last in runs]
        said += f": {listed(shown, _MOST_RUNS)}"
    if verdict == COMMENTARY and attestation.confidence < _WITNESS_CERTAIN:
        said += f", {percent(attestation.confidence)} confidence"
    name = attestation.number or attestation.headword or ""
    stands = attestation.stands or attestation.former or ""
    if attestation.supplied:
        return f"{said}, without its {attestation.supplied}"
    return f"{said}, as {name}" if name and not stands.endswith(name) else said


def claims_in_words(attestation: "Attestation") -> list[str]:
    """Return what the editions say of each day that a passage gives for its words."""
    said: list[str] = []
    for claim in attestation.claims:
        since = {"words": claim.words_since, "number": claim.number_since}
        known = [f"{what} since {label}" for what, label in since.items() if label]
        said.append(", ".join([f"[{claim.words}]: {claim.verdict}", *known]))
    return said
