"""The Content-Security-Policy of every page: what a browser may load for it."""

# Nothing from other hosts, and no inline scripts or styles.
POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'"
