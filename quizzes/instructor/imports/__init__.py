"""Pages that bring files into banks, and those that pair a bank's questions across languages."""
