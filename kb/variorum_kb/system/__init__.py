"""What the machine gives: whole files, locks, processes, and where the base lies."""
