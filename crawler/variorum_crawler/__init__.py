"""Find published editions, fetch them, and build in those that can be trusted."""
