"""Study: cards that are asked again when they are about to be forgotten (FSRS-6, ADR 51)."""
