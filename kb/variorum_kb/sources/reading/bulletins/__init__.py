"""Reads bulletins and what they announce."""
