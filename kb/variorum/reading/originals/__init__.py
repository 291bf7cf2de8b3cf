"""Reads the lines of originals: Word, RTF and PDF."""
