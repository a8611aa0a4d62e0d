"""The HTTP face: routes, streams, the page."""
