"""Background jobs on a durable execution engine."""
