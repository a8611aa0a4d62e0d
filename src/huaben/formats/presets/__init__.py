"""Presets of other programs in and out."""
