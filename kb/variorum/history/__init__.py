"""Computes canonical text, alignments, steps, lineages, word diffs and blame of editions."""
