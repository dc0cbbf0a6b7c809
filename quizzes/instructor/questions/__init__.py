"""Writing questions: one page for every kind, laid out by the schema of the kind."""
