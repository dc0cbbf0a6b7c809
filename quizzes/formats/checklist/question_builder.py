"""Builds our question from a question of a checklist."""

from collections.abc import Sequence
from dataclasses import replace

from quizzes.formats.builders import (
    Head,
    Option,
    SourceChoice,
    add_hints,
    settle_choice,
    settle_open,
    settle_without_options,
)
from quizzes.formats.checklist.checklist_question import ChecklistQuestion
from quizzes.formats.checklist.markdown_texts import join_stem
from quizzes.formats.checklist.option_texts import read_option_texts
from quizzes.formats.checklist.task_lists import PageLists
from quizzes.formats.contract import LONGEST_QUOTE, Note, SourceItem
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.instructions import asks_for_all
from quizzes.formats.parsing.item_metadata import ItemMetadata, split_metadata
from quizzes.formats.parsing.naming import Names, slugify
from quizzes.formats.parsing.open_answers import OpenAnswer, split_open_answer
from quizzes.formats.parsing.prompt_details import PromptDetails, split_details, unquote_prompt
from quizzes.formats.parsing.reading_limits import check_option_count
from quizzes.formats.parsing.source_items import Origin, build_item

_SCORING_METHODS = frozenset(
    "all_or_nothing right_minus_wrong each_option coverage halves minus_missed".split()
)


def is_multiple_choice_page(questions: Sequence[ChecklistQuestion]) -> bool:
    """Return whether all questions but one let several be chosen, by words or by marks."""
    several = [_lets_several(question) for question in questions if question.options]
    return several.count(False) == 1 and several.count(True) > 1


def _lets_several(question: ChecklistQuestion) -> bool:
    if question.options[0].is_round:
        return False
    return question.ticked > 1 or asks_for_all(" ".join(question.read_prompt()))


def build_question(
    question: ChecklistQuestion, names: Names, language: str, *, page: PageLists
) -> SourceItem:
    """Return the item of a question."""
    check_option_count(len(question.options))
    settings, line = question.settings, question.line
    stem = join_stem(question.read_prompt(), own=question.own)
    above = ItemMetadata(stem)
    if not question.own:
        above = split_metadata(unquote_prompt(stem), is_prompt=True)
    details = (
        PromptDetails(stem)
        if question.own
        else split_details(above.text, labelled=question.is_labelled)
    )
    prompt, name = details.prompt, names.assign(question.name, details.prompt)
    tags = tuple(tag for text in settings.get("tags", "").split(",") if (tag := slugify(text)))
    notes = [*question.collect_notes(), *above.list_notes(line), *details.list_notes(line)]
    quote = prompt[:LONGEST_QUOTE]
    origin = Origin(line, question.end_line, name=name, points=details.points)
    open_answer, doubts = _find_open_answer(question, details, is_lone=line in page.lone_answers)
    if open_answer:
        is_same = open_answer.prompt == prompt
        name = name if is_same else names.assign(question.name, open_answer.prompt)
        parsed, settled = settle_open(Head(line, name, language, ""), open_answer)
        parsed = add_hints(parsed, language, above.hints)
        return build_item(replace(origin, name=name), parsed, [*notes, *doubts, *settled])
    if len(question.options) <= 1:
        is_counted = question.is_labelled and not question.options
        head = Head(line, name, language, "")
        essay, missing = settle_without_options(head, prompt, labelled=is_counted)
        return build_item(origin, essay, [*notes, *missing])
    options = []
    texts = read_option_texts(question, prompt, page.right_tails)
    below = ItemMetadata(texts.explanation) if question.own else split_metadata(texts.explanation)
    origin = replace(origin, points=details.points or below.points)
    notes += [*texts.notes, *below.list_notes(line)]
    for option, (text, feedback, is_code) in zip(question.options, texts.options, strict=True):
        place, right = option.line, option.line.is_ticked
        options.append(Option(text, right=right, feedback=feedback, line=place.line))
        if is_code:
            notes.append(Note("listing_as_code", place.line, place.text[:LONGEST_QUOTE]))
    if not prompt:
        notes.append(Note("stem_missing", line))
    elif line in page.tasks:
        notes.append(Note("task_list", line, quote))
    kind, is_round = settings.get("kind"), question.options[0].is_round
    truths = [parse_boolean(option.text) for option in options if kind != "single_choice"]
    many = kind == "multiple_choice" or question.ticked > 1
    many = many or (not is_round and asks_for_all(prompt))
    is_statement = set(truths) == {True, False}
    if page.several and not (many or is_statement or question.own or settings or is_round):
        many = True
        if not asks_for_all(" ".join(question.read_prompt())):
            notes.append(Note("several_by_siblings", line, quote))
    scoring_method = settings.get("scoring_method", "")
    source = SourceChoice(
        options,
        many=many,
        scoring_method=scoring_method if many and scoring_method in _SCORING_METHODS else "",
        shuffle=settings.get("shuffle") != "no" and not texts.keeps_order,
        none_apply=many and settings.get("none_apply") == "yes",
        truths=truths,
        quote=quote,
    )
    head = Head(line, origin.name, language, prompt, below.text, tags)
    parsed, settled = settle_choice(head, source)
    parsed = add_hints(parsed, language, (*above.hints, *below.hints))
    return replace(build_item(origin, parsed, [*notes, *settled]), keys=texts.keys)


def _find_open_answer(
    question: ChecklistQuestion, details: PromptDetails, *, is_lone: bool
) -> tuple[OpenAnswer | None, Sequence[Note]]:
    """Return what answers a question in words: a key below it, or its only option."""
    if is_lone and details.prompt:
        texts = read_option_texts(question, details.prompt)
        ((answer, feedback, _),) = texts.options
        reason = "\n\n".join(filter(None, (feedback, texts.explanation)))
        doubt = Note("options_missing", question.line, details.prompt[:LONGEST_QUOTE])
        return OpenAnswer(details.prompt, answer, reason), [*texts.notes, doubt]
    if question.options or question.own:
        return None, []
    return split_open_answer(details.prompt, details.left_out), []
