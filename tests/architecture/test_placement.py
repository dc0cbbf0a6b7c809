"""Rows of a learner could lie on a machine of their own (ADR 18, ADR 77)."""

import pytest
from django.apps import apps
from django.db import models

PLACED = {
    model
    for model in apps.get_models()
    if any(field.name == "learner" for field in model._meta.concrete_fields)
}
"""Models whose rows are placed by their learner."""


def is_local(model, fields):
    """Return whether rows that would collide have the same learner, or a value drawn by chance."""
    return any(
        name in {"learner", "uuid"}
        or getattr(model._meta.get_field(name), "related_model", None) in PLACED
        for name in fields
    )


def list_unique(model):
    """Return the fields of each unique constraint of a model."""
    alone = [(f.name,) for f in model._meta.concrete_fields if f.unique and not f.primary_key]
    constraints = model._meta.constraints
    return alone + [tuple(c.fields) for c in constraints if isinstance(c, models.UniqueConstraint)]


def test_the_rows_of_a_learner_are_these():
    assert {model._meta.label for model in PLACED} > {
        *("attempts.Attempt", "attempts.QuizGrade", "attempts.Response"),
        *("results.Grading", "results.ItemResult", "results.Result", "study.StudyCard"),
        *("practice.PracticeTry", "certificates.Certificate", "challenges.Challenge"),
    }


@pytest.mark.parametrize("model", sorted(PLACED, key=str), ids=lambda model: model._meta.label)
def test_no_constraint_of_theirs_is_about_two_learners(model):
    assert [fields for fields in list_unique(model) if not is_local(model, fields)] == []


BESIDE = {"statistics.CountedAttempt", "notifications.Notification"}
"""What names an attempt or a grading without its learner: its rows would lie where these do."""


def test_nothing_refers_to_them_but_rows_that_could_lie_beside_them():
    references = {
        model._meta.label
        for model in apps.get_models()
        if model not in PLACED
        for field in model._meta.concrete_fields
        if field.related_model in PLACED
    }
    assert references == BESIDE
