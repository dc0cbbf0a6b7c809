"""Statistics of quizzes and their questions."""
