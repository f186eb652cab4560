"""Motion commands: one class each, stepped once per control period."""
