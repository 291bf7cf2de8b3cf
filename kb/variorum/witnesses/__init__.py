"""Other documents than editions: compare them with the editions, and keep what they attest."""
