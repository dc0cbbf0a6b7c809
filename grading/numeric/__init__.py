"""What the kinds share whose answer is a number: how it is read, compared, marked and written."""
