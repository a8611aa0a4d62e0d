"""Huaben (话本): interactive fiction and long fiction, where the prose is an artifact."""

__version__ = "0.1.0"
