"""Files, locks, processes, git and the terminal: everything that depends on the machine."""
