"""Random items of every format: each difference in score is told, however the item was drawn.

`OCHENTA_RANDOM_ITEMS=300 python -m pytest -q tests/quizzes/source_scoring/test_random_items.py`
draws more of each kind, from another beginning with `OCHENTA_RANDOM_FIRST`.
"""

import os
from fractions import Fraction
from random import Random

import pytest

from grading.contract import InvalidAnswer, ItemScore
from grading.kinds import KINDS
from quizzes.document import QuestionDocument
from quizzes.formats import FORMATS
from quizzes.formats.contract import ScoreComparison, SourceItem
from quizzes.formats.document_mapping import build_document
from quizzes.source_scoring import compare_file
from quizzes.source_scoring.comparison import ROUNDING
from tests.quizzes.source_scoring.random_items import DRAWS, RandomItem, Trial

FIRST = int(os.environ.get("OCHENTA_RANDOM_FIRST", "0"))
COUNT = int(os.environ.get("OCHENTA_RANDOM_ITEMS", "30"))


def read_item(item: RandomItem) -> SourceItem:
    parsed_file = FORMATS[item.format].read(item.data, language="en")
    assert parsed_file.errors == ()
    (source_item,) = compare_file(item.data, item.format, parsed_file).items
    return source_item


def score_here(
    source_item: SourceItem, document: QuestionDocument, trial: Trial
) -> Fraction | None:
    """Return what an answer earns here; None of a draft that cannot be scored yet."""
    kind = KINDS[document.kind]
    assert source_item.question is not None
    try:
        answer = kind.parse(document.content, trial.answer(source_item.question))
        assert not isinstance(answer, InvalidAnswer), (answer, trial.label)
        score = kind.score(document.content, document.key, answer, document.scoring_method)
    except (KeyError, ValueError):
        assert source_item.status == "needs_review"
        return None
    assert isinstance(score, ItemScore)
    return score.credit


def list_differences(source_item: SourceItem, item: RandomItem) -> list[str]:
    assert source_item.question is not None
    document = build_document(source_item.question, None, "en")
    return [
        f"{trial.label}: {trial.share} in the file, {here} here"
        for trial in item.trials
        if (here := score_here(source_item, document, trial)) is not None
        and abs(here - trial.share) >= ROUNDING
    ]


def is_explained(comparison: ScoreComparison, differences: list[str]) -> bool:
    """Return whether the item was compared, and what differs is told of."""
    is_same = not (differences or comparison.differences)
    return not comparison.reason and (comparison.is_told or is_same)


@pytest.mark.parametrize("name", DRAWS)
def test_each_difference_in_score_of_a_random_item_is_told(name):
    for number in range(FIRST, FIRST + COUNT):
        item = DRAWS[name](Random(f"{name} {number}"))
        source_item = read_item(item)
        comparison = source_item.comparison
        assert comparison is not None, (number, source_item.notes)
        differences = list_differences(source_item, item)
        assert is_explained(comparison, differences), (
            number,
            [note.code for note in source_item.notes],
            differences[:3] or comparison,
            item.data[-800:],
        )


def test_the_sample_of_random_items_has_answers_of_each_worth():
    for name, draw in DRAWS.items():
        shares = {
            trial.share for number in range(12) for trial in draw(Random(f"{name} {number}")).trials
        }
        assert {0, 1} <= shares, name


def test_a_random_item_that_was_read_wrongly_is_noticed():
    item = DRAWS["moodle_choice"](Random("moodle_choice 3"))
    source_item = read_item(item)
    other = RandomItem(
        item.data,
        item.format,
        tuple(Trial(trial.answer, 1 - trial.share, trial.label) for trial in item.trials),
    )
    assert source_item.comparison is not None
    assert not is_explained(source_item.comparison, list_differences(source_item, other))
