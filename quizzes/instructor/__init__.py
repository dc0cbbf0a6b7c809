"""The pages of those who teach: writing questions, building quizzes, grading, results."""
