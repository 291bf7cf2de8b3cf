"""The verdict of the editions on one quoted provision."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.quotations.quotation_likeness import Nearest
from variorum_kb.answers.quotations.quotation_search import FoundQuotation, Identifier
from variorum_kb.rows import full_text
from variorum_kb.sources.comparing.attestation_types import Attestation, PassageVerdict
from variorum_kb.sources.comparing.excerpts.excerpt_quotes import runs_of_bits, supplied_by
from variorum_kb.sources.comparing.excerpts.passage_words import pieces_of, set_quote
from variorum_kb.sources.comparing.excerpts.quoted_provision import QuotedProvision
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds.quotations import PASSAGE_IS, PASSAGE_IS_IN_PLACE

_MOST_WORDS = 10
_TOO_FEW = "too few words to look for"


@dataclass(frozen=True, slots=True)
class CheckedQuote:
    """A quote and the provision it is compared with.

    Attributes:
        place: Its place among the quotes of the document.
        quote: The quoted provision.
        quotation: The states that have it word for word.
        target: The place of the edition it is compared with; None if there is none.
        bearer: The state of that edition with these words; None if there is none.
    """

    place: int
    quote: QuotedProvision
    quotation: FoundQuotation
    target: int | None
    bearer: int | None


class QuoteJudge:
    """Judges the quotes of one document."""

    def __init__(
        self,
        identifier: Identifier,
        editions: Sequence[EditionEntry],
        dated: date | None,
        near_to: Callable[[int], list[Nearest]],
    ) -> None:
        """Prepare for a document of the day `dated`.

        `near_to` returns the states that are most like the quote at a place.
        """
        self._identifier, self._editions, self._dated = identifier, editions, dated
        self._labels = [edition.label for edition in editions]
        self._near_to = near_to

    def attest(self, checked: CheckedQuote) -> Attestation:
        """Return a quote with its verdict and the evidence."""
        if checked.bearer is not None and checked.target is not None:
            return self._agrees(checked, checked.bearer, checked.target)
        if not checked.quote.is_telling:
            why = "stands among rules, like none of them" if checked.quote.is_aside else _TOO_FEW
            return set_quote(checked.quote, PassageVerdict.UNKNOWN, why)
        near = None
        if checked.target is not None:
            near = self._identifier.nearest(checked.quote.quoted, checked.target)
        if near is not None and checked.target is not None and near.likeness >= PASSAGE_IS:
            return self._differs(checked, near, checked.target)
        candidates = [Nearest(state, 1.0) for state in checked.quotation.states] or self._near_to(
            checked.place
        )
        best = next(
            (candidate for candidate in candidates if candidate.likeness >= PASSAGE_IS), None
        )
        if best is None and near is not None and self._is_in_place(checked, near):
            best = near
        if best is None:
            return set_quote(
                checked.quote, PassageVerdict.UNKNOWN, "nothing like it in any edition"
            )
        editions = self._identifier.editions(best.state)
        if checked.target is not None and editions >> checked.target & 1:
            return self._differs(checked, best, checked.target)
        return self._elsewhere(checked, best, editions)

    def _is_in_place(self, checked: CheckedQuote, near: Nearest) -> bool:
        """Say whether a weak match has the provision's number or headword."""
        quoted, state = checked.quote.quoted, self._identifier.state(near.state)
        is_named = bool(quoted.number) and quoted.number == state.number
        is_headed = bool(quoted.heading) and fold_words(quoted.heading) == fold_words(state.heading)
        return (is_named or is_headed) and near.likeness >= PASSAGE_IS_IN_PLACE

    def _agrees(self, checked: CheckedQuote, state: int, edition: int) -> Attestation:
        alike = [
            bearer
            for bearer in checked.quotation.states
            if bearer in self._identifier.order(edition)
        ]
        supplied = supplied_by(self._identifier, checked.quote.quoted, state)
        evidence = list(self._too_early(state))
        if self._goes_on(checked, state):
            evidence.append(f"it breaks off there; {self._labels[edition]} goes on")
        if checked.quote.aside:
            evidence.append(f"what stands behind it is not of it: “{_short(checked.quote.aside)}”")
        if checked.quote.broken_off:
            evidence.append(f"then the document breaks off in “{checked.quote.broken_off}”")
        if supplied:
            evidence.append(f"{supplied} supplied by {self._labels[edition]}: {self._name(state)}")
        if len(alike) > 1:
            evidence.append(f"{len(alike)} provisions say this; told by what stands around it")
        return replace(
            set_quote(checked.quote, PassageVerdict.AGREES, *evidence),
            provision=state,
            edition=edition,
            supplied=supplied,
            likeness=1.0,
            confidence=round(1 / len(alike), 3) if supplied and len(alike) > 1 else 1.0,
        )

    def _too_early(self, state: int) -> Iterator[str]:
        """Report that the quoted words are later than the day stated on the page."""
        editions = self._identifier.editions(state)
        first = (editions & -editions).bit_length() - 1
        if self._dated is not None and self._editions[first].effective > self._dated:
            yield f"it says it is of {self._dated}: too early, its words stand since {self._labels[first]}"

    def _goes_on(self, checked: CheckedQuote, state: int) -> bool:
        """Say whether a document quotes only part of a numbered rule."""
        quoted = checked.quote.quoted
        is_within = bool(quoted.number) and quoted.is_cut_after and not quoted.is_last
        return is_within and len(fold_words(quoted.words)) < len(self._identifier.words(state))

    def _differs(self, checked: CheckedQuote, near: Nearest, edition: int) -> Attestation:
        quoted, state = checked.quote.quoted, self._identifier.state(near.state)
        supplied = supplied_by(self._identifier, quoted, near.state)
        pieces = pieces_of(checked.quote, full_text(state.body), state.heading)
        return replace(
            set_quote(
                checked.quote,
                PassageVerdict.DIFFERS,
                *self._why(checked, near.state, edition, supplied),
            ),
            provision=near.state,
            edition=edition,
            supplied=supplied,
            likeness=round(near.likeness, 3),
            confidence=round(near.likeness, 3),
            pieces=pieces,
        )

    def _elsewhere(self, checked: CheckedQuote, near: Nearest, editions: int) -> Attestation:
        """Return a passage that the document's edition lacks, with editions it may come from."""
        runs = runs_of_bits(checked.quotation.editions or editions, self._labels)
        exactly = "word for word" if checked.quotation.states else "most like it"
        lacks = (
            f"{self._labels[checked.target]} has nothing like it; "
            if checked.target is not None
            else ""
        )
        where = f"{lacks}{exactly} in {runs}: {self._name(near.state)}"
        return set_quote(checked.quote, PassageVerdict.DIFFERS, where)

    def _why(self, checked: CheckedQuote, state: int, edition: int, supplied: str) -> Iterator[str]:
        """Yield further evidence on a passage that differs from an edition."""
        label, number = self._labels[edition], self._identifier.state(state).number
        yield f"{label} says otherwise"
        if supplied:
            yield f"{supplied} supplied by {label}: {self._name(state)}"
        elif checked.quote.quoted.number and number != checked.quote.quoted.number:
            yield f"its words stand there as {self._name(state)}"
        if checked.quotation.editions:
            yield f"agrees with {runs_of_bits(checked.quotation.editions, self._labels)}"

    def _name(self, state: int) -> str:
        provision = self._identifier.state(state)
        return provision.heading if provision.kind == "glossary" else provision.address


def _short(words: str) -> str:
    some = words.split()
    more = " …" if len(some) > _MOST_WORDS else ""
    return f"{' '.join(some[:_MOST_WORDS])}{more}"
