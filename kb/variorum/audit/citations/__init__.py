"""Finds citations in the texts of programs and articles."""
