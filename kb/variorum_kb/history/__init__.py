"""Editions in order → canonical text, alignment, steps, lineages, word diffs, blame."""
