"""What goes with what: reading, showing and marking pairs of a left and a right part."""
