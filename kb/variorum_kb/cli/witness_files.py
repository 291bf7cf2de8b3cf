"""The file names of witnesses; a witness without a title is called by its file."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from variorum_kb.answers.knowledge_base import KnowledgeBase
    from variorum_kb.forms.witness import AttestationJson


def file_names(base: "KnowledgeBase") -> dict[str, str]:
    """Return the file names in the archive, by hash."""
    from variorum_kb.build.build import first_sources
    from variorum_kb.errors import ArchiveError

    try:
        return first_sources(base.folder)
    except ArchiveError:
        return {}


def file_names_of(
    base: "KnowledgeBase", attestations: "Sequence[AttestationJson]"
) -> dict[str, str]:
    """Return the names of the files of some witnesses; none if all have titles: that is quicker."""
    is_named = all(attestation["witness"]["title"] for attestation in attestations)
    return {} if is_named else file_names(base)
