"""Every reason that grading can give has words: the reasons are read out of the code itself."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from django.utils import translation

from grading.contract import ItemScore, NeedsManualGrading
from grading.kinds import KINDS
from quizzes.presentation.messages.attempts import REASONS, describe_reason
from tests.grading.examples import all_examples, readable

ROOT = Path(__file__).resolve().parents[4]
FOLDERS = ("grading", "quizzes/results")
GIVES_REASONS = {"LedgerLine", "ItemScore", "NeedsManualGrading"}
CODE = re.compile(
    r"[a-z]+(_[a-z]+)+|start|missed|accepted|unanswered|withdrawn|ungraded|overridden"
)
# Words of these modules that are no reasons: parts, scoring methods, fields, moments, and what is
# wrong with drafts and answers.
OTHERS = frozenset(
    """
    all_or_nothing right_minus_wrong each_option option_weights minus_missed minimum_words
    scoring_method
    none_apply maximum_words not_below at_most too_many per_gap per_pair accepted_answers
    exact_place adjacent_pairs longest_run absolute_position case_sensitive
    after_submit after_pass after_last_attempt after_close
    limits_crossed not_a_count not_a_text not_an_object text_too_long unknown_field unknown_option
    unknown_scoring_method gap_weights lower_bound lower_bound_is_no_ratio lower_bound_above_zero
    read_by by_key keep_better
    """.split()
)


def modules() -> Iterator[Path]:
    """Give the modules that make marks, and those whose constants they use."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            if any(
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in GIVES_REASONS
                for node in ast.walk(tree)
            ):
                yield path
    yield from (ROOT / "grading").rglob("scoring_methods.py")
    yield from (ROOT / "grading").rglob("ledger.py")
    yield from (ROOT / "grading" / f"{name}.py" for name in ("lower_bound", "partial_credit"))


def codes(path: Path) -> Iterator[str]:
    """Give every constant of a module that is written like a code."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if CODE.fullmatch(node.value):
            yield node.value


def imported(path: Path) -> Iterator[str]:
    """Give the codes that a module takes by name from another."""
    dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for name, value in vars(import_module(dotted)).items():
        if name.isupper() and isinstance(value, str) and CODE.fullmatch(value):
            yield value


def reasons() -> set[str]:
    reason_codes = {code for path in modules() for code in (*codes(path), *imported(path))}
    return reason_codes - OTHERS


def test_the_enumeration_finds_the_reasons_there_are():
    reason_codes = reasons()
    assert len(reason_codes) > 35
    assert reason_codes >= REASONS.keys() - {"ungraded"}


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_reason_in_the_code_has_words_in_both_languages(language):
    with translation.override(language):
        silent = sorted(code for code in reasons() if describe_reason(code) == code)
    assert silent == []


@pytest.mark.parametrize("example", readable(all_examples()), ids=str)
def test_every_reason_that_an_example_gives_has_words(example):
    kind = KINDS[example.kind]
    for scoring_method in example.scoring_methods:
        mark = kind.score(example.content, example.key, example.source["answer"], scoring_method)
        reason_codes = [mark.reason] if isinstance(mark, NeedsManualGrading) else list(mark.reasons)
        reason_codes += [line.reason for line in mark.ledger] if isinstance(mark, ItemScore) else []
        assert [code for code in reason_codes if code not in REASONS] == []
