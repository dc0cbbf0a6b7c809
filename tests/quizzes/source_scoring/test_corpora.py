"""Every file beside the project, and every example of ours: no difference that nobody is told of.

`python -m pytest -s -k table tests/quizzes/source_scoring/test_corpora.py` prints the table.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

import pytest

from quizzes.formats.contract import SourceItem
from quizzes.formats.detection import detect_format
from quizzes.imports.parse import parse_upload
from quizzes.source_scoring import compare_file
from tests.quizzes.imports.example_files import Example, corpus_examples, own_examples

COLUMNS = ("items", "refused", "the same", "told", "untold")
REASONS = frozenset(
    "answered_otherwise by_person custom_scoring key_not_compared no_key no_rule options_differ"
    " own_format rule_unknown self_graded".split()
)
LEAST_COMPARED = {"gift": 35, "letter_key": 2, "moodle-xml": 200, "qti-1.2": 30, "qti-2": 12,
                  "qti-3": 5, "text2qti": 17}  # fmt: skip
"""How many items of the corpora are compared at least: a reader of rules that fails is seen."""

Compared = list[tuple[Example, SourceItem]]


def compare_all(examples: Iterable[Example]) -> Compared:
    compared: Compared = []
    for example in examples:
        detected = detect_format(example.data, example.name)
        format_ = example.format or (detected.name if detected else "")
        if not format_:
            continue
        parsed_file = parse_upload(example.data, example.name, format_=format_)
        parsed_file = compare_file(example.data, format_, parsed_file)
        read = Example(example.name, example.data, format_)
        compared += [(read, source_item) for source_item in parsed_file.items]
    return compared


@pytest.fixture(scope="module")
def corpora() -> Compared:
    return compare_all(corpus_examples())


@pytest.fixture(scope="module")
def own() -> Compared:
    return compare_all(own_examples())


def classify(source_item: SourceItem) -> str:
    comparison = source_item.comparison
    if comparison is None:
        return "refused"
    if comparison.reason:
        return f"not compared: {comparison.reason}"
    if not comparison.differences:
        return "the same"
    return "told" if comparison.is_told else "untold"


def tabulate(compared: Compared) -> Mapping[str, Counter[str]]:
    table: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for example, source_item in compared:
        table[example.format] += Counter({"items": 1, classify(source_item): 1})
    return table


def test_the_table(corpora, own):
    for title, compared in (("corpora", corpora), ("own examples", own)):
        for format_, counts in sorted(tabulate(compared).items()):
            cells = [f"{name} {counts[name]}" for name in COLUMNS]
            reasons = [f"{name} {n}" for name, n in counts.items() if ":" in name]
            sys.stdout.write(f"{title:13} {format_:15} {chr(44).join([*cells, *reasons])}\n")
            assert counts["items"] == counts.total() - counts["items"]


def list_untold(compared: Compared) -> list[str]:
    return [
        f"{example} line {source_item.line}: {difference.answer} {difference.in_file}"
        f" {difference.here}"
        for example, source_item in compared
        if source_item.comparison and source_item.comparison.has_surprise
        for difference in source_item.comparison.differences
    ]


def test_no_difference_of_the_corpora_is_untold(corpora):
    assert list_untold(corpora) == []


def test_no_difference_of_our_own_examples_is_untold(own):
    assert list_untold(own) == []


def test_as_many_items_of_the_corpora_are_compared_as_can_be(corpora):
    table = tabulate(corpora)
    compared = {format_: counts["the same"] + counts["told"] for format_, counts in table.items()}
    few = {
        format_: compared[format_]
        for format_, least in LEAST_COMPARED.items()
        if compared[format_] < least
    }
    assert not corpora or few == {}


def test_no_item_lacks_its_rules_and_no_comparison_fails(corpora, own):
    reasons = {
        source_item.comparison.reason
        for _, source_item in (*corpora, *own)
        if source_item.comparison and source_item.comparison.reason
    }
    assert reasons <= REASONS
