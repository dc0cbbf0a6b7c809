"""The scoring service: answers in, exact marks out, on the standard library alone."""
