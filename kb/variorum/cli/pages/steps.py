"""The words shown for kinds of steps and classes of changes; JSON has other values for some."""

from variorum.model import STEP_CERTAIN
from variorum.rows import SHOWN_CERTAIN, headword_of
from variorum.text import fold_title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from variorum.answers.diff import Change
    from variorum.records.lineage import Step

REMOVED = "removed"
_GONE, _RENUMBERED, _KEPT = "gone", "renumbered", "kept"

# The words for classes of changes that leave a rule as it is.
CLASSES = {
    "sweep": "(wording changed throughout)",
    "citation-only": "(only cites new numbers)",
    "typographic": "(typographic)",
}


def step_words(kinds: "Iterable[str]", old: "str | None", new: "str | None") -> list[str]:
    """Return the words for the kinds of a step.

    Args:
        kinds: Values of rows.STEP_KINDS.
        old: The number in the older edition, or "glossary: " and a headword; None if it is new.
        new: The number of the main heir, likewise; None if the provision was removed.

    >>> step_words(["renumbered", "reworded"], "600.4a", "800.4a"), step_words(["gone"], "511", None)
    (['renumbered', 'reworded'], ['removed'])
    >>> step_words(["renumbered"], "glossary: In-Play Zone", "glossary: Battlefield")
    ['renamed']
    >>> step_words(["renumbered"], "glossary: Bushido", "glossary: “Bushido”")
    ['(typographic)']
    """
    words = {_GONE: REMOVED, _RENUMBERED: _moved(headword_of(old or ""), headword_of(new or ""))}
    return [words.get(kind, kind) for kind in kinds]


def with_doubt(words: str, step: "Change | Step") -> str:
    """Return words about a step with its doubt before them, unless they call it uncertain."""
    return words if "uncertain" in step.kinds else f"{doubt_of(step)} {words}".lstrip()


def doubt_of(step: "Change | Step") -> str:
    """Return "probably" for a step that is likely but not certain, "perhaps" below even chances, or ""."""
    if step.confidence >= SHOWN_CERTAIN:
        return ""
    return "probably" if step.confidence >= STEP_CERTAIN else "perhaps"


def _moved(old: str, new: str) -> str:
    """Return the word for a change of number or headword."""
    if not (old and new):
        return "moved" if old or new else _RENUMBERED
    return "(typographic)" if fold_title(old) == fold_title(new) else "renamed"
