"""Answers the questions of users from a knowledge base, for every interface."""
