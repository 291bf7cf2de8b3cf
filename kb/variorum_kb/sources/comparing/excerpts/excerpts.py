"""Compares documents that quote rules with the editions: excerpts, fragments, wiki and web pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.quotations.quotation_likeness import Nearest
from variorum_kb.answers.quotations.quotation_search import FEWEST_WORDS, Identifier
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.articles import attest_prose
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.bulletins.change_pages import find_step
from variorum_kb.sources.comparing.excerpts.excerpt_quotes import (
    QUOTED,
    MatchingEditions,
    bearers_of,
    likeliest_of,
    note_left_out,
    quotes_of,
    runs_of,
    span_of,
)
from variorum_kb.sources.comparing.excerpts.passage_words import said_by, set_ruling
from variorum_kb.sources.comparing.excerpts.quote_judge import CheckedQuote, QuoteJudge
from variorum_kb.sources.comparing.excerpts.quoted_provision import QuotedProvision
from variorum_kb.sources.comparing.stated_editions import StatedEditions, find_meant
from variorum_kb.sources.comparing.translations import find_translation
from variorum_kb.sources.reading.passages.passages import Partial, PassageKind
from variorum_kb.sources.reading.refused_documents import other_game
from variorum_kb.text.counts import listed
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds.passages import OWN_GAME
from variorum_kb.thresholds.quotations import PASSAGE_IS

# Shorter texts resemble rules of any game: "Each player draws five cards."
_FEWEST_ALIKE = 10
_MOST_LOOKED_FOR = 60
_MOST_TOLD = 6


def attest_excerpt(base: KnowledgeBase, partial: Partial, file: str) -> Attested:
    """Compare a document that quotes rules with the editions of a base.

    The document can come from any edition with the most exact matches. Each passage is compared
    with the edition that the document names, otherwise with the last edition that it can come from.
    This edition also supplies missing numbers and headwords.

    Raises:
        LayoutError: No edition has any of its quotes.
    """
    return Comparison(base, partial, file).attested()


class Comparison:
    """One document, compared with all editions."""

    def __init__(self, base: KnowledgeBase, partial: Partial, file: str) -> None:
        """Look up all quotes of a document."""
        self._base, self._partial, self._file = base, partial, file
        self._labels = [edition.label for edition in base.editions]
        self.identifier: Identifier = base.identifier()
        self.quotes = quotes_of(partial.passages, self.identifier)
        quotations = self.identifier.find([quote.quoted for quote in self.quotes])
        self._pairs = list(zip(self.quotes, quotations, strict=True))
        self._telling = [pair for pair in self._pairs if pair[0].is_telling]
        self._step = find_step(self.quotes, quotations, len(self._labels))
        self._dated = partial.dated.day if partial.dated else None
        self._near: dict[int, list[Nearest]] = {}
        self._left_out: tuple[str, ...] = ()

    def attested(self) -> Attested:
        """Return what the document attests.

        Raises:
            LayoutError: No edition has any of it.
        """
        translated = find_translation(self._base, self._partial, self.quotes)
        if translated is not None:
            return translated
        self._check_known()
        checked = self._checked()
        judge = QuoteJudge(self.identifier, self._base.editions, self._dated, self._near_to)
        attested = list(map(judge.attest, checked))
        self._left_out = tuple(note_left_out(self.identifier))  # a later search covers its prose
        quoted: dict[int, list[Attestation]] = {}
        for checked_quote, attestation in zip(checked, attested, strict=True):
            quoted.setdefault(id(checked_quote.quote.passages[0]), []).append(attestation)
        passages = tuple(self._in_order(quoted))
        matched, ties = self.span.matched, self.span.ties
        if self._step is not None:
            ties = (self._step.before, self._step.after)
        if self._step is not None or not ties:
            matched = [attestation.verdict for attestation in attested].count(PassageVerdict.AGREES)
        return replace(
            said_by(self._partial, ties),
            matched=matched,
            of=self.span.of,
            evidence=(self._partial.evidence, *self._evidence(attested)),
            passages=passages,
        )

    # Which editions -------------------------------------------------------------------------------

    @cached_property
    def span(self) -> MatchingEditions:
        """Return the editions that the document can come from."""
        quotations = [quotation for _, quotation in self._telling]
        span = span_of(quotations, len(self._labels))
        return likeliest_of(span, quotations, self.identifier)

    def _near_to(self, place: int) -> list[Nearest]:
        if place not in self._near:
            is_too_much = len(self._near) >= _MOST_LOOKED_FOR
            quoted = self.quotes[place].quoted
            self._near[place] = [] if is_too_much else self.identifier.nearest_anywhere(quoted)
        return self._near[place]

    def _check_known(self) -> None:
        """Check that the document quotes rules of this game.

        Raises:
            LayoutError: It quotes none.
        """
        wordy = [
            (place, quotation)
            for place, (quote, quotation) in enumerate(self._pairs)
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
            quotation.states and quotation.quoted.number for _, quotation in self._telling[1:]
        ):
            return  # headings only
        if not wordy:
            raise LayoutError("it quotes no words of rules", self._file)
        named = other_game(self._head())
        if named:
            raise LayoutError(f"the rules of another game: {named}", self._file)
        standing = f"{known} of {len(wordy)} passages stand" if known else "nothing of it stands"
        notes = list(note_left_out(self.identifier))
        if len(self._near) > _MOST_LOOKED_FOR:
            exact = len(self._near) - _MOST_LOOKED_FOR
            notes.insert(0, f"{exact:,} passages were looked for word for word alone")
        left_out = "".join([f"; {note}" for note in notes])
        raise LayoutError(
            f"{self._partial.layout.value} of other rules: {standing} in any edition{left_out}",
            self._file,
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
        """Return the editions that each statement about editions means."""
        words = {self._words_of(quote) for quote in self.quotes} - {""}
        return {stated: find_meant(self._base, stated) for stated in sorted(words)}

    @cached_property
    def _has_own_words(self) -> bool:
        return any(passage.edition for quote in self.quotes for passage in quote.passages)

    def _words_of(self, quote: QuotedProvision) -> str:
        """Return the words that name the edition of a passage, else of the page."""
        if self._has_own_words:
            return quote.passages[0].edition
        return self._partial.edition.words if self._partial.edition else ""

    @cached_property
    def _targets(self) -> Mapping[str, int | None]:
        """Return the editions to compare passages with, by the words that name them."""
        nearest = self._home(self.span.ties)
        targets: dict[str, int | None] = {"": nearest}
        for words, meant in self._meant.items():
            here = [
                quotation for quote, quotation in self._telling if self._words_of(quote) == words
            ]
            counts = {
                place: sum(quotation.editions >> place & 1 for quotation in here)
                for place in meant.places
            }
            most = max(counts.values(), default=0)
            places = [place for place in meant.places if counts[place] == most]
            own = self._home(span_of(here, len(self._labels)).ties)
            targets[words] = places[-1] if places else nearest if own is None else own
        return targets

    def _home(self, ties: Sequence[int]) -> int | None:
        """Return the edition of a document: the edition in force on its day, else the last."""
        editions, dated = self._base.editions, self._dated
        known = [place for place in ties if dated and editions[place].effective <= dated]
        return next(reversed(known or list(ties)), None)

    def _target_of(self, place: int) -> int | None:
        """Return the edition to compare a quote with."""
        if self._step is not None:
            return self._step.sides[place]
        return self._targets[self._words_of(self.quotes[place])]

    def _checked(self) -> list[CheckedQuote]:
        targets = [self._target_of(place) for place in range(len(self._pairs))]
        bearers: dict[int, int | None] = {}
        for target in dict.fromkeys(targets):
            places = [place for place, edition in enumerate(targets) if edition == target]
            if target is not None:
                some = [self._pairs[place] for place in places]
                known = bearers_of(self.identifier, [quotation for _, quotation in some], target)
                known = self._with_headings([quote for quote, _ in some], known, target)
                bearers |= zip(places, known, strict=True)
        return [
            CheckedQuote(place, quote, quotation, targets[place], bearers.get(place))
            for place, (quote, quotation) in enumerate(self._pairs)
        ]

    def _with_headings(
        self, quotes: Sequence[QuotedProvision], bearers: list[int | None], edition: int
    ) -> list[int | None]:
        """Find headings without numbers just before or after known provisions."""
        order = self.identifier.order(edition)
        states = {place: state for state, place in order.items()}
        completed = list(bearers)
        for here in reversed(range(len(completed))):
            quote = quotes[here]
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
        """Return the attestations of prose, by the identity of the paragraph."""
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
        yield from self._left_out

    def _about_next(self) -> Iterator[str]:
        """Report how the next best edition differs."""
        span = self.span
        behind = [place for place in span.counts if place not in span.ties]
        if not (span.agrees and behind):
            return
        place = behind[0]
        missing = [
            quote.quoted.number or quote.quoted.heading or "a text without a number"
            for quote, quotation in self._telling
            if not quotation.editions >> place & 1
        ]
        names = listed(missing, _MOST_TOLD)
        yield f"next best is {self._labels[place]} with {span.counts[place]}: not {names}"

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
        """Report that the words are later than the day that the page states."""
        first = next((self._base.editions[place] for place in self.span.ties), None)
        if first is not None and self._dated and first.effective > self._dated:
            yield f"it says it is of {self._dated}, but its words are not older than {first.label}"
