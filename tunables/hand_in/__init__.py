"""What students hand in: the files of a learning platform, and the texts that the pages make."""
