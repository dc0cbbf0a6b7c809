"""The question of a row in one of its languages: one function a kind reads the key and the texts.

What is wrong with a cell is noted of the record, once for all languages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grading.kinds import KINDS
from grading.partial_credit import OPTION_WEIGHTS
from quizzes.formats import builders
from quizzes.formats.builders import (
    Accepted,
    Head,
    Number,
    Option,
    SourceChoice,
    settle_choice,
)
from quizzes.formats.builders.answer_settling import Answer, settle_credits
from quizzes.formats.builders.question_head import build_texts
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.naming import list_letters
from quizzes.formats.spreadsheet.answers import parse_right_options
from quizzes.formats.spreadsheet.cells import ListEntry, parse_entries, parse_number, parse_pair
from quizzes.formats.spreadsheet.record import QuestionRow
from quizzes.formats.spreadsheet.settings import parse_settings


@dataclass(frozen=True, slots=True)
class _RowQuestion:
    """What is built: a question of this kind, in the language of its head."""

    record: QuestionRow
    kind: str
    head: Head
    scoring_method: str
    pinned: frozenset[str]

    def text(self, part: str, letter: str = "") -> str:
        return self.record.text(part, self.head.language, letter)

    def correct_entries(self) -> list[ListEntry]:
        return list(parse_entries(self.record.cell("correct")))


def build_question(record: QuestionRow, kind: str, head: Head) -> ParsedQuestion:
    """Build the question in the language of its head."""
    scoring_method = record.cell("scoring_method").lower()
    if scoring_method and scoring_method not in KINDS[kind].scoring_methods:
        record.note("scoring_method_unknown", scoring_method)
        scoring_method = ""
    fields, pinned, unreadable = parse_settings(kind, record.cell("settings"))
    for setting in unreadable:
        record.note("setting_unreadable", setting)
    prompt, explanation = (record.text(part, head.language) for part in ("question", "explanation"))
    names = {text.name for text in KINDS[kind].schema.texts} & {"otherwise", "hint"}
    texts = {name: text for name in names if (text := record.text(name, head.language))}
    head = replace(head, prompt=prompt, explanation=explanation, other_texts=texts)
    question = _BUILDERS[kind](_RowQuestion(record, kind, head, scoring_method, pinned))
    return replace(
        question,
        scoring_method=scoring_method or question.scoring_method,
        fields={**question.fields, **fields},
    )


def _build_choice(row: _RowQuestion) -> ParsedQuestion:
    record, cell = row.record, row.record.cell("correct")
    weights = _read_weights(record)
    right = parse_right_options(cell, record.options())
    if right.letters and right.code:
        record.note(right.code, cell)
    if weights:  # an option without one earns what it would without the others
        share = Fraction(1, len(right.letters) or 1)
        weights = dict.fromkeys(right.letters, share) | weights
    options = [
        Option(
            row.text("option", letter),
            right=letter in right.letters if cell else None,
            weight=weights.get(letter, Fraction(0)) if weights else None,
            feedback=row.text("feedback", letter),
            unchosen=row.text("unchosen", letter),
            pinned=letter in row.pinned,
            name=letter,
        )
        for letter in record.letters()
    ]
    many = row.kind == "multiple_choice"
    source = SourceChoice(
        options,
        many=many,
        scoring_method=row.scoring_method,
        none_apply=many and right.none,
        key_code=right.code or "key_unknown",
        quote=cell,
    )
    question, notes = settle_choice(row.head, source)
    for note in notes:
        if note.code != "option_empty":  # here it is not translated
            record.note(note.code, note.quote)
    return question


def _read_weights(record: QuestionRow) -> dict[str, Fraction]:
    """Return what the options earn, by letter; what is no share is noted."""
    weights, weight_cells = record.weights(), record.letters("weight")
    if len(weights) < len(weight_cells):
        cells = (record.cell("weight", letter) for letter in weight_cells)
        record.note("weight_unreadable", "; ".join(cells))
    return weights


def _build_true_false(row: _RowQuestion) -> ParsedQuestion:
    record, cell = row.record, row.record.cell("correct")
    options = record.options()
    is_reversed = any(parse_boolean(text) is False for text in options.get("a", ()))
    right = parse_boolean(cell)
    if right is None and cell:
        marked = parse_right_options(cell, options or {"a": [], "b": []}).letters
        right = (marked == {"a"}) != is_reversed if len(marked) == 1 else None
    if right is None:
        record.note("answer_unknown" if cell else "key_unknown", cell)
    letters_in_order = "ba" if is_reversed else "ab"
    weights = _read_truth_weights(row, letters_in_order, right=right)
    question = builders.build_true_false(row.head, right=right, weights=weights)
    rows = []
    for option, letter in zip(question.tables["options"], letters_in_order, strict=True):
        texts = {
            ("options", False): row.text("option", letter),
            ("options", True): row.text("feedback", letter),
            ("unchosen", True): row.text("unchosen", letter),
        }
        texts_of_option = {**option.texts, **build_texts("true_false", row.head.language, texts)}
        values = {**option.values, "pinned": letter in row.pinned}
        rows.append(replace(option, values=values, texts=texts_of_option))
    return replace(question, tables={**question.tables, "options": tuple(rows)})


def _read_truth_weights(
    row: _RowQuestion, letters: str, *, right: bool | None
) -> dict[bool, Fraction]:
    """Return what true and false earn; {} where no weight is other than everything or nothing."""
    weights = _read_weights(row.record)
    if row.scoring_method == OPTION_WEIGHTS or set(weights.values()) - {0, 1}:
        by_truth = {
            truth: weights.get(letter, Fraction(truth == right))
            for truth, letter in zip((True, False), letters, strict=True)
        }
        if right is not None and by_truth[right] != 1:
            row.record.note("full_credit_out_of_reach", f"{float(by_truth[right]):.2%}")
        return by_truth
    return {}


def _build_short_text(row: _RowQuestion) -> ParsedQuestion:
    accepted = [
        Accepted(entry.text, entry.credit, row.text("feedback", letter))
        for entry, letter in zip(row.correct_entries(), list_letters(), strict=False)
    ]
    return builders.build_short_text(row.head, _settle_credits(row, accepted))


def _build_numeric(row: _RowQuestion) -> ParsedQuestion:
    numbers, names = list[Number](), list_letters()
    for entry in row.correct_entries():
        if number := parse_number(entry.text):
            feedback = row.text("feedback", next(names))
            numbers.append(replace(number, credit=entry.credit, feedback=feedback))
        else:
            row.record.note("number_unreadable", entry.text)
    return builders.build_numeric(row.head, _settle_credits(row, numbers))


def _settle_credits(row: _RowQuestion, answers: Sequence[Answer]) -> list[Answer]:
    settled, notes = settle_credits(answers, line=row.head.line, quote=row.record.cell("correct"))
    for note in notes:
        row.record.note(note.code, note.quote)
    return settled


def _build_matching(row: _RowQuestion) -> ParsedQuestion:
    record, language = row.record, row.head.language
    pairs, distractors, feedback = list[tuple[str, str]](), list[str](), dict[str, str]()
    for letter in record.letters():
        cell = record.cell("option", letter, language)
        left, right = map(record.to_markdown, parse_pair(cell) or (cell, ""))
        if not left:
            distractors.append(right)
            continue
        pairs.append((left, right))
        feedback[f"left-{len(pairs)}"] = row.text("feedback", letter)
    question = builders.build_matching(row.head, pairs, distractors)
    return builders.add_row_feedback(question, language, "lefts", feedback)


def _build_ordering(row: _RowQuestion) -> ParsedQuestion:
    in_order = row.record.letters()
    question = builders.build_ordering(
        row.head, [row.text("option", letter) for letter in in_order]
    )
    feedback = {
        name: row.text("feedback", letter)
        for name, letter in zip(list_letters(), in_order, strict=False)
    }
    return builders.add_row_feedback(question, row.head.language, "items", feedback)


def _build_essay(row: _RowQuestion) -> ParsedQuestion:
    if row.record.cell("correct"):
        row.record.note("solution_left_out", row.record.cell("correct"))
    elif not row.record.cell("kind"):
        row.record.note("key_unknown")
    return builders.build_essay(row.head)


def _build_flashcard(row: _RowQuestion) -> ParsedQuestion:
    back = row.text("option", "a") or row.record.to_markdown(row.record.cell("correct"))
    return builders.build_flashcard(row.head, back, row.head.other_texts.get("hint", ""))


_BUILDERS: Mapping[str, Callable[[_RowQuestion], ParsedQuestion]] = {
    "single_choice": _build_choice,
    "multiple_choice": _build_choice,
    "true_false": _build_true_false,
    "short_text": _build_short_text,
    "numeric": _build_numeric,
    "matching": _build_matching,
    "ordering": _build_ordering,
    "essay": _build_essay,
    "flashcard": _build_flashcard,
}
