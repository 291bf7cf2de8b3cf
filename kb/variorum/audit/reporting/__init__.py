"""Findings, their messages, the baseline and SARIF."""
