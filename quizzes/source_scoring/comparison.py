"""Compares, item by item, what a sample of answers earns in the file and here."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Final

from grading.contract import InvalidAnswer, ItemScore
from grading.kinds import KINDS
from quizzes.document import QuestionDocument
from quizzes.formats.contract import (
    LONGEST_QUOTE,
    ParsedFile,
    ParsedQuestion,
    ScoreComparison,
    ScoreDifference,
    SourceItem,
)
from quizzes.formats.document_mapping import build_document
from quizzes.formats.parsing.failures import log_failure, run_guarded
from quizzes.formats.parsing.progress import count_each
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING
from quizzes.source_scoring.alignment import AlignedSlot, align
from quizzes.source_scoring.noted_rules import iterate_noted_rules
from quizzes.source_scoring.rule_index import FindRules, index_rules
from quizzes.source_scoring.rules import NotComparable, SourceRules, UndeterminedScore
from quizzes.source_scoring.sampling import SampleAnswer, count_answers, sample_answers

ROUNDING: Final = Fraction(1, 1000)
"""Files round a third to 33.333: shares that differ by less are the same."""

MOST_ROWS: Final = 300
"""Options, pairs and accepted answers of a question, at most: a sample of more says little."""

_FIRST_WORK: Final = 60_000
_WORK_OF_AN_ITEM: Final = 300
"""Rows times answers, which take some 10 µs each, of a whole file: so many, and more an item."""
_TOO_LARGE: Final = NotComparable("too_large")
_SELF_GRADED: Final = frozenset({"anki-apkg", "anki-tsv", "flashcards"})
"""Formats of cards, on which learners say themselves how well they knew them."""


def compare_file(data: bytes, format_: str, parsed_file: ParsedFile) -> ParsedFile:
    """Return a parsed file whose questions have their comparison; never raises for its content."""
    if not parsed_file.questions:
        return parsed_file
    find_rules, affordable = index_rules(data, format_), list(_list_affordable(parsed_file))
    # Refused items have rules, too: whichever stand on one line, all are asked for in their order.
    items = tuple(
        _compare_guarded(source_item, find_rules, format_, is_affordable=is_affordable)
        for source_item, is_affordable in count_each(
            zip(parsed_file.items, affordable, strict=True)
        )
    )
    return replace(parsed_file, items=items)


def _list_affordable(parsed_file: ParsedFile) -> Iterator[bool]:
    """Yield of each item whether it is compared: most of a file of huge questions are not."""
    work = _FIRST_WORK + _WORK_OF_AN_ITEM * len(parsed_file.items)
    for question in (source_item.question for source_item in parsed_file.items):
        rows = len(question.rows) if question else 0
        needed = rows * count_answers(question) if question else 0
        is_affordable = rows <= MOST_ROWS and needed <= work
        work -= needed if is_affordable else 0
        yield is_affordable


def _compare_guarded(
    source_item: SourceItem, find_rules: FindRules, format_: str, *, is_affordable: bool
) -> SourceItem:
    """Return an item with its comparison; a mistake of ours is logged, and nothing is compared."""

    def compare() -> ScoreComparison | None:
        rules = find_rules(source_item)
        return _compare_or_explain(source_item, rules if is_affordable else _TOO_LARGE, format_)

    comparison = run_guarded(compare)
    if isinstance(comparison, Exception):
        log_failure(f"item at line {source_item.line}", comparison, "comparing scores")
        comparison = ScoreComparison(reason="comparison_failed")
    return replace(source_item, comparison=comparison)


def _compare_or_explain(
    source_item: SourceItem, rules: SourceRules | NotComparable, format_: str
) -> ScoreComparison | None:
    """Return the comparison of one item, or why there is none; None of a refused item."""
    question, codes = source_item.question, {note.code for note in source_item.notes}
    if question is None:
        return None
    if obstacle := _find_obstacle(question, format_):
        return ScoreComparison(reason=obstacle)
    is_custom = CUSTOM_SCORING in codes
    if is_custom and not (isinstance(rules, SourceRules) and rules.is_standard):
        return ScoreComparison(reason="custom_scoring")
    try:
        if isinstance(rules, NotComparable):
            raise _say_key_was_read(rules, source_item)
        slots = align(question, rules)
        answers = sample_answers(question, rules, slots)
        document = build_document(question, None, min(question.languages, default="en"))
        scores = _score_all(document, answers)
        shares = _compute_shares(rules, scores)
        differences = _list_differences(shares)
        is_told = bool(differences) and (
            _agree_on_everything(differences)
            if is_custom
            else _is_told(rules, slots, scores, codes)
        )
        return ScoreComparison(len(shares), differences=differences, is_told=is_told)
    except NotComparable as reason:
        return ScoreComparison(reason=reason.code, quote=reason.quote[:LONGEST_QUOTE])


def _say_key_was_read(reason: NotComparable, source_item: SourceItem) -> NotComparable:
    """Return why nothing is compared: where the item has its key, not that the file has none."""
    is_unread = reason.code == "no_key" and not source_item.is_damaged
    return NotComparable("key_not_compared", reason.quote) if is_unread else reason


def _agree_on_everything(differences: Iterable[ScoreDifference]) -> bool:
    """Return whether what earns everything in the file does so here, too, and nothing else does.

    That the file scores in a way of its own explains other shares, but no other key.
    """
    return all((each.in_file == 1) == (each.here == 1) for each in differences)


def _find_obstacle(question: ParsedQuestion, format_: str) -> str:
    """Return the code of why nothing is compared, whatever the rules; "" where nothing speaks."""
    if question.kind == "flashcard" or format_ in _SELF_GRADED:
        return "self_graded"
    return "by_person" if question.kind == "essay" else ""


def _score_all(
    document: QuestionDocument, answers: Iterable[SampleAnswer]
) -> list[tuple[SampleAnswer, Fraction]]:
    """Return the answers that can be given here, each with what it earns here."""
    return [
        (answer, here) for answer in answers if (here := _score_here(document, answer)) is not None
    ]


def _compute_shares(
    rules: SourceRules, scores: Iterable[tuple[SampleAnswer, Fraction]]
) -> list[ScoreDifference]:
    """Return what each answer earns by rules and here, as shares of everything."""
    points = [
        (answer, earned, here)
        for answer, here in scores
        if (earned := _score_in_file(rules, answer)) is not None
    ]
    full = rules.maximum or max((earned for _, earned, _ in points), default=Fraction(0))
    if full <= 0:
        raise NotComparable("no_key")
    return [ScoreDifference(answer.words, earned / full, here) for answer, earned, here in points]


def _list_differences(shares: Iterable[ScoreDifference]) -> tuple[ScoreDifference, ...]:
    return tuple(share for share in shares if abs(share.in_file - share.here) >= ROUNDING)


def _is_told(
    rules: SourceRules,
    slots: Sequence[AlignedSlot],
    scores: Collection[tuple[SampleAnswer, Fraction]],
    codes: Collection[str],
) -> bool:
    """Return whether the notes say of every difference that it is there, and how large."""
    for noted_rules in iterate_noted_rules(rules, slots, codes):
        with suppress(NotComparable):
            if not _list_differences(_compute_shares(noted_rules, scores)):
                return True
    return False


def _score_in_file(rules: SourceRules, answer: SampleAnswer) -> Fraction | None:
    """Return the points of an answer by the file; None where it does not say."""
    try:
        return rules.compute(answer.source)
    except UndeterminedScore:
        return None


def _score_here(document: QuestionDocument, answer: SampleAnswer) -> Fraction | None:
    """Return what an answer earns here; None where it cannot be given."""
    kind = KINDS[document.kind]
    try:
        parsed = kind.parse(document.content, answer.raw)
        if isinstance(parsed, InvalidAnswer):
            return None
        score = kind.score(document.content, document.key, parsed, document.scoring_method)
    except (KeyError, ValueError):  # a draft that has problems is not scored yet
        return None
    return score.credit if isinstance(score, ItemScore) else None
