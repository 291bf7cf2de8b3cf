"""The chance that a step is right."""
