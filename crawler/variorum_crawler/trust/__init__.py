"""Whether a fetched document may be built in: the judge, its quarantine and the editions held."""
