"""Building, publishing and retiring quizzes."""
