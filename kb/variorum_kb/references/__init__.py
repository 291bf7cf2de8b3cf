"""Numbers and citations, found in any text; pure."""
