"""Compares rulings pages and collections with the editions, and checks the days they claim."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.quotations.quotation_search import places_of
from variorum_kb.answers.subject import Subject
from variorum_kb.errors import LayoutError
from variorum_kb.history.word_diffs.diff import word_diff
from variorum_kb.model import Kind
from variorum_kb.rows import named
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.excerpts.claim_judge import Calendar, PastTurns, Turn, check
from variorum_kb.sources.comparing.excerpts.passage_words import said_by
from variorum_kb.sources.comparing.rulings.rulings_passages import (
    RulingsBearer,
    claims_of,
    compared,
    plain_attestation,
    rounded_likeness,
    ruling_attestation,
)
from variorum_kb.sources.comparing.rulings.rulings_quotes import (
    RulingsQuote,
    find_quotes,
    find_span,
)
from variorum_kb.sources.reading.passages.passages import (
    Claim,
    Partial,
    Passage,
    PassageKind,
    SourceLayout,
)
from variorum_kb.sources.reading.rulings import names_rules
from variorum_kb.text.folding import fold_words
from variorum_kb.text.likeness import likeness
from variorum_kb.thresholds.prose import NOTE_BELOW
from variorum_kb.thresholds.quotations import PASSAGE_IS, PASSAGE_IS_IN_PLACE

# At most this many rules are searched for by likeness under other numbers.
_MOST_LIKE = 30


def attest_rulings(base: KnowledgeBase, partial: Partial, file: str) -> Attested:
    """Compare a rulings page or collection with the editions of a base.

    The days of last change that the page claims for a rule's paragraphs are checked. A ruling is
    attached to the rule that it names. A collection with its own numbers attests no rule.

    Raises:
        LayoutError: It quotes rules, but no edition has any of them.
    """
    if partial.layout is SourceLayout.RULINGS_COLLECTION:
        return _collection(partial)
    return _Page(base, partial, file).attested()


def _collection(partial: Partial) -> Attested:
    days = [claim.day for passage in partial.passages for claim in passage.claims if claim.day]
    latest = (f"the latest day that it names is {max(days)}",) if days else ()
    return replace(
        said_by(partial),
        evidence=(partial.evidence, "it numbers its own rulings; none names a rule", *latest),
        passages=tuple([ruling_attestation(passage) for passage in partial.passages]),
    )


@dataclass(frozen=True, slots=True)
class _CheckedClaim:
    """A claim and the verdict of the editions on it.

    Attributes:
        claim: The claim, as printed.
        verdict: The verdict.
        line: The words that it is about, and the reason.
    """

    claim: Claim
    verdict: PassageVerdict
    line: str


class _Page:
    """A page of rulings and the editions it is compared with."""

    def __init__(self, base: KnowledgeBase, partial: Partial, file: str) -> None:
        self._base, self._partial, self._file = base, partial, file
        self._identifier = base.identifier()
        self._labels = [edition.label for edition in base.editions]
        self._calendar = Calendar([edition.effective for edition in base.editions], self._labels)
        self._tries = _MOST_LIKE
        self._by_number: dict[int, dict[str, Subject]] = {}
        quotes = find_quotes(self._identifier, partial.passages)
        self._quoted = {id(quote.passage): quote for quote in quotes}
        self._span = find_span(quotes, self._calendar, self._day())
        self._home = self._span.places[-1] if self._span.places else None
        self._ground = self._likeliest()

    def attested(self) -> Attested:
        """Return what the page attests."""
        passages = tuple([self._passage(passage) for passage in self._partial.passages])
        rules = [
            attestation for attestation in passages if attestation.kind == PassageKind.RULE.value
        ]
        if rules and all(rule.provision is None for rule in rules):
            raise LayoutError("nothing of it stands in any edition", self._file)
        return replace(
            said_by(self._partial, self._span.places),
            matched=self._span.matched,
            of=len(self._quoted),
            evidence=(self._partial.evidence, *self._span.evidence),
            passages=passages,
        )

    # When it is from -----------------------------------------------------------------------------

    def _day(self) -> date | None:
        """Return the day that the page states."""
        stated = (self._partial.edition, self._partial.dated)
        return next((statement.day for statement in stated if statement and statement.day), None)

    def _likeliest(self) -> int | None:
        """Return the edition to compare with rules that no edition has exactly.

        It is the edition in force on the day of the page. Without a day, it is the first candidate
        that is not older than the latest claimed day.
        """
        day = self._day()
        if day is not None:
            return self._calendar.in_force(day)
        claims = [claim for passage in self._partial.passages for claim in passage.claims]
        latest = max([claim.day for claim in claims if claim.day], default=None)
        if latest is None:
            return self._home
        known = [place for place in self._span.places if self._calendar.day(place) >= latest]
        return known[0] if known else self._calendar.in_force(latest)

    # Passages ------------------------------------------------------------------------------------

    def _passage(self, passage: Passage) -> Attestation:
        quote = self._quoted.get(id(passage))
        if quote is None:
            return self._about(passage)
        bearer = self._bearer(quote)
        if passage.kind is PassageKind.HEADING:
            return self._heading(passage, bearer)
        if bearer is None:
            return replace(
                plain_attestation(passage), evidence=("no edition looked at has anything like it",)
            )
        return self._claimed(compared(passage, bearer), passage, bearer.match)

    def _bearer(self, quote: RulingsQuote) -> RulingsBearer | None:
        """Return the provision with the quoted words, else the most similar provision."""
        if quote.states:
            (_, place), state = min(
                (self._nearest(candidate), candidate) for candidate in quote.states
            )
            quoted = self._base.subjects.at(state, place)
            return RulingsBearer(quoted, 1.0, is_named=not quote.other, is_cut=quote.is_cut)
        match = self._named(quote.passage.number, self._ground)
        if match is not None:
            words = fold_words(quote.passage.text)
            ratio = likeness(words, fold_words(match.text or match.heading))
            if ratio >= PASSAGE_IS_IN_PLACE:
                return RulingsBearer(match, ratio)
        return self._most_like(quote)

    def _most_like(self, quote: RulingsQuote) -> RulingsBearer | None:
        """Return the most similar provision under another number."""
        if self._ground is None or not self._tries:
            return None
        self._tries -= 1
        nearest = self._identifier.nearest(quote.near.quoted, self._ground)
        if nearest is None or nearest.likeness < PASSAGE_IS:
            return None
        match = self._base.subjects.at(nearest.state, self._ground)
        if match.kind == Kind.GLOSSARY.value:
            return None
        return RulingsBearer(match, nearest.likeness, is_named=False)

    def _nearest(self, state: int) -> tuple[int, int]:
        """Return the distance and the place of the nearest edition that has a state.

        Older editions count as nearer, since a page cannot quote newer editions.
        """
        places = list(places_of(self._identifier.editions(state)))
        count = len(self._labels)
        home = count if self._home is None else self._home
        return min(
            [(home - place if place <= home else place - home + count, place) for place in places]
        )

    def _named(self, number: str, place: int | None) -> Subject | None:
        """Return the rule with a number in an edition, or the first if it is printed twice."""
        if place is None:
            return None
        if place not in self._by_number:
            rules = [
                provision
                for provision in self._base.provisions(self._base.editions[place])
                if provision.kind != Kind.GLOSSARY.value
            ]
            # A misprinted rule is found by its intended number, unless another rule has this
            # number.
            meant = {rule.meant: rule for rule in rules if rule.meant}
            self._by_number[place] = meant | {rule.number: rule for rule in reversed(rules)}
        return self._by_number[place].get(number)

    def _heading(self, passage: Passage, bearer: RulingsBearer | None) -> Attestation:
        plain = plain_attestation(passage)
        match = bearer.match if bearer else self._named(passage.number, self._ground)
        if match is None:
            missing = f"no edition has this heading as {passage.number}"
            return replace(plain, evidence=(missing,))
        return replace(
            plain,
            verdict=PassageVerdict.AGREES if bearer else PassageVerdict.DIFFERS,
            provision=match.state.id,
            edition=match.edition.place,
            likeness=1.0 if bearer else rounded_likeness(passage.heading, match.heading),
            evidence=(f"{match.edition.label} has {'this' if bearer else 'another'} heading",),
            pieces=() if bearer else tuple(word_diff(match.heading, passage.heading)),
        )

    # Claims --------------------------------------------------------------------------------------

    def _claimed(self, plain: Attestation, passage: Passage, match: Subject) -> Attestation:
        """Check the claimed days of a rule; report a contradicted day, else the latest.

        If the words of the rule differ, only claims about unchanged parts are checked.
        """
        checked = list(self._checked(passage, match))
        if plain.verdict is PassageVerdict.DIFFERS:
            checked = [judged for judged in checked if judged.verdict is not PassageVerdict.UNKNOWN]
        evidence = (*plain.evidence, *[judged.line for judged in checked])
        dated = [
            judged for judged in checked if judged.claim.day and names_rules(judged.claim.source)
        ]
        if plain.verdict is PassageVerdict.DIFFERS or not dated:
            return replace(plain, evidence=evidence)
        wrong = [judged for judged in dated if judged.verdict is PassageVerdict.CONTRADICTED]
        telling = wrong[0] if wrong else max(dated, key=lambda judged: judged.claim.day or date.min)
        return replace(
            plain,
            verdict=telling.verdict,
            claimed=str(telling.claim.day),
            source=telling.claim.source,
            evidence=evidence,
        )

    def _checked(self, passage: Passage, match: Subject) -> Iterator[_CheckedClaim]:
        """Yield the verdict on each claim of a rule."""
        turns = self._turns(match) if passage.claims else ()
        for name, words, claim in claims_of(passage):
            if not names_rules(claim.source):
                verdict, line = PassageVerdict.UNKNOWN, f"{name}{claim.words} names no edition"
            elif claim.day is None:
                verdict, line = PassageVerdict.UNKNOWN, f"{name}{claim.words} names no single day"
            else:
                verdict, why = check(
                    PastTurns(words, turns, passage.number), claim.day, self._calendar
                )
                line = f"{name}{claim.day}: {verdict.value}: {'; '.join(why)}"
            yield _CheckedClaim(claim, verdict, line)

    def _turns(self, match: Subject) -> tuple[Turn, ...]:
        """Return the readings of a provision up to the quoted edition."""
        place_of = {label: place for place, label in enumerate(self._labels)}
        turns: list[Turn] = []
        for reading in match.history(is_alone=True)["readings"]:
            last = place_of[reading["to"]] if reading["to"] else len(self._labels) - 1
            name = named(reading["number"], reading["term"])
            turns.append(Turn(place_of[reading["from"]], last, name, reading["text"]))
        return tuple([turn for turn in turns if turn.first <= match.edition.place])

    # Rulings -------------------------------------------------------------------------------------

    def _about(self, passage: Passage) -> Attestation:
        """Attach a ruling to the rule that it names or stands below."""
        plain = ruling_attestation(passage)
        number = passage.about or passage.under
        match = self._named(number, self._then(passage))
        if match is None:
            missing = (f"no {number} in the edition that the page is from",) if number else ()
            return replace(plain, evidence=(*plain.evidence, *missing))
        names = "it names" if passage.about else "it stands below"
        return replace(
            plain,
            provision=match.state.id,
            edition=match.edition.place,
            confidence=1.0 if passage.about else NOTE_BELOW,
            evidence=(*plain.evidence, f"{names} {number}, as {match.edition.label} has it"),
        )

    def _then(self, ruling: Passage) -> int | None:
        """Return the edition that a ruling is about: the page's, else the edition of its day."""
        if self._home is not None:
            return self._home
        day = ruling.changed.day if ruling.changed else None
        return self._calendar.in_force(day) if day else self._ground
