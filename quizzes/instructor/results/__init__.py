"""Attempts and results to read; answers that were typed, to accept."""
