"""Tables of facts as data."""
