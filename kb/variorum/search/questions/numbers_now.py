"""Converts the numbers in the fitted weights to another edition."""

from collections.abc import Mapping

from variorum.answers.crosswalk import crosswalk_rows
from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.search.questions.weights import QuestionWeights, fitted_weights


def numbers_now(base: KnowledgeBase, former: str, edition: EditionEntry) -> dict[str, str]:
    """Return the present numbers of a former edition's rules; "" for a removed rule.

    If the base lacks the former edition, all numbers stay.
    """
    if former not in base.labels or former == edition.label:
        return {}
    rows = crosswalk_rows(base, former, edition)
    now = {row.old: (row.new or [""])[0] for row in rows if row.old}
    return {old: new for old, new in now.items() if old != new}


def weights_in(base: KnowledgeBase, edition: EditionEntry) -> QuestionWeights:
    """Return the fitted weights with the numbers of an edition, without removed rules."""
    fitted = fitted_weights()
    now = numbers_now(base, fitted.edition, edition)

    def renamed(values: Mapping[str, float]) -> dict[str, float]:
        return {now.get(old, old): value for old, value in values.items() if now.get(old, old)}

    def cells(sign: str) -> str:
        spoken = [(now.get(old, old), weight) for old, weight in fitted.spoken_for(sign)]
        return " ".join([f"{number}:{weight:g}" for number, weight in spoken if number])

    return QuestionWeights(
        edition.label,
        fitted.features,
        renamed(fitted.rules),
        fitted.sections,
        renamed(fitted.subrules),
        {sign: cells(sign) for sign in fitted.signs},
    )
