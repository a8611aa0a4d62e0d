"""The only input and output: databases, objects, model endpoints, the system."""
