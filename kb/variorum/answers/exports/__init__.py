"""Writes whole editions and tables for other programs."""
