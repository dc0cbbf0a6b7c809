"""Banks of questions: their fields, files and checks."""
