"""From the store to what a person asks: the one source of answers."""
