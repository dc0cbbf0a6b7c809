"""Empty: its tests are in tests/architecture. The folder goes when nothing asks for it."""
