"""Provisions as they stand in an edition."""

from dataclasses import dataclass

from variorum_kb.answers.editions import EditionEntry
from variorum_kb.answers.lookup import shown_json, unpacked
from variorum_kb.forms.edition import IrregularityJson
from variorum_kb.rows import Row, examples_of, split_body, text_of


@dataclass(frozen=True, slots=True)
class Match:
    """A provision as one edition has it.

    Attributes:
        edition: Which edition.
        state: The provision's row.
    """

    edition: EditionEntry
    state: Row

    @property
    def kind(self) -> str:
        """Return "chapter", "section", "rule", "subrule" or "glossary"."""
        return self.state.kind

    @property
    def number(self) -> str:
        """Return the number as printed; "" of a glossary entry."""
        return self.state.number

    @property
    def address(self) -> str:
        """Return the number, with #1, #2 where it is printed twice; of an entry the headword."""
        return self.state.address

    @property
    def heading(self) -> str:
        """Return its own heading or headword; "" without one."""
        return self.state.heading

    @property
    def text(self) -> str:
        """Return the paragraphs that are no examples, joined by line feeds."""
        return text_of(self.state.body)

    @property
    def examples(self) -> list[str]:
        """Return the examples, without the word "Example:"."""
        return examples_of(self.state.body)

    @property
    def paragraphs(self) -> list[tuple[str, str]]:
        """Return all paragraphs in printed order: ("Example:" or "", words)."""
        return split_body(self.state.body)

    @property
    def parent(self) -> str:
        """Return the address it stands under; "" of chapters and glossary entries."""
        return self.state.parent

    @property
    def meant(self) -> str:
        """Return the number it has by its place, "" where that is the printed one."""
        return self.state.meant

    @property
    def irregularities(self) -> list[IrregularityJson]:
        """Return what is odd about it, as in docs/json.md."""
        found: list[IrregularityJson] = (
            unpacked(self.state.irregularities) if self.state.irregularities else []
        )
        return found

    def as_json(self, children: list[str]) -> dict[str, object]:
        """Return the form of `cr show --json`.

        Args:
            children: The addresses of what stands right below it.
        """
        return shown_json(self.state, self.edition.label, children)
