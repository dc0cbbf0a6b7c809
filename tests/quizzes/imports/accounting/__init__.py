"""Tests of `quizzes.imports.accounting`."""
