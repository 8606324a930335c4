"""Where each chapter's closed form and its simulation part: one module a map, each defines MAP."""
