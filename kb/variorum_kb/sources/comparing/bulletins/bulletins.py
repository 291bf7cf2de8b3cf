"""Compares a bulletin with the editions: finds the announced step and checks the changes."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.rows import name_of
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.bulletins.announced_days import latest_of
from variorum_kb.sources.comparing.bulletins.announcement_judge import judge
from variorum_kb.sources.comparing.bulletins.step_into_edition import AnnouncedStep
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.text.days import find_month
from variorum_kb.text.keys import fold_key
from variorum_kb.thresholds.passages import ANNOUNCED_ANYWHERE, ANNOUNCED_NEAR, ANNOUNCED_SURELY

_EARLIER, _LATER = timedelta(days=30), timedelta(days=130)
_MOST_STEPS = 3
# With fewer announcements than this, a wrong step may confirm as many as the right step.
_FEWEST_SURE = 10
_FEWEST_CONFIRMED = 2


@dataclass(frozen=True, slots=True)
class _Tried:
    """A step that a bulletin may announce, with the verdict on each announcement."""

    step: AnnouncedStep
    passages: tuple[Attestation, ...]

    @property
    def confirmed(self) -> int:
        return sum(passage.verdict is PassageVerdict.CONFIRMED for passage in self.passages)

    @property
    def contradicted(self) -> int:
        return sum(passage.verdict is PassageVerdict.CONTRADICTED for passage in self.passages)

    def fits(self, share: float) -> bool:
        """Say whether at least this share of the announcements fits the step."""
        judged = self.confirmed + self.contradicted
        few = self.confirmed < min(_FEWEST_CONFIRMED, len(self.passages))
        return not few and self.confirmed > share * judged


def attest_bulletin(base: KnowledgeBase, bulletin: Bulletin, file: str) -> Attested:
    """Return the verdict of the editions on each announcement of a bulletin.

    The bulletin announces the step that its announcements fit best. If it states a day, a fitting
    step near that day goes first.

    Raises:
        LayoutError: None of its announcements fits the step into any edition.
    """
    day = _day(bulletin)
    days = [edition.effective for edition in base.editions]
    last = date.max if day is None else latest_of(day, days)
    chosen = [
        edition for edition in base.editions if edition.is_chosen and edition.effective <= last
    ]
    pairs = list(itertools.pairwise(chosen))
    tried = _try(base, _near(pairs, bulletin), bulletin)
    fitting = [trial for trial in tried if trial.fits(ANNOUNCED_NEAR)]
    if not fitting:
        places = {trial.step.after.place for trial in tried}
        untried = [pair for pair in pairs if pair[1].place not in places]
        tried += _try(base, _likely(base, untried, bulletin), bulletin)
        fitting = [trial for trial in tried if trial.fits(ANNOUNCED_ANYWHERE)]
    best = max(fitting, key=_rank, default=None)
    if best is None:
        raise LayoutError(
            "a bulletin, but its announcements fit no step between two editions", file
        )
    return _attested(bulletin, best, [trial for trial in tried if trial is not best])


def _rank(tried: _Tried) -> tuple[int, int]:
    return tried.confirmed - tried.contradicted, -tried.step.after.place


_Pair = tuple[EditionEntry, EditionEntry]


def _try(base: KnowledgeBase, pairs: Iterable[_Pair], bulletin: Bulletin) -> list[_Tried]:
    """Try steps, likeliest first, until no other step can fit better."""
    tried: list[_Tried] = []
    for before, after in pairs:
        step = AnnouncedStep(base, before, after)
        tried.append(_Tried(step, judge(step, bulletin.announcements)))
        if tried[-1].confirmed >= _FEWEST_SURE and tried[-1].fits(ANNOUNCED_SURELY):
            break
    return tried


def _near(pairs: Sequence[_Pair], bulletin: Bulletin) -> list[_Pair]:
    """Return the steps into editions near the day, month or sets that a bulletin names."""
    day = _day(bulletin)
    if day is None:
        sets = set(bulletin.matter.sets)
        return [pair for pair in pairs if pair[1].set_name in sets][:_MOST_STEPS]
    around = [p for p in pairs if day - _EARLIER <= p[1].effective <= day + _LATER]
    # If the announced edition is missing, the next edition has its changes.
    following = [pair for pair in pairs if pair[1].effective >= day][:1]
    near = {pair[1].place: pair for pair in (*around, *following)}
    ordered = sorted(near.values(), key=lambda pair: abs((pair[1].effective - day).days))
    return ordered[:_MOST_STEPS]


def _day(bulletin: Bulletin) -> date | None:
    dated = bulletin.matter.dated
    return None if dated is None else dated.day or find_month(dated.words)


def _likely(base: KnowledgeBase, pairs: Sequence[_Pair], bulletin: Bulletin) -> list[_Pair]:
    """Return the steps at which most of the announced numbers changed.

    The score of a step is the announced share of its changes, so an edition that renumbers
    everything has no advantage.
    """
    wanted = {
        fold_key(name) if announcement.is_term else name
        for announcement in bulletin.announcements
        for name in announcement.names
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
    place = best.step.after.place
    day = matter.dated.day if matter.dated else None
    return Attested(
        layout="bulletin",
        title=matter.title,
        author=matter.author,
        source=matter.source,
        stated=", ".join(matter.sets) or matter.effective,
        dated=day.isoformat() if day else "",
        first=place,
        last=place,
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
    if matter.dated is not None:
        lines.append(f"dated by its words: {matter.dated.words}")
    if step.after.set_name and step.after.set_name in matter.sets:
        lines.append(f"it names the set {step.after.set_name}")
    lines += [
        f"less likely: {trial.step.before.label} to {trial.step.after.label}, "
        f"{trial.confirmed} confirmed, {trial.contradicted} contradicted"
        for trial in sorted(tried, key=_rank, reverse=True)
    ]
    return lines
