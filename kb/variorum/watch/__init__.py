"""Watches rules and files, and reports what new editions changed in them."""
