"""Compares rulings pages with the editions."""
