"""Citations: found in any text, and resolved in the edition that prints them; pure."""
