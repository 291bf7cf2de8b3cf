"""Cards that a user has: taken in, found by name in any text, and kept beside a base."""
