"""Practice: one question after the other, checked at once; nothing of it enters a grade."""
