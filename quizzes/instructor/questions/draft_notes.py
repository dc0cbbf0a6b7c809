"""Labels of kinds and scoring methods, and all that is to be said of a draft, place by place."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from grading.contract import Problem
from quizzes.bank.sayings import say
from quizzes.document import QuestionDocument, find_problems, find_warnings
from quizzes.lib import markup

KINDS: Mapping[str, Promise | str] = {
    "single_choice": _("Single choice"),
    "multiple_choice": _("Multiple choice"),
    "true_false": _("True or false"),
    "short_text": _("Short text"),
    "numeric": _("Number"),
    "matching": _("Matching"),
    "ordering": _("Ordering"),
    "cloze": _("Text with gaps"),
    "essay": _("Essay"),
    "flashcard": _("Flashcard"),
}
ASKED: Mapping[str, Promise | str] = {
    "single_choice": _("One of several options is right."),
    "multiple_choice": _("Any number of options may be right."),
    "true_false": _("A statement to judge."),
    "short_text": _("A word or a phrase is typed."),
    "numeric": _("A number is typed, with a unit if wanted."),
    "matching": _("Each thing is matched with another."),
    "ordering": _("Things are put in their order."),
    "cloze": _("Gaps in a text are filled in: by choosing, with words, with numbers."),
    "essay": _("A text is written, and marked by a person with a rubric."),
    "flashcard": _("A card to study with: front and back, never graded."),
}
SCORING_METHODS: Mapping[str, Promise | str] = {
    "all_or_nothing": _("All or nothing"),
    "right_minus_wrong": _("Right minus wrong"),
    "each_option": _("Every decision counts"),
    "coverage": _("Coverage"),
    "halves": _("Half for each error"),
    "minus_missed": _("Wrong and missed cost"),
    "option_weights": _("Weights of options"),
    "accepted_answers": _("The first match counts"),
    "per_pair": _("Each pair counts"),
    "exact_place": _("Each thing in its place"),
    "adjacent_pairs": _("Each pair of neighbours"),
    "longest_run": _("The longest run in order"),
    "absolute_position": _("How far from its place"),
    "per_gap": _("Each gap counts"),
    "rubric": _("By a person, by rubric"),
    "study": _("For study, not scored"),
}


def kind_name(kind: str) -> Promise | str:
    """Return the label of a kind; a kind without one is called by its own name."""
    return KINDS.get(kind) or capfirst(kind.replace("_", " "))


def scoring_method_label(scoring_method: str) -> Promise | str:
    """Return the label of a scoring method, likewise."""
    return SCORING_METHODS.get(scoring_method) or capfirst(scoring_method.replace("_", " "))


def kinds_described(kinds: Iterable[str]) -> list[tuple[str, Promise | str, Promise | str]]:
    """Return each kind with what it is called and what it asks."""
    return [(kind, kind_name(kind), ASKED.get(kind, "")) for kind in kinds]


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence at one place; a problem keeps the draft from being published."""

    where: str
    text: str
    blocks: bool


def list_draft_notes(
    document: QuestionDocument, of_files: Iterable[Problem] = ()
) -> tuple[Note, ...]:
    """Name all that is wrong with a draft, what blocks it first; `of_files` its bank told."""
    return tuple(
        [_build_note(problem, blocks=True) for problem in (*find_problems(document), *of_files)]
        + [_build_note(problem, blocks=False) for problem in find_warnings(document)]
        + list(_list_markup_notes(document))
    )


def _build_note(problem: Problem, *, blocks: bool) -> Note:
    return Note(problem.where, say(problem.code, problem.detail), blocks)


def _list_markup_notes(document: QuestionDocument) -> Iterator[Note]:
    for code in {*document.words, *document.feedback}:
        for where, text in document.iter_texts(code):
            if len(text) > markup.MAX_CHARACTERS:
                continue  # that is no mere note: it blocks
            for problem in markup.markup_warnings(text):
                message = say(problem.code, {"line": problem.line, "detail": problem.detail})
                yield Note(where, message, blocks=False)
