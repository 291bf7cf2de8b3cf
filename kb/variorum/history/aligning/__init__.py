"""Aligns the provisions of two editions, and finds splits and merges."""
