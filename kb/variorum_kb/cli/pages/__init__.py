"""How answers are set for a terminal or a pipe."""
