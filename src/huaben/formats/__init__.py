"""Bytes of community files to domain values and back; pure."""
