"""What formats share in reading: bytes to text, markup, packages, and the building of questions."""
