"""Thresholds of misspelt words: which word, headword or command may be meant."""

MISSPELT = 0.72
"""Likeness. The least likeness of an unknown word to one that may be meant. By hand."""
MISSPELT_TERM = 0.6
"""Likeness. The least likeness, as `difflib` measures it, of an unknown headword to one that is
suggested. By hand."""
MISSPELT_COMMAND = 0.75
"""Likeness. The least likeness of a word to a command that may be meant. By hand."""
