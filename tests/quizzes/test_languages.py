"""Language is not a factor: whatever the kind, what was answered in Spanish earns what it earns in
English, and a switch of language on the way changes nothing."""

from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer, ItemScore
from grading.json_types import Json, ratio_from_json
from grading.kinds import KINDS, numeric
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.results import services
from quizzes.results.models import ItemResult
from tests.attempt_helpers import start
from tests.factories import NOW, create_bank, create_quiz
from tests.question_factory import Sample, document, publish_document, samples

SAMPLES = [sample for sample in samples() if KINDS[sample.kind].schema.graded]
ORDER = ("en", "es")


def written(number: Fraction, language: str) -> str | None:
    """Write a number as a language does; one without an end cannot be written."""
    text = f"{float(number):.6f}".rstrip("0").rstrip(".")
    if Fraction(text) != number:
        return None
    return text.replace(".", "," if language == "es" else ".")


def localised(answer: Any, language: str) -> Any:
    """Give the raw answer as somebody would type it in this language."""
    if not isinstance(answer, dict):
        return answer
    if "typed" in answer and "number" in answer:
        text = written(ratio_from_json(answer["number"]), language)
        unit = f" {answer['unit']}" if answer["unit"] else ""
        typed = answer["typed"] if text is None else text + unit
        spoken = answer["language"] if text is None else language
        return {"typed": typed, "language": spoken}
    return {name: localised(value, language) for name, value in answer.items()}


def answers(sample: Sample) -> list[Json]:
    return [example.source["answer"] for example in sample.examples if example.source.get("answer")]


def marked(sample: Sample, raw: Json, scoring_method: str) -> Any:
    kind = KINDS[sample.kind]
    read = kind.parse(sample.content, raw)
    assert not isinstance(read, InvalidAnswer), read
    mark = kind.score(sample.content, sample.key, read, scoring_method)
    return mark.to_json() if isinstance(mark, ItemScore) else mark


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_an_answer_in_the_form_of_one_language_earns_what_it_earns_in_the_other(sample):
    for scoring_method in sample.scoring_methods:
        for answer in answers(sample):
            scores = [
                marked(sample, localised(answer, language), scoring_method) for language in ORDER
            ]
            assert scores[0] == scores[1], answer


@given(
    integer=st.integers(-999, 999),
    decimals=st.text("0123456789", min_size=1, max_size=6),
    near=st.fractions(-1, 1, max_denominator=1000),
    tolerance=st.sampled_from(["exact", "absolute", "relative"]),
)
def test_no_number_earns_more_for_its_decimal_sign(integer, decimals, near, tolerance):
    value = f"{integer}.{decimals}"
    row = {"id": "a", "value": value, "tolerance": tolerance, "credit": [1, 1]}
    if tolerance != "exact":
        row["margin"] = "0.001"
    key: Any = {"numbers": [row]}
    number = Fraction(value) + near / 1000
    scores = [
        numeric.score({"unit": "none"}, key, read, "accepted_answers")
        for language in ORDER
        if (text := written(number, language))
        and isinstance(
            read := numeric.parse({"unit": "none"}, {"typed": text, "language": language}), dict
        )
    ]
    assert len({mark.credit for mark in scores if isinstance(mark, ItemScore)}) <= 1


@pytest.mark.django_db
@pytest.mark.parametrize("kind", list(dict.fromkeys(sample.kind for sample in SAMPLES)))
def test_two_learners_of_two_languages_get_the_same_marks(users, kind):
    chosen_samples = [sample for sample in SAMPLES if sample.kind == kind and answers(sample)]
    quiz = create_quiz(
        users,
        [
            publish_document(create_bank(users), f"q-{n}", document(sample))
            for n, sample in enumerate(chosen_samples)
        ],
        shuffle_options=False,
    )
    marks = []
    for learner, language in zip((users.learner, users.other_learner), ORDER, strict=True):
        attempt = start(quiz, learner)
        saves = [
            ResponseInput(
                slot=slot, raw=localised(answers(sample)[0], language), idempotency_key=uuid4()
            )
            for slot, sample in enumerate(chosen_samples)
        ]
        save_responses(
            attempt=attempt.uuid, learner=learner, inputs=saves, language=language, now=NOW
        )
        services.finish(attempt=attempt.uuid, learner=learner, now=NOW)
        rows = ItemResult.objects.filter(grading__attempt=attempt).order_by("slot")
        marks.append([row.score for row in rows])
    assert marks[0] == marks[1]
    assert len(marks[0]) == len(chosen_samples)
