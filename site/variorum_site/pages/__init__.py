"""The pages: a module for each kind, which turns a base into the values of a template."""
