"""Packages of Anki."""
