"""Grading by hand: the queue, the answers to one question, one answer with its rubric."""
