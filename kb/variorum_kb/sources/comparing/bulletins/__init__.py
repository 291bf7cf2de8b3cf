"""Checks what bulletins announce against the editions."""
