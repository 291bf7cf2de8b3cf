"""Rules and files that somebody watches, and what new editions changed in them."""
