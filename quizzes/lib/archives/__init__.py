"""Reading archives that anybody may have made: their limits, and tar.gz. Pure."""
