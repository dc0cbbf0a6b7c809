"""Builds our question from a question of a checklist."""

from collections.abc import Container, Sequence

from quizzes.formats.builders import Head, Option, SourceChoice, settle_choice
from quizzes.formats.checklist.checklist_question import ChecklistQuestion
from quizzes.formats.checklist.markdown_texts import join_stem
from quizzes.formats.contract import LONGEST_QUOTE, Note, SourceItem
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.instructions import asks_for_all
from quizzes.formats.parsing.naming import Names, slugify
from quizzes.formats.parsing.prompt_details import PromptDetails, split_details
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.verdicts import find_right, split_verdict

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


def _drop_signs(question: ChecklistQuestion, texts: Sequence[str]) -> tuple[Sequence[str], bool]:
    """Return texts without the signs that say again what the boxes do, "[x] Tajo ✅".

    Also whether signs say that other options are right.
    """
    plain = [split_verdict(text) for text in texts]
    right, is_crossed = find_right([verdict for _, verdict in plain])
    ticked = {at for at, option in enumerate(question.options) if option.line.is_ticked}
    if not right or not ticked or is_crossed:
        return texts, False
    return ([text for text, _ in plain], False) if right == ticked else (texts, True)


def build_question(
    question: ChecklistQuestion,
    names: Names,
    language: str,
    *,
    several: bool,
    task_lists: Container[int],
) -> SourceItem:
    """Return the item; `several`: all other questions of the page let several be chosen.

    `task_lists` are the first lines of those that may be no questions.
    """
    settings, line = question.settings, question.line
    stem = join_stem(question.read_prompt(), own=question.own)
    labelled = question.heading is not None and question.heading.labelled
    details = PromptDetails(stem) if question.own else split_details(stem, labelled=labelled)
    prompt, name = details.prompt, names.assign(question.name, details.prompt)
    origin = Origin(line, question.end_line, name=name, points=details.points)
    tags = tuple(tag for text in settings.get("tags", "").split(",") if (tag := slugify(text)))
    head = Head(line, origin.name, language, prompt, question.read_explanation(), tags)
    notes = [*question.collect_notes(), *details.list_notes(line)]
    quote = prompt[:LONGEST_QUOTE]
    if len(question.options) <= 1:
        notes.append(Note("options_missing", line, quote))
        return build_item(origin, None, notes)
    options = []
    read_options = [option.read() for option in question.options]
    texts, are_signs_other = _drop_signs(question, [text for text, _, _ in read_options])
    if are_signs_other:
        notes.append(Note("keys_differ", line))
    for option, text, (_, feedback, is_code) in zip(
        question.options, texts, read_options, strict=True
    ):
        place, right = option.line, option.line.is_ticked
        options.append(Option(text, right=right, feedback=feedback, line=place.line))
        if is_code:
            notes.append(Note("listing_as_code", place.line, place.text[:LONGEST_QUOTE]))
    if not prompt:
        notes.append(Note("stem_missing", line))
    elif line in task_lists:
        notes.append(Note("task_list", line, quote))
    kind, is_round = settings.get("kind"), question.options[0].is_round
    truths = [parse_boolean(option.text) for option in options if kind != "single_choice"]
    many = kind == "multiple_choice" or question.ticked > 1
    many = many or (not is_round and asks_for_all(prompt))
    is_statement = set(truths) == {True, False}
    if several and not (many or is_statement or question.own or settings or is_round):
        many = True
        if not asks_for_all(" ".join(question.read_prompt())):
            notes.append(Note("several_by_siblings", line, quote))
    scoring_method = settings.get("scoring_method", "")
    source = SourceChoice(
        options,
        many=many,
        scoring_method=scoring_method if many and scoring_method in _SCORING_METHODS else "",
        shuffle=settings.get("shuffle") != "no",
        none_apply=many and settings.get("none_apply") == "yes",
        truths=truths,
        quote=quote,
    )
    parsed, settled = settle_choice(head, source)
    return build_item(origin, parsed, [*notes, *settled])
