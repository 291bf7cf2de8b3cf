"""The words of an index, in all their forms."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from variorum.words import family_of, stem_of

_FILE = "words.json"
# A word is common if it has this share of the occurrences of the most frequent word.
_COMMON = 0.33


class Lexicon:
    """The words of an index by their stems."""

    def __init__(
        self,
        stems: Mapping[str, Mapping[str, int]],
        terms: Collection[str],
        families: Mapping[str, Sequence[str]],
    ) -> None:
        """Store words.

        Args:
            stems: The words of each stem, with their numbers of occurrences.
            terms: The stems in headings and headwords.
            families: The stems of words derived from one word, by their common part.
        """
        self._stems = stems
        self._terms = frozenset(terms)
        self._families = families

    @classmethod
    def of(cls, counts: Mapping[str, int], titles: Iterable[str] = ()) -> "Lexicon":
        """Return the lexicon of words with their counts.

        Args:
            counts: The number of occurrences of each word.
            titles: The words of headings and headwords.
        """
        stems: dict[str, dict[str, int]] = {}
        for word in sorted(counts):
            stems.setdefault(stem_of(word), {})[word] = counts[word]
        families: dict[str, list[str]] = {}
        for stem in stems:
            family = family_of(stem)
            if family:
                families.setdefault(family, []).append(stem)
        return cls(stems, {stem_of(word) for word in titles}, families)

    @classmethod
    def load(cls, folder: Path) -> "Lexicon":
        """Load a lexicon that `save` has written."""
        return cls(*json.loads((folder / _FILE).read_text("utf-8")))

    def save(self, folder: Path) -> None:
        """Write the lexicon into a folder."""
        parts = [self._stems, sorted(self._terms), self._families]
        (folder / _FILE).write_text(json.dumps(parts, ensure_ascii=False), "utf-8")

    def all_counts(self, word: str) -> int:
        """Return how often a word occurs, in any form."""
        return sum(self._stems.get(stem_of(word), {}).values())

    def is_term(self, word: str) -> bool:
        """Return whether a word is in a heading or headword, in any form."""
        return stem_of(word) in self._terms

    def is_common(self, word: str) -> bool:
        """Return whether a word is so common that it hardly distinguishes texts."""
        return self.all_counts(word) > self._common

    @cached_property
    def _common(self) -> float:
        return _COMMON * max((max(forms.values()) for forms in self._stems.values()), default=0)

    def forms(self, word: str) -> list[str]:
        """Return the forms of a word that occur in the texts."""
        return list(self._stems.get(stem_of(word), ()))

    def relatives(self, word: str) -> list[str]:
        """Return words derived from the same word: regenerate, regeneration."""
        stem = stem_of(word)
        family = family_of(stem) or stem
        stems = {family, *self._families.get(family, ())} - {stem}
        return [form for relative in sorted(stems) for form in self._stems.get(relative, ())]

    def beginning(self, letters: str) -> list[str]:
        """Return the words that begin with some letters."""
        return [
            word for forms in self._stems.values() for word in forms if word.startswith(letters)
        ]

    @cached_property
    def counts(self) -> dict[str, int]:
        """Return how often each form of a word occurs."""
        return {form: count for forms in self._stems.values() for form, count in forms.items()}
