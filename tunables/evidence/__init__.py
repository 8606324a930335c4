"""Published numbers from data/, and parsers of reports and of a reader's own output."""
