"""Every finding has a sentence that takes the figures it is given, in the author's words."""

from collections import defaultdict

import pytest

from quizzes.bank.lint import Severity, Topic
from quizzes.bank.lint.findings import SEVERITIES
from quizzes.presentation.messages.findings import FINDINGS, SEVERITY_LABELS, TOPIC_LABELS
from quizzes.presentation.messages.problems import PROBLEMS, describe_problem, language_name

BOTH = {**PROBLEMS, **FINDINGS}


@pytest.mark.parametrize("code", sorted(BOTH))
def test_every_sentence_takes_the_details_it_is_given(code):
    sentence = str(BOTH[code]) % defaultdict(lambda: 7)
    assert "%(" not in sentence
    assert sentence == sentence.strip()


def test_every_code_of_a_check_has_one_sentence_and_no_sentence_is_left_over():
    assert SEVERITIES.keys() <= BOTH.keys()
    assert FINDINGS.keys() <= SEVERITIES.keys()
    assert not FINDINGS.keys() & PROBLEMS.keys()
    assert set(SEVERITY_LABELS) == set(Severity)
    assert set(TOPIC_LABELS) == set(Topic)


def test_languages_are_called_by_their_names_and_what_is_new_by_its_own():
    assert describe_problem("no_translation", {"language": "es"}).startswith(
        "It has no Español version"
    )
    assert (language_name("eo"), language_name("xx")) == ("Esperanto", "xx")
    assert describe_problem("too_odd", {}) == "too odd"


def test_credits_are_said_in_percent():
    sentence = describe_problem("select_all_pays", {"credit": "2/3"})
    assert sentence.startswith("Ticking everything earns 67% of the points")
