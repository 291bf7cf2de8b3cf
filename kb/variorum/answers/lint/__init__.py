"""Finds the errors of editions: citations, numbering, misprints."""
