"""What a chapter is made of: case, ledger, card, validity map, fit, and how they are found."""
