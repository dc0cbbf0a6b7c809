"""One name in four places: every kind has its form, its pages, its tests and its examples."""

import inspect
import json
import re
from pathlib import Path

import pytest
from django.template.loader import get_template

from grading.kinds import KINDS
from quizzes.presentation.kinds import PRESENTED_KINDS, PresentedKind

ROOT = Path(__file__).resolve().parents[2]


SHARED = sorted(
    path
    for pattern in (
        "quizzes/web/**/*.py",
        "quizzes/presentation/*.py",
        "templates/quizzes/*.html",
        "templates/quizzes/pages/*.html",
        "templates/partials/*.html",
        "static/web/js/*.js",
    )
    for path in ROOT.glob(pattern)
)


def test_there_are_kinds():
    assert {"single_choice", "multiple_choice", "true_false"} <= set(KINDS)


VERBS = [
    name
    for name, verb in vars(PresentedKind).items()
    if inspect.isfunction(verb) and name[0] != "_"
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("verb", VERBS)
def test_the_page_of_every_kind_has_each_verb_with_its_arguments(kind, verb):
    expected = list(inspect.signature(getattr(PresentedKind, verb)).parameters)[1:]  # without self
    assert list(inspect.signature(getattr(PRESENTED_KINDS[kind], verb)).parameters) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_of_every_kind_says_each_flag(kind):
    for flag in PresentedKind.__annotations__:
        assert isinstance(getattr(PRESENTED_KINDS[kind], flag), bool)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_known_by_its_own_name(kind):
    assert KINDS[kind].name == kind
    assert KINDS[kind].scoring_methods


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "place",
    [
        "grading/kinds/{}.py",
        "quizzes/presentation/kinds/{}.py",
        "templates/quizzes/kinds/{}/form.html",
        "templates/quizzes/kinds/{}/review.html",
        "tests/grading/kinds/test_{}.py",
        "fixtures/kinds/{}.json",
    ],
)
def test_every_kind_stands_in_its_places(kind, place):
    assert (ROOT / place.format(kind)).is_file()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("page", ["form", "review"])
def test_every_page_of_a_kind_compiles(kind, page):
    get_template(f"quizzes/kinds/{kind}/{page}.html")


@pytest.mark.parametrize("kind", KINDS)
def test_the_examples_show_right_wrong_and_unreadable(kind):
    text = (ROOT / f"fixtures/kinds/{kind}.json").read_text(encoding="utf-8")
    assert json.loads(text)
    assert "format_error" in text


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_that_kinds_share_knows_one_by_name(kind):
    named = re.compile(f"""["']{kind}["']""")
    assert len(SHARED) > 40
    assert [path for path in SHARED if named.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_registered_by_one_line_in_one_place(kind):
    line = re.compile(rf'^ *"{kind}": {kind},$', re.MULTILINE)
    modules = [path for folder in ("grading", "quizzes") for path in (ROOT / folder).rglob("*.py")]
    registers = [path for path in modules if line.search(path.read_text(encoding="utf-8"))]
    assert registers == [ROOT / "grading/kinds/__init__.py"]
