"""The plan that is kept beside a story: its state, its notes, what may be shown of it to whom; pure."""
