"""The register of question kinds: one line for each kind, and nothing else to change here."""

from collections.abc import Mapping

from grading.contract import Kind
from grading.kinds import (
    cloze,
    essay,
    flashcard,
    matching,
    multiple_choice,
    numeric,
    ordering,
    short_text,
    single_choice,
    true_false,
)

KINDS: Mapping[str, Kind] = {
    "single_choice": single_choice,
    "multiple_choice": multiple_choice,
    "true_false": true_false,
    "short_text": short_text,
    "numeric": numeric,
    "matching": matching,
    "ordering": ordering,
    "cloze": cloze,
    "essay": essay,
    "flashcard": flashcard,
}
