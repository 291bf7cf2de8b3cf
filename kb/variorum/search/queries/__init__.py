"""Queries: parsed, planned, matched and ranked."""
