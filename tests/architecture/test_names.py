"""Names and sizes of the code: no old name comes back, no package outgrows the others."""

from pathlib import Path

import pytest

from tests.architecture.names import (
    TESTS,
    Module,
    banned_modules,
    banned_variables,
    bindings,
    code_lines,
    largest_share,
    lines_by_package,
    modules,
    repeated_classes,
    report,
    share_of_vague,
)

VAGUE_SHARE = 2.6
"""Percent of all bindings: 2.97 before the redesign."""

LARGEST_SHARE = 30
"""Percent of the code lines in the largest package: 45 before the redesign."""

PRODUCT_LINES = 103_500
"""Code lines of the product: 41,883 after the redesign, 1,939 of `source_scoring` (ADR 23).

Raised on 2026-11-23 from 62,000 for OpenID Connect (ADR 34), REST of classes and of one's own
data, stored statistics with their page (ADR 35) and services that check rights; from 67,500 for
the gradebook, challenges of questions and the preview of a regrade (ADR 36). Raised on 2026-11-24
from 70,000 for the commit of a regrade, the page of a running exam, exports of the gradebook and
mails; on 2026-11-25 from 80,000 for spaced repetition, the landing page, certificates and pages
that open offline; on 2026-11-27 from 90,000 for a regrade by bonus, points and scoring method, for
scores of whole attempts by hand, and for long texts that are weighed by all that is in them; from
93,000 for study without a network and for practice over REST; from 94,000 for quizzes that are
made, set and assigned and questions that are written over REST, for the journal of practice, and
for regrades and searches of a large site; from 96,500 for the drafts, banks, grading and gradebook
files of REST, for a read replica and for media in an object store. Raised on
2026-11-28 from 99,500 for files in a bucket, for REST of the files and the merges of banks, for the
journal of hints, for prepared writes, and for lists and templates of Markdown and LaTeX; on
2026-11-29 from 102,500 for pages of classes and rooms and for rows made directly.
"""


TWICE = frozenset(
    """
    AttemptOutcome AttemptView Collection Criterion Difference Evidence Gap Kind Level
    Note Option OptionRow Origin QuestionRow QuestionState Reason Role RowForm Slot State
    Table Tag Tally _EchoWriter _Reader _Renderer
    """.split()
)
"""Class names of two modules, of before. No name is added; one that is renamed leaves."""


@pytest.fixture(scope="module")
def code() -> list[Module]:
    return modules()


@pytest.fixture(scope="module")
def tests() -> list[Module]:
    return modules(tops=TESTS)


def module(source: str, path: str = "quizzes/bank/names.py") -> Module:
    return Module(Path(path), source)


def test_no_variable_has_a_name_that_says_nothing(code):
    assert banned_variables(code) == {}


def test_no_variable_of_a_test_has_a_name_that_says_nothing(tests):
    assert banned_variables(tests) == {}
    assert banned_modules(tests) == {}


def test_a_binding_is_a_variable_an_element_of_a_loop_or_a_parameter():
    source = "def f(told):\n    for one in told:\n        found = [kept for kept in one]\n"
    names = sorted(name for name, _line in bindings(module(source).tree))
    assert names == ["found", "kept", "one", "told"]
    assert banned_variables([module(source)]) == {"quizzes/bank": 4}


def test_the_share_of_vague_variable_names_does_not_rise(code):
    assert share_of_vague(code) <= VAGUE_SHARE


def test_a_vague_name_is_counted():
    assert share_of_vague([module("item = 1\nquestion = answer = attempt = 2\n")]) == 25


def test_no_module_gets_a_banned_name(code):
    assert banned_modules(code) == {}


def test_a_module_and_a_package_with_a_banned_name_are_seen():
    paths = ("quizzes/bank/telling.py", "quizzes/words/a.py", "quizzes/words/b.py")
    assert banned_modules(module("", path) for path in paths) == {"telling": 1, "words": 1}


def test_no_class_name_stands_in_more_than_two_modules(code):
    assert repeated_classes(code) == {}


def test_a_class_name_stands_once_but_for_those_that_stood_twice(code):
    assert set(repeated_classes(code, most=1)) <= TWICE


def test_a_class_name_in_three_modules_is_seen_and_a_family_is_one_place():
    source = "class Choice: ...\n"
    family = [module(source, f"quizzes/formats/{name}.py") for name in ("gift", "h5p", "olx")]
    assert repeated_classes(family) == {}
    elsewhere = [module(source, "quizzes/bank/a.py"), module(source, "quizzes/api/b.py")]
    assert repeated_classes([*family, *elsewhere]) == {
        "Choice": ["quizzes/api/b.py", "quizzes/bank/a.py", "quizzes/formats"]
    }


def test_a_class_name_that_django_prescribes_may_stand_anywhere():
    assert repeated_classes(module("class Meta: ...", f"quizzes/{n}/m.py") for n in "abc") == {}


def test_the_largest_package_does_not_outgrow_the_others(code):
    assert largest_share(lines_by_package(code)) <= LARGEST_SHARE


def test_the_share_of_the_largest_package_is_of_all_lines_of_the_product():
    sizes = {"quizzes/bank/a.py": 3, "quizzes/bank/b.py": 3, "grading/c.py": 2, "tools/d.py": 99}
    code = [module("x = 1\n" * lines, path) for path, lines in sizes.items()]
    assert largest_share(lines_by_package(code)) == 75


def test_the_product_does_not_grow(code):
    assert lines_by_package(code).total() <= PRODUCT_LINES


def test_blank_lines_comments_and_docstrings_are_no_code():
    source = '"""What it is,\n\nand why."""\n\n# so\nSQL = """\nSELECT 1\n"""\n"""A constant."""\n'
    assert code_lines(module(source)) == 3


def test_the_report_names_every_figure(code, tests):
    text = "\n".join(report(code, tests))
    assert "code lines" in text
    assert f"{share_of_vague(code):.2f} %" in text
    assert all(name in text for name in banned_modules(code))
