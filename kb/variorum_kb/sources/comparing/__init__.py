"""Compares a witness with the editions of a base: what it attests, and where it disagrees."""
