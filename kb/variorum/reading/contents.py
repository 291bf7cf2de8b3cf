"""Compare the headings with the contents page, the document's own list of its parts."""

from collections.abc import Iterable, Sequence

from variorum.errors import TruncatedError
from variorum.model import Irregular, Irregularity, Kind
from variorum.reading.document_parts import CHAPTER_LINE, SECTION_LINE
from variorum.reading.provisions import ProvisionDraft
from variorum.reading.unwrap import Block

# No known edition's contents name a section that is not there; a cut document lacks many.
_MOST_MISSING = 2


def compare_contents(
    drafts: Sequence[ProvisionDraft], contents: Sequence[Block], file: str
) -> Iterable[Irregularity]:
    """Record headings that differ from the contents; return the headings that only the contents have.

    Raises:
        TruncatedError: Many sections that the contents name are missing.
    """
    if not contents:  # 2003-05-26
        return [Irregularity(Irregular.NO_CONTENTS, "", "", "no list of chapters and sections")]
    listed = dict(_listed(contents))
    missing = dict(listed)
    headed = (Kind.CHAPTER, Kind.SECTION)
    for draft in drafts:
        if draft.kind not in headed:
            continue
        number = draft.address.partition("#")[0]
        heading = listed.get(number)
        missing.pop(number, None)
        if heading is None:
            draft.note(Irregular.NOT_IN_CONTENTS, draft.heading, "", "the contents")
        elif heading != draft.heading:
            draft.note(Irregular.HEADING_DIFFERS, draft.heading, "", f"contents: {heading}")
    if len(missing) > _MOST_MISSING:
        raise TruncatedError(
            f"parts are missing: the contents name {len(missing)} chapters and sections that are "
            f"not there, {', '.join(list(missing)[:5])} among them",
            file,
        )
    return [
        Irregularity(Irregular.ONLY_IN_CONTENTS, f"{number}. {heading}", "", "the contents")
        for number, heading in missing.items()
    ]


def _listed(contents: Sequence[Block]) -> Iterable[tuple[str, str]]:
    for block in contents:
        match = SECTION_LINE.fullmatch(block.text) or CHAPTER_LINE.fullmatch(block.text)
        if match is not None:
            yield match["number"], match["heading"]
