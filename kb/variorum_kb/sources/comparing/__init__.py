"""Compares a witness with the editions of a base: finds what it attests and where it differs."""
