"""What became of each line of a file: in a text, in a note, or in the remainder. Pure."""
