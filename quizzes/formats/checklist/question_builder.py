"""Builds our question from a question of a checklist."""

from collections.abc import Sequence
from dataclasses import replace

from quizzes.formats.builders import Head, Option, build_choice, build_true_false
from quizzes.formats.checklist.checklist_question import ChecklistQuestion
from quizzes.formats.checklist.markdown_texts import join_stem
from quizzes.formats.contract import LONGEST_QUOTE, Note, ParsedQuestion, SourceItem
from quizzes.formats.parsing.boolean_words import find_boolean_words, parse_boolean
from quizzes.formats.parsing.instructions import asks_for_all
from quizzes.formats.parsing.naming import Names, slug
from quizzes.formats.parsing.source_items import Origin, build_item

_SCORING_METHODS = frozenset(
    "all_or_nothing right_minus_wrong each_option coverage halves minus_missed".split()
)


def is_page_of_several(questions: Sequence[ChecklistQuestion]) -> bool:
    """Return whether all questions but one let several be chosen, by words or by marks."""
    several = [_lets_several(question) for question in questions if question.options]
    return several.count(False) == 1 and several.count(True) > 1


def _lets_several(question: ChecklistQuestion) -> bool:
    if question.options[0].is_round:
        return False
    return question.ticked > 1 or asks_for_all(" ".join(question.read_prompt()))


def build_question(
    question: ChecklistQuestion, names: Names, language: str, *, several: bool
) -> SourceItem:
    """Return the item; `several`: all other questions of the page let several be chosen."""
    settings, line = question.settings, question.line
    prompt = join_stem(question.read_prompt(), own=question.own)
    origin = Origin(line, question.end_line, name=names.name(question.name, prompt))
    tags = tuple(tag for text in settings.get("tags", "").split(",") if (tag := slug(text)))
    head = Head(line, origin.name, language, prompt, question.read_explanation(), tags)
    notes = list(question.collect_notes())
    quote = prompt[:LONGEST_QUOTE]
    if len(question.options) <= 1:
        notes.append(Note("options_missing", line, quote))
        return build_item(origin, None, notes)
    options = []
    for option in question.options:
        text, feedback, is_code = option.read()
        place, right = option.line, option.line.is_ticked
        options.append(Option(text, right=right, feedback=feedback, line=place.line))
        if is_code:
            notes.append(Note("listing_as_code", place.line, place.text[:LONGEST_QUOTE]))
    if not prompt:
        notes.append(Note("stem_missing", line))
    if not question.ticked and settings.get("none_apply") != "yes":
        notes.append(Note("key_unknown", line, quote))
    several = several and not (question.own or settings or question.options[0].is_round)
    parsed = _build(question, head, options, settings, several=several)
    if several and parsed.kind == "multiple_choice" and not _lets_several(question):
        notes.append(Note("several_by_siblings", line, quote))
    return build_item(origin, parsed, notes)


def _build(
    question: ChecklistQuestion,
    head: Head,
    options: list[Option],
    settings: dict[str, str],
    *,
    several: bool,
) -> ParsedQuestion:
    rights = [option for option in options if option.right]
    many = settings.get("kind") == "multiple_choice" or len(rights) > 1
    many = many or (not question.options[0].is_round and asks_for_all(head.prompt))
    texts = [option.text for option in options]
    truths = [parse_boolean(text) for text in texts]
    is_statement = sorted(map(str, truths)) == ["False", "True"] and len(rights) == 1
    if is_statement and not many and settings.get("kind") != "single_choice":
        feedback = {truth is True: one.feedback for truth, one in zip(truths, options, strict=True)}
        words = find_boolean_words(head.language, texts)
        right = parse_boolean(rights[0].text) is True
        return build_true_false(head, right=right, feedback=feedback, words=words)
    many = many or several
    scoring_method = settings.get("scoring_method", "")
    return build_choice(
        head,
        [replace(option, name="") for option in options],
        many=many,
        scoring_method=scoring_method if many and scoring_method in _SCORING_METHODS else "",
        shuffle=settings.get("shuffle") != "no",
        none_apply=many and settings.get("none_apply") == "yes",
    )
