"""The Content-Security-Policy of every page: what a browser may load for it."""

# Nothing from other hosts, and no inline scripts or styles.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'"
)
