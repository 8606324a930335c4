"""Real systems that the labs drive; used by labs/ alone."""
