"""Thresholds of misspelt words: which word, headword, command or set may be meant."""

MISSPELT = 0.72
"""Likeness. The least likeness of an unknown word to one that may be meant. By hand."""
MISSPELT_TERM = 0.6
"""Likeness. The least likeness, as `difflib` measures it, of an unknown headword to one that is
suggested. By hand."""
MISSPELT_COMMAND = 0.75
"""Likeness. The least likeness of a word to a command that may be meant. By hand."""
SET_NAME = 0.88
"""Likeness. A name at least this similar to a set's is that set's, misspelt. By hand, on the seeds and
1,350 made-up documents of 95 forms; docs/witnesses.md."""
SET_NAME_AHEAD = 0.06
"""Likeness. It must also lead the next set's name by this much. By hand, as above."""
