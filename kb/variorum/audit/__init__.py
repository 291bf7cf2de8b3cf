"""Finds and judges citations of rules in files, and rewrites outdated ones."""
