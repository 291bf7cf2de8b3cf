"""The pages: a module for each kind, from a base to what its template shows."""
