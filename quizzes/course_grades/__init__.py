"""Grades of a course: categories of quizzes with weights, and each learner's total (ADR 43)."""
