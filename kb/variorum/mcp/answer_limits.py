"""How much an answer without `full` has at most."""

# Items of each kind.
RULES, READINGS, CHANGES, CITATIONS, SOURCES, OTHERS = 20, 12, 25, 50, 3, 6
# Letters of a change, and of a former bearer of a number.
LETTERS, OTHER_LETTERS = 400, 80
# Hits of a search, by default and at most.
HITS, MOST_HITS = 5, 50
