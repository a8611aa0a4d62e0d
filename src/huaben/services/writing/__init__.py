"""Writing projects: what a user and a model do with a manuscript; apart from the play of turns."""
