"""How answers are formatted for a terminal or a pipe."""
