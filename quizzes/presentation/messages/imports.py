"""Imports and exports: one sentence a code."""

from collections.abc import Container, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from quizzes.formats.contract import ExportWarning, ImportStatus
from quizzes.formats.parsing.reading_limits import READING_LIMITS
from quizzes.formats.parsing.source_items import DAMAGED_CODES
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.models import State
from quizzes.lib.errors import ServiceError
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.reasons import Reason
from quizzes.presentation.formatting import append_percent_sign, format_points
from quizzes.presentation.messages.sentences import Sentences, describe

ACTION_LABELS: Sentences = {
    ImportAction.NEW: _("new"),
    ImportAction.SAME: _("the same"),
    ImportAction.CHANGED: _("changed"),
    ImportAction.TRANSLATION: _("another language of a question"),
    ImportAction.CONFLICT: _("also changed in the bank"),
    ImportAction.REVIEW: _("needs review"),
    ImportAction.REFUSED: _("not read"),
}

NOT_SELECTED_LABEL = _("not selected")
"""The label of an item that could have been written."""

STATUS_LABELS: Sentences = {
    ImportStatus.REPAIRED: _("repaired"),
    ImportStatus.REVIEW: _("needs review"),
}
"""The statuses that are shown beside the action of an item."""

SELECTION_REASONS: Sentences = {
    ImportAction.SAME: _("The bank already has this question: there is nothing to do."),
    ImportAction.CONFLICT: _(
        "It was written or changed in the bank since the last import. Tick it to "
        "replace it with the file's version."
    ),
    ImportAction.REFUSED: _("No question came of it; the notes say why."),
    ImportAction.REVIEW: _("It is imported as a draft that somebody has to finish."),
    "damaged": _(
        "Its key is unknown, or a part of it is missing. Tick it to import it as a draft."
    ),
    "doubtful": _("The notes say what is doubtful about it. Tick it to import it as a draft."),
    "equal_options": _(
        "Options of it read alike, and only one is right. Tick it to import it as a draft."
    ),
    "task_list": _("It may be a list of tasks. Tick it to import it as a draft if it is none."),
    "scores_differ": _(
        "Some answers earn something else here than in the file. Tick it if you accept that."
    ),
    "review_of_existing": _("The file may hold less than the bank: compare before you tick it."),
    "another_language": _(
        "The bank has a question of this name in other languages. Tick it if it is the same"
        " question; if it is another, take it under a new name."
    ),
    "another_question": _(
        "The bank has a question of this name that says something else. Tick it if the file is to"
        " replace it; if it is another question, take it under a new name."
    ),
}
"""Why an item is selected or not, by action or conflict code."""
_UNKNOWN_OR_MISSING = DAMAGED_CODES - frozenset(
    """
    key_in_prompt keys_differ languages_mixed letter_twice several_keyed_lists
    several_right_options task_list text_among_options
    """.split()
)
"""Codes that say that a key is unknown or a part missing, not that something is doubtful."""


def describe_damage(codes: Container[str]) -> Promise | str:
    """Return why an item with these notes is not imported unless a person asks for it."""
    if any(code in codes for code in _UNKNOWN_OR_MISSING):
        return SELECTION_REASONS["damaged"]
    first = next((code for code in ("equal_options", "task_list") if code in codes), "doubtful")
    return SELECTION_REASONS[first]


STEPS: Sentences = {
    State.READING: _("The file is being read; nothing is written yet."),
    State.QUEUED: _("The import is about to begin."),
    State.RUNNING: _("The questions are being brought in: all of them, or none."),
}
"""What is being done while an import is in this state."""
READING_STEPS: Sentences = {
    "checking": _("Each line of the file is being accounted for; nothing is written yet."),
    "comparing": _(
        "What answers earn is being compared with the rules of the file; nothing is written yet."
    ),
    "languages": _("The language of each item is being found; nothing is written yet."),
    "matching": _(
        "The items are being compared with the questions of the bank; nothing is written yet."
    ),
    "planning": _("Planning what to do with each item; nothing is written yet."),
}
"""What is being done between the reading of a file and its plan, by step."""

PAIR_BASES: Sentences = {
    "words": _("by their words"),
    "value": _("they say the same"),
    "rest": _("the ones left over"),
    "place": _("by their places alone: compare"),
}
"""Why two options are paired."""

MERGE_ERRORS: Sentences = {
    "draft_changed": _("A draft was changed meanwhile: look once more."),
    "match_gone": _("One of the two is retired or has both languages by now."),
    "row_paired_twice": _("Each option goes with one other: look once more."),
}
"""Why two questions were not merged."""

EXPORT_WARNINGS: Sentences = {
    "arrow_left_out": _("An arrow (->) would part the answer; the question is left out."),
    "score_feedback_changed": _("Feedback by score begins at other scores."),
    "score_feedback_left_out": _("Feedback by score is left out."),
    "cell_too_long": _("A text is too long for a cell; the question is left out."),
    "characters_left_out": _("Characters that the file cannot hold are left out."),
    "combination_feedback_left_out": _("Feedback for combinations is left out."),
    "comparison_stricter": _(
        "Accents, blanks, punctuation and kinds of quotes and dashes count there."
    ),
    "end_blanks_left_out": _("Blanks around an answer do not count there."),
    "digits_left_out": _("How many digits must be written is not asked there."),
    "feedback_left_out": _("Feedback for single parts is left out."),
    "hints_left_out": _("Its hints are left out."),
    "reading_link_left_out": _("The link to read on is left out."),
    "safe_left_out": _("Which texts may be shown before the right answers is not said there."),
    "key_missing": _("It has no right answer yet; the question is left out."),
    "kind_not_held": _("The format has no such questions."),
    "language_missing": _("The question has no text in this language."),
    "languages_left_out": _("Its other languages are left out."),
    "licence_untold": _("The bank has no licence; the file says “unknown”."),
    "line_like_a_mark": _("A line looks like a mark of the format; the card is left out."),
    "lower_bound_left_out": _("How far its score can fall below zero is different there."),
    "lines_left_out": _("Several lines become one."),
    "markup_changed": _("A text would be shown a little differently there."),
    "markup_left_out": _("Emphasis, code and formulas become plain words."),
    "media_left_out": _("A picture, sound or film does not go along."),
    "media_missing": _("A file that it shows is not there."),
    "name_changed": _("A name holds characters that the file cannot, and was changed."),
    "none_apply_left_out": _("That none may be right cannot be chosen there."),
    "number_rounded": _("A number without an end is rounded."),
    "number_too_long": _("A share with too many digits is left out."),
    "number_unreadable": _("A number cannot be read."),
    "pattern_left_out": _("A pattern is left out."),
    "pinned_left_out": _("Options that keep their place are shuffled there."),
    "rows_left_out": _("A part of the question is left out: %(part)s."),
    "rubric_left_out": _("The rubric is left out."),
    "scoring_method_left_out": _("Partial credit is paid differently there."),
    "setting_left_out": _("A setting is left out: %(part)s."),
    "share_not_offered": _("What an option earns is rounded there to a share that is offered."),
    "share_rounded": _("What an answer earns is rounded there."),
    "shares_stretched": _("Its right answers do not earn everything together; there they do."),
    "shuffle_left_out": _("That options keep their order is left out."),
    "source_untold": _("The bank does not say where it comes from; the file says “unknown”."),
    "statement_as_choice": _(
        "True or false cannot cost points there; it goes out as a choice of one option."
    ),
    "tags_left_out": _("Its tags are left out."),
    "text_left_out": _("A text is left out: %(part)s."),
    "tolerance_left_out": _("A number with this kind of tolerance is left out."),
    "too_many_options": _("It has too many options for the format."),
    "unchosen_left_out": _("Feedback for options not chosen is left out."),
    "unit_feedback_left_out": _("Feedback for missing and wrong units is left out."),
    "wildcard_left_out": _("An accepted answer with a star for any text is left out."),
    "words_left_out": _("The words for true and false are those of the other system."),
}
"""What a format cannot hold."""

IMPORT_ERRORS: Sentences = {
    "infected": _("The virus scanner found something in a picture, sound or film of the file."),
    "not_scanned": _(
        "The virus scanner gives no answer, so nothing was written. Send the file again later."
    ),
    "SoftTimeLimitExceeded": _("It took too long, and was stopped."),
    "bank_changed": _("The bank was changed meanwhile."),
    "busy": _("Other files are being read at the moment. Choose the file again in a few seconds."),
    "draft_has_problems": _("It cannot be published as it is."),
    "file_has_errors": _("The file cannot be read."),
    "file_kills_readers": _("Reading the file was broken off several times."),
    "file_too_large": _("The file has %(size)s bytes; %(maximum)s are the most."),
    "file_too_slow": _("Reading it takes too long. Divide the file in parts."),
    "format_ambiguous": _("It can be read as %(formats)s: name the format."),
    "format_not_writable": _("This format cannot be written."),
    "format_unknown": _("This is no file of a format that is known here."),
    "import_failed": _(
        "The import failed: a mistake of the program, which was noted for those who mend it."
    ),
    "killed": _("It was broken off each time that it was begun."),
    "plan_failed": _(
        "What the file would bring cannot be told: a mistake of the program, which was noted for"
        " those who mend it."
    ),
    "too_slow": _("It took too long, and was stopped."),
}
"""Why nothing of a file was imported."""

FILE_ERRORS: Sentences = {
    "file_too_heavy": _("Reading it takes more memory than there is. Divide the file in parts."),
    "file_too_slow": _("Reading it takes too long. Divide the file in parts."),
    "item_too_deep": _("It is nested too deeply to be read."),
    "no_header": _(
        "No row of it names columns of questions, such as “question” and “correct”: nothing of it"
        " was read. The first cell with text is %(where)s."
    ),
    "reader_failed": _(
        "Reading this failed: a mistake of the program, which was noted for those who mend it."
    ),
    "text_in_sheet": _(
        "It has text in one column, from cell %(where)s on; no row names columns of questions, and"
        " the text is in no known format: nothing of it was read."
    ),
    "too_many_cells": _(
        "A sheet may have %(cells)s cells. Delete empty rows and columns, or divide the file."
    ),
    "too_many_items": _("A file may have %(items)s questions or cards. Divide it in parts."),
}
"""What keeps a whole file out; other errors have only the reader's own message."""

MATCHES: Sentences = {
    "duplicate": _("It looks like “%(question)s”, which the bank has (%(percent)s%%)."),
    "proposed": _("It may be “%(question)s” in another language (%(percent)s%%)."),
    "merged": _("It is “%(question)s” in another language (%(percent)s%%)."),
}
"""The question of the bank that an item is, or may be."""

MATCH_REASONS: Sentences = {
    "key_differs": _("Other options are right."),
    "kindred_words": _("Kindred words: %(words)s."),
    "out_of_order": _("Its position differs."),
    "rows_differ": _("One has %(left)s options or parts, the other %(right)s."),
    "same_code": _("The same code: %(words)s."),
    "same_key": _("The same options are right."),
    "same_name": _("The same name."),
    "same_names": _("The same names: %(words)s."),
    "same_numbers": _("The same numbers: %(words)s."),
    "same_order": _("Its position is the same."),
    "same_structure": _("The same kind of question, with as many options or parts."),
    "shared_tags": _("The same tags: %(words)s."),
}
"""Why two questions may be one, and what speaks against it."""

KEY_CHANGES: Sentences = {
    "differs": _("They differ in what is right: what the bank says stays."),
    "proposed": _("The bank does not know what is right; the file says it, and it is proposed."),
    "stands": _("The file does not say what is right; the bank does, and it is proposed."),
}
"""What merging two questions means for the key; of other changes there is nothing to say."""

FORMAT_LABELS: Sentences = {
    "aiken": "Aiken",
    "anki-apkg": _("Anki deck (apkg)"),
    "anki-tsv": _("Anki notes as text"),
    "checklist": _("Markdown checklist"),
    "csv": _("Sheet (CSV)"),
    "flashcards": _("Cards typed as text"),
    "gift": "GIFT",
    "h5p": "H5P",
    "kahoot": _("Kahoot sheet"),
    "letter_key": _("Text with a letter key"),
    "moodle-xml": "Moodle XML",
    "olx": "OLX",
    "ochenta-bank/1": _("Bank file of Ochenta (YAML)"),
    "qti-1.2": "QTI 1.2",
    "qti-2": "QTI 2.1, 2.2",
    "qti-3": "QTI 3.0",
    "text2qti": "text2qti",
    "transcript": _("Result page copied as text"),
    "xlsx": _("Sheet (XLSX)"),
}
"""The names of the formats."""


def describe_import_error(error: ServiceError) -> str:
    """Return why nothing of a file was imported."""
    formats = [describe(name, FORMAT_LABELS) for name in error.detail.get("formats", ())]
    return describe(error.code, IMPORT_ERRORS, {**error.detail, "formats": ", ".join(formats)})


def describe_file_error(error: Mapping[str, Any]) -> str:
    """Return what keeps a whole file out; `error` has a code and the reader's own message."""
    if error["code"] not in FILE_ERRORS:
        return str(error["message"])
    detail = {**asdict(READING_LIMITS), "where": error["where"]}
    return describe(error["code"], FILE_ERRORS, detail)


def describe_export_warning(warning: ExportWarning) -> str:
    """Return what a format cannot hold."""
    return describe(warning.code, EXPORT_WARNINGS, warning.detail)


def describe_match(match: LanguageMatch, relation: str) -> str:
    """Return which question an item is or may be (a key of MATCHES), and why."""
    detail = {"question": match.question, "percent": match.percent}
    sentences = [describe(relation, MATCHES, detail), *map(describe_reason, match.reasons)]
    return " ".join(sentences)


def describe_reason(reason: Reason) -> str:
    """Return why two questions may be one, or what speaks against it."""
    return describe(reason.code, MATCH_REASONS, {"words": ", ".join(reason.words), **reason.detail})


def describe_key_change(match: LanguageMatch) -> str:
    """Return what merging means for the key; "" if nothing."""
    return str(KEY_CHANGES.get(match.key_change, ""))


def describe_grades(grade: Fraction | None, pass_threshold: Fraction | None) -> str:
    """Return which grade and which pass mark a file has; "" if it has neither."""
    sentences = []
    if grade is not None:
        sentences.append(gettext("Grade: %(percent)s.") % {"percent": _percent(grade)})
    if pass_threshold is not None:
        percent = _percent(pass_threshold)
        sentences.append(gettext("Pass mark: %(percent)s.") % {"percent": percent})
    return " ".join(sentences)


def _percent(share: Fraction) -> str:
    return append_percent_sign(format_points(share * 100))


def describe_unchecked(count: int) -> str:
    """Return that so many questions were not looked at, for want of time; "" for none."""
    sentence = ngettext(
        "%(n)s question was not looked at: the file is too large. The checks of the bank will.",
        "%(n)s questions were not looked at: the file is too large. The checks of the bank will.",
        count,
    )
    return sentence % {"n": count} if count else ""


def describe_points(points: Fraction | None) -> str:
    """Return how many points an item has in its file; "" if it does not say."""
    return "" if points is None else gettext("Points: %(n)s") % {"n": format_points(points)}
