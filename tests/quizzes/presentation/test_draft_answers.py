"""A draft of any kind, answered by its author: graded by its key as a published one is."""

import pytest
from django.http import HttpResponse, QueryDict

from grading.contract import ItemScore
from grading.kinds import KINDS
from quizzes.presentation.draft_answers import build_draft_version, try_answer
from quizzes.presentation.formatting import format_points
from quizzes.presentation.kinds import PRESENTED_KINDS
from quizzes.presentation.question_rendering import preview_question
from tests.browser_forms import form_values
from tests.question_factory import document, samples

SAMPLES = [sample for sample in samples() if sample.kind in PRESENTED_KINDS]


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_each_answer_of_its_examples_is_read_from_the_form_and_graded(sample):
    draft = document(sample)
    version = build_draft_version(draft, "en")
    for answer in (*(example.source["answer"] for example in sample.readable), None):
        html = preview_question(version, "en", 1, answer=answer)
        posted = QueryDict(mutable=True)
        for name, value in form_values(HttpResponse(f"<form>{html}</form>"), "r-1").items():
            posted.setlist(name, value if isinstance(value, list) else [value])
        tried = try_answer(draft, "en", 1, posted)
        assert (tried.answer, tried.error) == (answer, "")
        score = KINDS[draft.kind].score(draft.content, draft.key, answer, draft.scoring_method)
        if KINDS[draft.kind].schema.graded and isinstance(score, ItemScore):
            assert f"{format_points(score.credit)} of 1" in tried.review_html
