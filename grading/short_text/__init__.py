"""What the kinds share whose answer is a short text: how it is folded, matched and marked."""
