"""Finds rule numbers and citations in any text."""
