"""The page on which a quiz is composed: its sections, questions and draws, in their order."""
