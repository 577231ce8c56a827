"""Bodies: their mass and inertia, and how they turn."""
