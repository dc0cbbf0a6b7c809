"""The numbers of a quiz make sense, whoever writes them."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from quizzes.publishing.models import BOUNDS, Quiz


@pytest.mark.django_db
@pytest.mark.parametrize("name", BOUNDS)
def test_a_number_out_of_bounds_is_refused_by_model_and_database(a_quiz, name):
    least, most = BOUNDS[name]
    for number in (least, most):
        Quiz.objects.update(**{name: number})
    for number in (least - 1, most + 1):
        with pytest.raises(ValidationError) as refusal:
            Quiz(**{name: number}).clean_fields()
        assert name in refusal.value.error_dict
        with pytest.raises(IntegrityError), transaction.atomic():
            Quiz.objects.update(**{name: number})
