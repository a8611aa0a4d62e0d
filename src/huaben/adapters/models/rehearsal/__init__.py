"""The embedded model that performs a shipped story, so that the program runs with no connection."""
