"""Dates citations: by git, by records, or by the edition that fits best."""
