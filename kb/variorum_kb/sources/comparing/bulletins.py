"""A bulletin, held against the editions: which step it announces, and whether that was taken."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.rows import BULLETIN_LAYOUT, name_of
from variorum_kb.sources.comparing.announcement_judge import judge
from variorum_kb.sources.comparing.attestation import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.step_into_edition import AnnouncedStep
from variorum_kb.sources.reading.bulletin_head import find_month
from variorum_kb.sources.reading.bulletins import Bulletin
from variorum_kb.text.keys import fold_key
from variorum_kb.thresholds import ANNOUNCED_ANYWHERE, ANNOUNCED_NEAR, ANNOUNCED_SURELY

_EARLIER, _LATER = timedelta(days=30), timedelta(days=130)
_REACH = timedelta(days=730)
_MOST_STEPS = 3
# Of fewer announcements another step may confirm as many.
_FEWEST_SURE = 10
_FEWEST_CONFIRMED, _FEWEST_ELSEWHERE = 2, 3


@dataclass(frozen=True, slots=True)
class _Tried:
    """A step that a bulletin may announce, and how its announcements fit, each by itself."""

    step: AnnouncedStep
    judged: tuple[tuple[Attestation, ...], ...]

    @property
    def passages(self) -> tuple[Attestation, ...]:
        return tuple([one for said in self.judged for one in said])

    def count(self, verdict: PassageVerdict) -> int:
        return sum(one.verdict is verdict for said in self.judged for one in said)

    @property
    def confirmed(self) -> int:
        return self.count(PassageVerdict.CONFIRMED)

    @property
    def contradicted(self) -> int:
        return self.count(PassageVerdict.CONTRADICTED)

    def fits(self, share: float) -> bool:
        """Say whether at least a share of the announcements can be of this step."""
        judged = self.confirmed + self.contradicted
        few = self.confirmed < min(_FEWEST_CONFIRMED, len(self.passages))
        return not few and self.confirmed > share * judged


def attest_bulletin(base: KnowledgeBase, bulletin: Bulletin, file: str) -> Attested:
    """Return what the editions say to each announcement of a bulletin.

    The step it announces is the one that its announcements fit best, of those near its own day if
    it names one and one of them fits.

    Args:
        base: Whose editions are compared.
        bulletin: As it was read.
        file: Its name, for messages.

    Raises:
        LayoutError: None of its announcements fits the step into any edition.
    """
    day = _day(bulletin)
    last = date.max
    if day is not None:
        last = latest_of(day, [one.effective for one in base.editions])
    chosen = [one for one in base.editions if one.is_chosen and one.effective <= last]
    pairs = list(itertools.pairwise(chosen))
    tried = _try(base, _near(pairs, bulletin), bulletin)
    fitting = [one for one in tried if one.fits(ANNOUNCED_NEAR)]
    if not fitting:
        places = {one.step.after.place for one in tried}
        others = [pair for pair in pairs if pair[1].place not in places]
        tried += _try(base, _likely(base, others, bulletin), bulletin)
        fitting = [one for one in tried if one.fits(ANNOUNCED_ANYWHERE)]
    best = max(fitting, key=_rank, default=None)
    if best is None:
        raise LayoutError(
            "a bulletin, but its announcements fit no step between two editions", file
        )
    beside = [] if best.fits(ANNOUNCED_SURELY) else _beside(pairs, best)
    known = {one.step.after.place: one for one in tried}
    missing = [pair for pair in beside if pair[1].place not in known]
    known |= {one.step.after.place: one for one in _try(base, missing, bulletin)}
    found = _with_others(best, [known[pair[1].place] for pair in beside])
    return _attested(bulletin, found, [one for one in tried if one is not best])


def latest_of(day: date, days: Iterable[date]) -> date:
    """Return the last day of those editions that a bulletin of some day can speak of.

    Args:
        day: Of the bulletin.
        days: Of all editions; the next one counts, however much later it came.
    """
    following = min([one for one in days if one >= day], default=day)
    return max(day + _REACH, following)


def _rank(tried: _Tried) -> tuple[int, int]:
    return tried.confirmed - tried.contradicted, -tried.step.after.place


_Pair = tuple[EditionEntry, EditionEntry]


def _try(base: KnowledgeBase, pairs: Iterable[_Pair], bulletin: Bulletin) -> list[_Tried]:
    """Try steps, the likeliest first, until one fits so well that no other can fit better."""
    found: list[_Tried] = []
    for before, after in pairs:
        step = AnnouncedStep(base, before, after)
        found.append(_Tried(step, judge(step, bulletin.announcements)))
        if found[-1].confirmed >= _FEWEST_SURE and found[-1].fits(ANNOUNCED_SURELY):
            break
    return found


def _beside(pairs: Sequence[_Pair], best: _Tried) -> list[_Pair]:
    """Return the step before the best one and the one after it, if they are not far."""
    places = [pair[1].place for pair in pairs]
    here = places.index(best.step.after.place)
    day = best.step.after.effective
    return [
        pairs[place]
        for place in (here - 1, here + 1)
        if 0 <= place < len(pairs) and abs(pairs[place][1].effective - day) <= _LATER
    ]


def _with_others(best: _Tried, others: Sequence[_Tried]) -> _Tried:
    """Take from other steps what they confirm and the best does not, if that is several things.

    A bulletin tells all that changed since the last one, and there may be an edition between.
    """
    judged = best.judged
    for other in others:
        better = {
            place
            for place, (one, two) in enumerate(zip(judged, other.judged, strict=True))
            if not _confirms(one) and _confirms(two)
        }
        doubtful = sum(not _confirms(one) for one in judged)
        if len(better) >= max(_FEWEST_ELSEWHERE, doubtful // 3):
            pairs = enumerate(zip(judged, other.judged, strict=True))
            judged = tuple([two if place in better else one for place, (one, two) in pairs])
    return _Tried(best.step, judged)


def _confirms(said: Sequence[Attestation]) -> bool:
    return all(one.verdict is PassageVerdict.CONFIRMED for one in said)


def _near(pairs: Sequence[_Pair], bulletin: Bulletin) -> list[_Pair]:
    """Return the steps into editions near the day or month, and the sets, that a bulletin names."""
    day = _day(bulletin)
    if day is None:
        sets = set(bulletin.matter.sets)
        return [pair for pair in pairs if pair[1].set_name in sets][:_MOST_STEPS]
    around = [p for p in pairs if day - _EARLIER <= p[1].effective <= day + _LATER]
    # Where the edition announced is missing, the next one has its changes.
    following = [pair for pair in pairs if pair[1].effective >= day][:1]
    near = {pair[1].place: pair for pair in (*around, *following)}
    ordered = sorted(near.values(), key=lambda pair: abs((pair[1].effective - day).days))
    return ordered[:_MOST_STEPS]


def _day(bulletin: Bulletin) -> date | None:
    dated = bulletin.matter.dated
    return None if dated is None else dated.day or find_month(dated.words)


def _likely(base: KnowledgeBase, pairs: Sequence[_Pair], bulletin: Bulletin) -> list[_Pair]:
    """Return the steps at which most of the announced numbers began or ceased to be what they were.

    An edition that renumbers everything has no advantage: what counts is the share of all its
    changes that are announced.
    """
    wanted = {
        fold_key(name) if one.is_term else name
        for one in bulletin.announcements
        for name in one.names
    }
    spans = base.whole.spans
    begins: dict[int, set[str]] = defaultdict(set)
    changes: Counter[int] = Counter()
    for number, state in base.whole.states.items():
        name = fold_key(state.heading) if state.kind == "glossary" else name_of(state)
        for first, _ in spans.get(number, ()):
            changes[first] += 1
            if name in wanted:
                begins[first].add(name)
    ranked = sorted(
        pairs,
        key=lambda pair: (
            -_weight(len(begins[pair[1].place]), changes[pair[1].place]),
            pair[1].place,
        ),
    )
    return ranked[:_MOST_STEPS]


def _weight(announced: int, changed: int) -> float:
    return announced * announced / (changed + announced + 50)


def _attested(bulletin: Bulletin, best: _Tried, tried: Sequence[_Tried]) -> Attested:
    matter = bulletin.matter
    places = {best.step.after.place, *(one.edition for one in best.passages if one.edition)}
    day = matter.dated.day if matter.dated else None
    return Attested(
        layout=BULLETIN_LAYOUT,
        title=matter.title,
        author=matter.author,
        source=matter.source,
        stated=", ".join(matter.sets) or matter.effective,
        dated=day.isoformat() if day else "",
        first=min(places),
        last=max(places),
        matched=best.confirmed,
        of=len(best.passages),
        evidence=tuple(_evidence(bulletin, best, tried)),
        passages=best.passages,
    )


def _evidence(bulletin: Bulletin, best: _Tried, tried: Sequence[_Tried]) -> list[str]:
    step, matter = best.step, bulletin.matter
    lines = [
        f"{len(bulletin.announcements)} announcements below {bulletin.entries} numbers or headwords",
        f"it announces the step from {step.before.label} to {step.after.label}",
        f"{best.confirmed} of {len(best.passages)} confirmed, {best.contradicted} contradicted",
    ]
    elsewhere = sum(one.edition != step.after.place for one in best.passages)
    if elsewhere:
        lines.append(f"{elsewhere} of them by the step before or after")
    if matter.dated is not None:
        lines.append(f"dated by its words: {matter.dated.words}")
    if step.after.set_name and step.after.set_name in matter.sets:
        lines.append(f"it names the set {step.after.set_name}")
    lines += [
        f"less likely: {one.step.before.label} to {one.step.after.label}, "
        f"{one.confirmed} confirmed, {one.contradicted} contradicted"
        for one in sorted(tried, key=_rank, reverse=True)
    ]
    return lines
