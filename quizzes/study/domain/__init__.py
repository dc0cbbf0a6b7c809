"""What a log of reviews comes to, which card is next, when a day begins: pure (ADR 51)."""
