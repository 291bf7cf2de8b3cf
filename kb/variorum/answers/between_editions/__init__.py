"""Answers about two editions: changes, crosswalks, sweeps."""
