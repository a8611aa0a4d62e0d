"""One adapter per provider dialect, over httpx."""
