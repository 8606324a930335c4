"""Published numbers from data/, and parsers of reports and of a user's own output."""
