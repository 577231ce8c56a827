"""What a simulation keeps of itself."""
