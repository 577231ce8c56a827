"""Scene files: TOML text, checked, and the world and settings that it says."""
