"""Use cases, one verb per file; they join ports, prompts and the loop."""
