"""Partial documents and articles become passages, every line accounted for; pure like `reading`."""
