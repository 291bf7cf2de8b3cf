"""Finds where editions are published and puts what it fetches into the archive."""
