"""Other documents than editions: read them, compare them with the editions, and keep what they attest."""
