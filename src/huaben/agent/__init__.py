"""The turn's loop: a model and tools in, events out."""
