"""Documents that are no editions: recognised, read, and compared with the editions."""
