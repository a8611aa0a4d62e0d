"""The background planner: several small calls that read a turn as it opened and keep a plan for later ones."""
