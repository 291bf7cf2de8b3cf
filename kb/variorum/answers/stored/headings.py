"""The headings above provisions, and short names of provisions."""

from functools import cached_property
from sys import intern

from variorum.rows import State, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_HEADED = (
    "SELECT p.address, p.heading, s.first, s.last FROM provision p "
    "JOIN span s ON s.provision = p.id "
    "WHERE p.kind IN ('section', 'rule') AND p.heading <> '' ORDER BY p.address, s.first, p.id"
)
_GIST_WORDS = 7


class StoredHeadings:
    """The headings of sections and rules in all editions."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._reader = base.reader

    def gist(self, state: State, edition: int) -> str:
        """Return a provision in a few words: its heading, or the nearest heading and its start."""
        if state.kind == "glossary" or (state.heading and state.kind != "subrule"):
            return state.heading
        heading = next(iter(self.over(state, edition)), "")
        words = text_of(state.body).split()
        begin = " ".join(words[:_GIST_WORDS]) + ("…" if len(words) > _GIST_WORDS else "")
        # Many editions share these words, so they are kept once.
        return intern(f"{heading}: {begin}" if heading and begin else heading or begin)

    def over(self, state: State, edition: int) -> list[str]:
        """Return the headings at and above a provision, nearest first, without its chapter's.

        Args:
            state: The provision.
            edition: The place of an edition that has it.
        """
        parent = state.parent
        section = parent.partition("#")[0].partition(".")[0]
        above = [self._heading(address, edition) for address in dict.fromkeys((parent, section))]
        return [heading for heading in (state.heading, *above) if heading]

    def keywords(self, section: str) -> list[str]:
        """Return the headings that rules of a section ever had, mostly keywords."""
        start = f"{section}."
        keywords = {
            heading
            for address, each in self._headed.items()
            if address.startswith(start)
            for _, _, heading in each
        }
        return sorted(keywords)

    def _heading(self, address: str, edition: int) -> str:
        for first, last, heading in self._headed.get(address, ()):
            if first <= edition <= last:
                return heading
        return ""

    @cached_property
    def _headed(self) -> dict[str, list[tuple[int, int, str]]]:
        """Return the headings of sections and rules, and their editions, by addresses."""
        headed: dict[str, list[tuple[int, int, str]]] = {}
        for address, heading, first, last in self._reader.query(_HEADED):
            headed.setdefault(address, []).append((first, last, heading))
        return headed
