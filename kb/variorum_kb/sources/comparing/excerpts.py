"""Compares documents that quote rules with the editions: excerpts, fragments, wiki and web pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.quotation_likeness import Nearest
from variorum_kb.answers.quotation_search import FEWEST_WORDS, FoundQuotation, Identifier
from variorum_kb.errors import LayoutError
from variorum_kb.rows import full_text
from variorum_kb.sources.comparing.articles import attest_prose
from variorum_kb.sources.comparing.attestation import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.change_pages import find_step
from variorum_kb.sources.comparing.excerpt_quotes import (
    QUOTED,
    MatchingEditions,
    bearers_of,
    likeliest_of,
    quotes_of,
    runs_of,
    runs_of_bits,
    span_of,
    supplied_by,
)
from variorum_kb.sources.comparing.passage_words import pieces_of, said_by, set_quote, set_ruling
from variorum_kb.sources.comparing.quoted_provision import QuotedProvision
from variorum_kb.sources.comparing.stated_editions import StatedEditions, find_meant
from variorum_kb.sources.comparing.translations import find_translation
from variorum_kb.sources.reading.other_documents import other_game
from variorum_kb.sources.reading.passages import Partial, PassageKind
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds import OWN_GAME, PASSAGE_IS, PASSAGE_IS_IN_PLACE

# Shorter texts resemble rules of any game: "Each player draws five cards."
_FEWEST_ALIKE = 10
_MOST_LOOKED_FOR = 60
_MOST_TOLD = 6
_MOST_WORDS = 10
_TOO_FEW = "too few words to look for"


def attest_excerpt(base: KnowledgeBase, partial: Partial, file: str) -> Attested:
    """Compare a document that quotes rules with the editions of a base.

    The document may come from any of the editions with the most exact matches. If it names the
    edition it quotes, each passage is verified against that one, otherwise against the last edition
    it may come from. That edition also supplies numbers and headwords that are not printed.

    Raises:
        LayoutError: It quotes nothing found in any edition.
    """
    return Comparison(base, partial, file).attested()


@dataclass(frozen=True, slots=True)
class _CheckedQuote:
    """A quote and the provision it is compared with.

    Attributes:
        quote: What is quoted.
        found: The states that hold it word for word.
        target: The place of the edition it is verified against; None without one.
        bearer: The state of that edition with these words; None without one.
    """

    quote: QuotedProvision
    found: FoundQuotation
    target: int | None
    bearer: int | None


class Comparison:
    """One document, compared with all editions."""

    def __init__(self, base: KnowledgeBase, partial: Partial, file: str) -> None:
        """Look up everything that a document quotes."""
        self._base, self._partial, self._file = base, partial, file
        self._labels = [edition.label for edition in base.editions]
        self.identifier: Identifier = base.identifier()
        self.quotes = quotes_of(partial.passages, self.identifier)
        self._all_found = self.identifier.find([quote.quoted for quote in self.quotes])
        telling = [
            quotation
            for quote, quotation in zip(self.quotes, self._all_found, strict=True)
            if quote.is_telling
        ]
        self._telling = telling
        self._step = find_step(self.quotes, self._all_found, len(self._labels))
        self._near: dict[int, list[Nearest]] = {}

    def attested(self) -> Attested:
        """Return what the document attests.

        Raises:
            LayoutError: Nothing in it is found in any edition.
        """
        translated = find_translation(self._base, self._partial, self.quotes)
        if translated is not None:
            return translated
        self._check_known()
        checked = self._checked()
        attested = [
            self._attest(place, checked_quote) for place, checked_quote in enumerate(checked)
        ]
        quoted: dict[int, list[Attestation]] = {}
        for checked_quote, attestation in zip(checked, attested, strict=True):
            quoted.setdefault(id(checked_quote.quote.passages[0]), []).append(attestation)
        passages = tuple(self._in_order(quoted))
        matched, ties = self.span.matched, self.span.ties
        if self._step is not None:
            ties = (self._step.before, self._step.after)
        if self._step is not None or not ties:
            matched = sum(
                [attestation.verdict is PassageVerdict.AGREES for attestation in attested]
            )
        return replace(
            said_by(self._partial),
            first=ties[0] if ties else None,
            last=ties[-1] if ties else None,
            matched=matched,
            of=self.span.of,
            evidence=(self._partial.evidence, *self._evidence(attested)),
            passages=passages,
        )

    # Which editions -------------------------------------------------------------------------------

    @cached_property
    def span(self) -> MatchingEditions:
        """Return the editions that the document can come from."""
        span = span_of(self._telling, len(self._labels))
        return likeliest_of(span, self._telling, self.identifier)

    def _near_to(self, place: int) -> list[Nearest]:
        if place not in self._near:
            is_too_much = len(self._near) >= _MOST_LOOKED_FOR
            quoted = self.quotes[place].quoted
            self._near[place] = [] if is_too_much else self.identifier.nearest_anywhere(quoted)
        return self._near[place]

    def _check_known(self) -> None:
        """Check that the document quotes rules of this game.

        Raises:
            LayoutError: It does not.
        """
        wordy = [
            (place, quotation)
            for place, (quote, quotation) in enumerate(
                zip(self.quotes, self._all_found, strict=True)
            )
            if len(quote.quoted.words.split()) >= FEWEST_WORDS and not quote.is_aside
        ]
        known = sum(bool(quotation.states) for _, quotation in wordy)
        least = max(1.0, OWN_GAME * len(wordy))
        for place, quotation in wordy:
            if known >= least:
                return
            is_long = len(quotation.quoted.words.split()) >= _FEWEST_ALIKE
            near = self._near_to(place) if is_long and not quotation.states else []
            known += any(nearest.likeness >= PASSAGE_IS for nearest in near)
        if known >= least:
            return
        if not wordy and any(
            quotation.states and quotation.quoted.number for quotation in self._telling[1:]
        ):
            return  # headings, and nothing below them
        if not wordy:
            raise LayoutError("it quotes no words of rules", self._file)
        named = other_game(self._head())
        if named:
            raise LayoutError(f"the rules of another game: {named}", self._file)
        standing = f"{known} of {len(wordy)} passages stand" if known else "nothing of it stands"
        raise LayoutError(
            f"{self._partial.layout.value} of other rules: {standing} in any edition", self._file
        )

    def _head(self) -> list[str]:
        """Return the beginning of the document: its title, headlines and headings."""
        lines = [(furniture.line, furniture.text) for furniture in self._partial.furniture]
        lines += [
            (passage.first, passage.heading or passage.text) for passage in self._partial.passages
        ]
        return [self._partial.title, *[text for _, text in sorted(lines)]]

    @cached_property
    def _meant(self) -> Mapping[str, StatedEditions]:
        """Return the editions meant by each statement that names editions."""
        words = {self._words_of(quote) for quote in self.quotes} - {""}
        return {stated: find_meant(self._base, stated) for stated in sorted(words)}

    @cached_property
    def _has_own_words(self) -> bool:
        return any(passage.edition for quote in self.quotes for passage in quote.passages)

    def _words_of(self, quote: QuotedProvision) -> str:
        """Return the words that name the edition of a passage; those of the page apply to all."""
        if self._has_own_words:
            return quote.passages[0].edition
        return self._partial.edition.words if self._partial.edition else ""

    @cached_property
    def _targets(self) -> Mapping[str, int | None]:
        """Return the edition to verify passages against, by the words that name it."""
        nearest = self._home(self.span.ties)
        targets: dict[str, int | None] = {"": nearest}
        for words, meant in self._meant.items():
            here = [
                quotation
                for quote, quotation in zip(self.quotes, self._all_found, strict=True)
                if self._words_of(quote) == words and quote.is_telling
            ]
            counts = [
                sum(quotation.editions >> place & 1 for quotation in here) for place in meant.places
            ]
            best = max(counts, default=0)
            places = [
                place for place, count in zip(meant.places, counts, strict=True) if count == best
            ]
            own = self._home(span_of(here, len(self._labels)).ties)
            targets[words] = places[-1] if places else nearest if own is None else own
        return targets

    def _home(self, ties: Sequence[int]) -> int | None:
        """Return the edition of a document: the one in force on its day, else the last."""
        dated = self._partial.dated.day if self._partial.dated else None
        days = [self._base.editions[place].effective for place in ties]
        known = [place for place, day in zip(ties, days, strict=True) if dated and day <= dated]
        return next(reversed(known or list(ties)), None)

    def _target_of(self, place: int) -> int | None:
        """Return the edition to verify a quote against."""
        if self._step is not None:
            return self._step.sides[place]
        return self._targets[self._words_of(self.quotes[place])]

    def _checked(self) -> list[_CheckedQuote]:
        checked: dict[int, _CheckedQuote] = {}
        pairs = list(enumerate(zip(self.quotes, self._all_found, strict=True)))
        targets = [self._target_of(place) for place in range(len(pairs))]
        for target in dict.fromkeys(targets):
            some = [
                (place, quote, quotation)
                for place, (quote, quotation) in pairs
                if targets[place] == target
            ]
            bearers: list[int | None] = [None] * len(some)
            if target is not None:
                bearers = bearers_of(self.identifier, [quotation for *_, quotation in some], target)
                bearers = self._with_headings(some, bearers, target)
            for (place, quote, quotation), bearer in zip(some, bearers, strict=True):
                checked[place] = _CheckedQuote(quote, quotation, target, bearer)
        return [checked[place] for place in sorted(checked)]

    def _with_headings(
        self,
        some: Sequence[tuple[int, QuotedProvision, FoundQuotation]],
        bearers: list[int | None],
        edition: int,
    ) -> list[int | None]:
        """Find headings that lost their numbers just before or after known provisions."""
        order = self.identifier.order(edition)
        states = {place: state for state, place in order.items()}
        completed = list(bearers)
        for here in reversed(range(len(completed))):
            quote = some[here][1]
            if completed[here] is not None or quote.is_telling:
                continue
            behind = completed[here + 1] if here + 1 < len(completed) else None
            before = bearers[here - 1] if here else None
            near = [] if behind is None else [order[behind] - 1]
            near += [] if before is None else [order[before] + 1]
            wanted = fold_words(quote.quoted.text)
            like = [states[place] for place in near if place in states]
            completed[here] = next(
                (state for state in like if fold_words(self.identifier.heading(state)) == wanted),
                None,
            )
        return completed

    # Passages -------------------------------------------------------------------------------------

    def _attest(self, place: int, checked: _CheckedQuote) -> Attestation:
        if checked.bearer is not None and checked.target is not None:
            return self._agrees(checked, checked.bearer, checked.target)
        if not checked.quote.is_telling:
            why = "stands among rules, like none of them" if checked.quote.is_aside else _TOO_FEW
            return set_quote(checked.quote, PassageVerdict.UNKNOWN, why)
        near = None
        if checked.target is not None:
            near = self.identifier.nearest(checked.quote.quoted, checked.target)
        if near is not None and checked.target is not None and near.likeness >= PASSAGE_IS:
            return self._differs(checked, near, checked.target)
        candidates = [Nearest(state, 1.0) for state in checked.found.states] or self._near_to(place)
        best = next(
            (candidate for candidate in candidates if candidate.likeness >= PASSAGE_IS), None
        )
        if best is None and near is not None and self._is_in_place(checked, near):
            best = near
        if best is None:
            return set_quote(
                checked.quote, PassageVerdict.UNKNOWN, "nothing like it in any edition"
            )
        editions = self.identifier.editions(best.state)
        if checked.target is not None and editions >> checked.target & 1:
            return self._differs(checked, best, checked.target)
        return self._elsewhere(checked, best, editions)

    def _is_in_place(self, checked: _CheckedQuote, near: Nearest) -> bool:
        """Say whether a weak match has the provision's number or headword."""
        quoted, state = checked.quote.quoted, self.identifier.state(near.state)
        is_named = bool(quoted.number) and quoted.number == state.number
        is_headed = bool(quoted.heading) and fold_words(quoted.heading) == fold_words(state.heading)
        return (is_named or is_headed) and near.likeness >= PASSAGE_IS_IN_PLACE

    def _agrees(self, checked: _CheckedQuote, state: int, edition: int) -> Attestation:
        alike = [
            bearer for bearer in checked.found.states if bearer in self.identifier.order(edition)
        ]
        supplied = supplied_by(self.identifier, checked.quote.quoted, state)
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
        """Report that the words quoted are later than the day stated on the page."""
        dated = self._partial.dated.day if self._partial.dated else None
        editions = self.identifier.editions(state)
        first = (editions & -editions).bit_length() - 1
        if dated is not None and self._base.editions[first].effective > dated:
            yield f"it says it is of {dated}: too early, its words stand since {self._labels[first]}"

    def _goes_on(self, checked: _CheckedQuote, state: int) -> bool:
        """Say whether a numbered rule in the middle of a document is quoted only in part."""
        quoted = checked.quote.quoted
        is_within = bool(quoted.number) and quoted.is_cut_after and not quoted.is_last
        return is_within and len(fold_words(quoted.words)) < len(self.identifier.words(state))

    def _differs(self, checked: _CheckedQuote, near: Nearest, edition: int) -> Attestation:
        quoted, state = checked.quote.quoted, self.identifier.state(near.state)
        supplied = supplied_by(self.identifier, quoted, near.state)
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

    def _elsewhere(self, checked: _CheckedQuote, near: Nearest, editions: int) -> Attestation:
        """Return a passage missing from the document's edition, with the editions it may come from."""
        runs = runs_of_bits(checked.found.editions or editions, self._labels)
        exactly = "word for word" if checked.found.states else "most like it"
        lacks = (
            f"{self._labels[checked.target]} has nothing like it; "
            if checked.target is not None
            else ""
        )
        where = f"{lacks}{exactly} in {runs}: {self._name(near.state)}"
        return set_quote(checked.quote, PassageVerdict.DIFFERS, where)

    def _why(
        self, checked: _CheckedQuote, state: int, edition: int, supplied: str
    ) -> Iterator[str]:
        """Yield further evidence on a passage whose words differ from an edition."""
        label, number = self._labels[edition], self.identifier.state(state).number
        yield f"{label} says otherwise"
        if supplied:
            yield f"{supplied} supplied by {label}: {self._name(state)}"
        elif checked.quote.quoted.number and number != checked.quote.quoted.number:
            yield f"its words stand there as {self._name(state)}"
        if checked.found.editions:
            yield f"agrees with {runs_of_bits(checked.found.editions, self._labels)}"

    def _name(self, state: int) -> str:
        provision = self.identifier.state(state)
        return provision.heading if provision.kind == "glossary" else provision.address

    def _in_order(self, quoted: Mapping[int, Sequence[Attestation]]) -> Iterator[Attestation]:
        """Yield all passages in printed order, prose among them."""
        prose = self._prose()
        for passage in self._partial.passages:
            if passage.kind is PassageKind.PROSE:
                yield from prose[id(passage)]
            elif passage.kind not in QUOTED:
                yield set_ruling(passage)
            elif id(passage) in quoted:
                yield from quoted[id(passage)]

    def _prose(self) -> Mapping[int, list[Attestation]]:
        """Return what the paragraphs of prose discuss, by the identity of each."""
        prose = list(self._partial.of(PassageKind.PROSE))
        edition = next(
            (target for words, target in self._targets.items() if words), self._targets[""]
        )
        # Use places instead of lines, since a whole page may be on one line.
        numbered = [replace(passage, first=place) for place, passage in enumerate(prose)]
        attested: dict[int, list[Attestation]] = {id(passage): [] for passage in prose}
        for attestation in attest_prose(self._base, numbered, edition, self._partial.title):
            passage = prose[attestation.line]
            attested[id(passage)].append(replace(attestation, line=passage.first))
        return attested

    # Why ------------------------------------------------------------------------------------------

    def _evidence(self, quoted: Sequence[Attestation]) -> Iterator[str]:
        span, labels = self.span, self._labels
        if self._step is not None:
            step = f"{labels[self._step.before]} to {labels[self._step.after]}"
            yield f"numbers stand twice, in the words before and after the step from {step}"
        elif span.matched:
            when = runs_of(span.ties, labels)
            only = " and in no other" if span.agrees else ", in no other more"
            yield f"{span.matched} of {span.of} provisions stand word for word in {when}{only}"
        elif span.ties:
            when = runs_of(span.ties, labels)
            yield f"none of {span.of} provisions stands anywhere word for word; most like {when}"
        elif span.of:
            yield "too little of it is like any edition to tell which one it is from"
        yield from self._about_next()
        for words, meant in self._meant.items():
            yield meant.evidence
            yield from self._about_stated(words, meant, quoted)
        yield from self._about_day()

    def _about_next(self) -> Iterator[str]:
        """Report how the next best edition differs."""
        span = self.span
        behind = [place for place in span.counts if place not in span.ties]
        if not (span.agrees and behind):
            return
        place = behind[0]
        missing = [
            quote.quoted.number or quote.quoted.heading or "a text without a number"
            for quote, quotation in zip(self.quotes, self._all_found, strict=True)
            if quote.is_telling and not quotation.editions >> place & 1
        ]
        more = f" and {len(missing) - _MOST_TOLD} more" if len(missing) > _MOST_TOLD else ""
        listed = ", ".join(missing[:_MOST_TOLD])
        yield f"next best is {self._labels[place]} with {span.counts[place]}: not {listed}{more}"

    def _about_stated(
        self, words: str, meant: StatedEditions, quoted: Sequence[Attestation]
    ) -> Iterator[str]:
        target = self._targets[words]
        if target is None:
            return
        label = self._labels[target]
        if not meant.places:
            yield f"so it is compared with the nearest by words, {label}"
            return
        verdicts = [
            attestation.verdict
            for quote, attestation in zip(self.quotes, quoted, strict=True)
            if self._words_of(quote) == words and quote.is_telling
        ]
        agreeing = verdicts.count(PassageVerdict.AGREES)
        yield f"{agreeing} of {len(verdicts)} provisions agree with {label}"

    def _about_day(self) -> Iterator[str]:
        """Report that the words are later than the date the page gives itself."""
        dated = self._partial.dated.day if self._partial.dated else None
        if dated and self.span.ties and self._base.editions[self.span.ties[0]].effective > dated:
            first = self._labels[self.span.ties[0]]
            yield f"it says it is of {dated}, but its words are not older than {first}"


def _short(words: str) -> str:
    some = words.split()
    more = " …" if len(some) > _MOST_WORDS else ""
    return f"{' '.join(some[:_MOST_WORDS])}{more}"
