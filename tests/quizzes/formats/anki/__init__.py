"""What notes of Anki are written in."""
