"""A text with gaps: each gap is a small question of a family of its own, with its own points."""
