"""Answers that a person marks: criteria with levels, marks by them, and how words are counted."""
