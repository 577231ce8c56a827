"""The discrete contact problem of one instant: data, residuals, files."""
