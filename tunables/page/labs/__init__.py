"""What the labs in the page ask: their laws. A module a lab, of its lab's name; each has a Page."""
