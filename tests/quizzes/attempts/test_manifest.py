"""The manifest as an attempt keeps it."""

import json
from dataclasses import replace
from fractions import Fraction
from uuid import uuid4

import pytest

from quizzes.attempts.manifest import Manifest, Slot
from quizzes.lib.errors import Corrupt
from quizzes.publishing.policies import Policies, RevealPolicy

MANIFEST = Manifest(
    quiz=uuid4(),
    slug="quiz",
    quiz_version=uuid4(),
    title={"en": "A quiz", "es": "Un examen"},
    source_language="en",
    policies=Policies(max_attempts=2, reveal=RevealPolicy(key="never")),
    threshold=Fraction(4, 5),
    seed="seed",
    slots=(
        Slot(uuid4(), uuid4(), "multiple_choice", "halves", Fraction(1, 3), 0, ("a", "b")),
        Slot(uuid4(), uuid4(), "true_false", "all_or_nothing", Fraction(2), 1, ("t", "f")),
    ),
)


def test_what_is_written_is_read_again_exactly():
    assert Manifest.from_json(json.loads(json.dumps(MANIFEST.to_json()))) == MANIFEST


def test_the_maximum_is_the_exact_sum_of_points():
    assert MANIFEST.maximum == Fraction(7, 3)
    assert replace(MANIFEST, slots=()).maximum == Fraction(0)


@pytest.mark.parametrize("form", [0, 2, "1", None])
def test_a_manifest_of_another_form_is_refused(form):
    with pytest.raises(Corrupt, match="manifest_unreadable"):
        Manifest.from_json({**MANIFEST.to_json(), "form": form})


@pytest.mark.parametrize(
    ("title", "asked_language", "expected"),
    [
        ({"en": "A quiz", "es": "Un examen"}, "es", ("Un examen", "es")),
        ({"en": "A quiz"}, "es", ("A quiz", "en")),
        ({"en": "A quiz", "es": ""}, "es", ("A quiz", "en")),
        ({}, "es", ("", "en")),
    ],
)
def test_the_title_falls_back_on_the_source_and_says_so(title, asked_language, expected):
    assert replace(MANIFEST, title=title).title_in(asked_language) == expected


@pytest.mark.parametrize("points", [[True, 1], [1, True], [1.0, 1], [1], [1, 1, 1], ["1", 1], 1])
def test_points_that_are_no_ratio_are_refused_after_equal_ones_were_read(points):
    stored = MANIFEST.to_json()
    slots = [{**slot, "points": [1, 1]} for slot in stored["slots"]]
    assert Manifest.from_json({**stored, "slots": slots}).slots[0].points == 1
    with pytest.raises(Corrupt):
        Manifest.from_json({**stored, "slots": [{**slots[0], "points": points}]})


@pytest.mark.parametrize("question", ["no uuid", 1, None, ["a"]])
def test_an_id_that_is_none_is_refused(question):
    stored = MANIFEST.to_json()
    with pytest.raises(Corrupt):
        Manifest.from_json({**stored, "slots": [{**stored["slots"][0], "question": question}]})
