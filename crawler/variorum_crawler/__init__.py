"""Find where editions are published, fetch them, and build in those that can be trusted."""
