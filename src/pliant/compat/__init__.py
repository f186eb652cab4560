"""Other programs' dialects: config file, lines and telemetry of the force-control demo."""
