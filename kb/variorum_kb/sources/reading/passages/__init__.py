"""Divides shown lines into passages, and accounts for every character."""
