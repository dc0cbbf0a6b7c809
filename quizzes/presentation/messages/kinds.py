"""What kinds and scoring methods are called, and what each kind asks of a learner."""

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

KIND_LABELS: Mapping[str, Promise | str] = {
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
KIND_DESCRIPTIONS: Mapping[str, Promise | str] = {
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
SCORING_METHOD_LABELS: Mapping[str, Promise | str] = {
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
    "gap_weights": _("Weights of options in gaps"),
    "rubric": _("By a person, by rubric"),
    "study": _("For study, not scored"),
}


def kind_label(kind: str) -> Promise | str:
    """Return the label of a kind; a kind without one is called by its own name."""
    return KIND_LABELS.get(kind) or capfirst(kind.replace("_", " "))


def scoring_method_label(scoring_method: str) -> Promise | str:
    """Return the label of a scoring method, likewise."""
    return SCORING_METHOD_LABELS.get(scoring_method) or capfirst(scoring_method.replace("_", " "))


def describe_kinds(kinds: Iterable[str]) -> list[tuple[str, Promise | str, Promise | str]]:
    """Return each kind with what it is called and what it asks."""
    return [(kind, kind_label(kind), KIND_DESCRIPTIONS.get(kind, "")) for kind in kinds]
