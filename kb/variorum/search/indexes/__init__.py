"""The search indexes: built, stored, read."""
