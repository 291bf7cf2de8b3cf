"""The real editions in order, as states."""

from pathlib import Path

from variorum.build.editions import Text, read_texts, set_facts
from variorum.documents.archive import find
from variorum.errors import DocumentError
from variorum.rows import State

# The labels of the older and the newer edition.
Pair = tuple[str, str]
# By label, the provisions in printed order; equal states are one object.
Editions = dict[str, list[State]]


def load_editions(folder: Path, jobs: int) -> Editions:
    """Read all editions in a folder, and return them by date and issue; an error of a document ends that."""
    known, texts = dict[State, State](), list[Text]()
    for _, outcome in read_texts(find([folder]), jobs):
        if isinstance(outcome, DocumentError):
            raise outcome
        outcome.states = [known.setdefault(state, state) for state in outcome.states]
        texts.append(outcome)
    set_facts(texts)
    return {text.row.label: text.states for text in texts}
