"""What notes of Anki are written in beyond HTML, however they were exported. Pure."""

from quizzes.exchange.reading.anki.clozes import Covered, cut, gapped, whole, with_gaps
from quizzes.exchange.reading.anki.fields import spoken, tags, words

__all__ = ["Covered", "cut", "gapped", "spoken", "tags", "whole", "with_gaps", "words"]
