"""What the parts of a question are called on the authoring page, and a sentence where one helps.

A part that is new here is called by its own name, so a kind needs no line to be authored.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from grading.schema import Field, FieldType, Table, Text
from quizzes.instructor.questions.field_values import TypedValue

LabelText = Promise | str


@dataclass(frozen=True, slots=True)
class FieldLabel:
    """What a part is called, and what an author should know about it."""

    name: LabelText
    help: LabelText = ""


@dataclass(frozen=True, slots=True)
class TableLabel:
    """What a table is called, one row of it, adding one. `aside`: seldom used, closed if empty."""

    name: LabelText
    row: LabelText
    add: LabelText
    help: LabelText = ""
    optional: bool = False


FIELDS: Mapping[str, FieldLabel] = {
    "shuffle": FieldLabel(_("Shuffle")),
    "none_apply": FieldLabel(_("Offer “none of these”")),
    "sort": FieldLabel(
        _("What is typed"),
        _(
            "Words: capitals, repeated blanks and . , ; : ! ? around the answer do not count; "
            "accents do. Code: every sign counts, but not blanks around the answer, nor kinds of "
            "quotes and dashes, which phones change. Formula: as code, and no blank counts. Exact "
            "text: every character counts, blanks around the answer and kinds of quotes and "
            "dashes, too. Number: 0.5, 1/2 and 0,5 are the same; what is no number is compared as "
            "words. For tolerances and units, choose the kind “number”."
        ),
    ),
    "case": FieldLabel(_("Capitals"), _("Where they count, “Paris” and “paris” are two answers.")),
    "accents": FieldLabel(_("Accents"), _("Where they count, “más” and “mas” are two answers.")),
    "spaces": FieldLabel(
        _("Blanks"),
        _("Where they do not count, “ice cream” is “icecream”, but “no table” is “notable”, too."),
    ),
    "punctuation": FieldLabel(
        _("Punctuation around the answer"),
        _("¿ and ¡ before it, . , ; : ! and ? after it. Signs within the answer always count."),
    ),
    "typography": FieldLabel(
        _("Kinds of quotes and dashes"),
        _(
            'Phones and word processors write “ ” for " ", – for - and … for three full stops. '
            "Where they count, these are other answers; unless it is an exact text, they do not."
        ),
    ),
    "wildcards": FieldLabel(
        _("A star (*) in an accepted answer"),
        _(
            "Stands for any text, so that “New *” takes “New York”, and \\* is a star; or it is the"
            " sign, as in code and formulas."
        ),
    ),
    "penalty": FieldLabel(
        _("Penalty"),
        _(
            "What a wrong part costs: 1 takes as much as it would earn, 1/3 a third of that. "
            "Empty: nothing. It costs points of other questions only where the lowest score is "
            "below zero."
        ),
    ),
    "lower_bound": FieldLabel(
        _("Lowest score"),
        _(
            "A part of the points: -1/3 lets a wrong answer cost a third of them, -1 all of them. "
            "Empty: never below zero. The total of an attempt never is."
        ),
    ),
    "unit": FieldLabel(_("Unit")),
    "unit_credit": FieldLabel(
        _("Credit without the right unit"), _("Part of the points for a right number: 0, 1/2 or 1.")
    ),
    "minimum_words": FieldLabel(_("Minimum words"), _("Empty: no limit.")),
    "maximum_words": FieldLabel(_("Maximum words"), _("Empty: no limit.")),
    "graders": FieldLabel(_("Graders"), _("2: two people grade each answer independently.")),
    "right": FieldLabel(_("Correct")),
    "pinned": FieldLabel(_("Pinned")),
    "weight": FieldLabel(_("Weight")),
    "text": FieldLabel(_("Accepted answer")),
    "credit": FieldLabel(_("Credit")),
    "pattern": FieldLabel(_("Pattern")),
    "value": FieldLabel(_("Number")),
    "tolerance": FieldLabel(_("Tolerance")),
    "margin": FieldLabel(_("Margin")),
    "symbol": FieldLabel(_("Unit")),
    "factor": FieldLabel(_("Factor")),
    "goes_with": FieldLabel(_("Matches")),
    "placeholder": FieldLabel(_("Placeholder")),
    "kind": FieldLabel(_("Kind")),
    "points": FieldLabel(_("Points")),
    "gap": FieldLabel(_("Gap")),
    "criterion": FieldLabel(_("Criterion")),
    "from": FieldLabel(_("From")),
    "chosen": FieldLabel(_("Chosen together")),
    "exactly": FieldLabel(_("And no others")),
    "safe": FieldLabel(_("Early feedback")),
    "explanation_safe": FieldLabel(
        _("Explanation may come early"),
        _("Shown to whoever has not got the question right, before the right answers are."),
    ),
    "otherwise_safe": FieldLabel(_("Feedback when nothing matches may come early")),
    "no_unit_safe": FieldLabel(_("Feedback when the unit is missing may come early")),
    "wrong_unit_safe": FieldLabel(_("Feedback when the unit is wrong may come early")),
}

CHOICES: Mapping[str, LabelText] = {
    "none": _("none"),
    "optional": _("optional"),
    "required": _("required"),
    "exact": _("exactly"),
    "absolute": _("plus or minus"),
    "relative": _("plus or minus, as a fraction"),
    "digits": _("significant digits"),
    "range": _("up to"),
    "single_choice": _("choice"),
    "short_text": _("word"),
    "numeric": _("number"),
    "words": _("words"),
    "code": _("code or identifier"),
    "formula": _("formula"),
    "exact_text": _("exact text"),
    "number": _("number"),
    "counted": _("count"),
    "collapsed": _("one is as good as several"),
    "ignored": _("do not count"),
    "any_text": _("stands for any text"),
    "literal": _("is the sign"),
}

TEXTS: Mapping[str, FieldLabel] = {
    "prompt": FieldLabel(_("Prompt")),
    "hint": FieldLabel(_("Hint"), _("Shown when it is asked for.")),
    "explanation": FieldLabel(_("Explanation")),
    "reading_link": FieldLabel(
        _("Where to read on"),
        _("[what to read](https://…): a link that learners get before the right answers."),
    ),
    "back": FieldLabel(_("Back"), _("What the learner should have remembered.")),
    "otherwise": FieldLabel(_("Feedback when nothing matches")),
    "no_unit": FieldLabel(_("Feedback when the unit is missing")),
    "wrong_unit": FieldLabel(_("Feedback when the unit is wrong")),
}

ROW_TEXTS: Mapping[str, FieldLabel] = {
    "unchosen": FieldLabel(_("Feedback when it is not chosen")),
    "criteria": FieldLabel(_("Criterion")),
    "hint_step": FieldLabel(_("Hint")),
    "levels": FieldLabel(_("Level")),
    "score_feedback": FieldLabel(_("Feedback")),
    "combination_feedback": FieldLabel(_("Feedback")),
}

TABLES: Mapping[str, TableLabel] = {
    "options": TableLabel(_("Options"), _("Option"), _("Add an option")),
    "accepted": TableLabel(
        _("Accepted answers"),
        _("Accepted answer"),
        _("Add an answer"),
        _(
            "The first that matches counts, one list for all languages. * stands for any letters, "
            "\\* for a star. Ticked as a pattern, it is a regular expression."
        ),
    ),
    "numbers": TableLabel(
        _("Accepted numbers"),
        _("Accepted number"),
        _("Add a number"),
        _(
            "Write numbers as 3.14, 1/3 or 6.02e23; the first that matches counts. The margin is "
            "how far off an answer may be (0.05; in parts: 1/100), how many digits must be right, "
            "or the other end of the range."
        ),
    ),
    "units": TableLabel(
        _("Units"),
        _("Unit"),
        _("Add a unit"),
        _(
            "What the typed number is multiplied by: with the answer in metres, km has the factor "
            "1000, cm 1/100."
        ),
        optional=True,
    ),
    "rights": TableLabel(
        _("Choices"),
        _("Choice"),
        _("Add a choice"),
        _(
            "Several items may match the same choice. A choice that matches nothing is a "
            "distractor."
        ),
    ),
    "lefts": TableLabel(_("Items to match"), _("Item"), _("Add an item")),
    "items": TableLabel(_("Items in the right order"), _("Item"), _("Add an item")),
    "gaps": TableLabel(_("Gaps"), _("Gap"), _("Add a gap")),
    "criteria": TableLabel(
        _("Criteria"),
        _("Criterion"),
        _("Add a criterion"),
        _("What the grader rates, one criterion after the other."),
    ),
    "levels": TableLabel(
        _("Levels"),
        _("Level"),
        _("Add a level"),
        _(
            "How well a criterion is met, and the points for it. The best levels of all "
            "criteria add up to the full points."
        ),
    ),
    "hints": TableLabel(
        _("Hints"),
        _("Hint"),
        _("Add a hint"),
        _(
            "Steps towards the answer, each a little more. Whoever has not got the question right "
            "sees them before the right answers; practice gives one after the other."
        ),
        optional=True,
    ),
    "score_feedback": TableLabel(
        _("Feedback by score"),
        _("Score"),
        _("Add a score range"),
        _(
            "Shown from this share of the points on: 0, 1/2 or 80%. If several apply, the "
            "highest one is shown."
        ),
        optional=True,
    ),
    "combination_feedback": TableLabel(
        _("Feedback for a combination"),
        _("Combination"),
        _("Add a combination"),
        _("Shown when these options are chosen together."),
        optional=True,
    ),
}

FEEDBACK: LabelText = _("Feedback")

FIXED_ROWS: Mapping[str, LabelText] = {"true": _("true"), "false": _("false")}


def label_for_field(field: Field) -> FieldLabel:
    """Return the label of a field."""
    return FIELDS.get(field.name) or FieldLabel(_humanize(field.name))


def label_for_choice(value: str) -> LabelText:
    """Return the label of one value of a choice."""
    return CHOICES.get(value) or _humanize(value)


def label_for_text(text: Text) -> FieldLabel:
    """Return the label of a text that is of no row."""
    return TEXTS.get(text.name) or FieldLabel(_humanize(text.name))


def label_for_row_text(text: Text) -> FieldLabel:
    """Return the label of a text of a row."""
    return ROW_TEXTS.get(text.name) or FieldLabel(FEEDBACK if text.is_feedback else _("Text"))


def label_for_table(table: Table) -> TableLabel:
    """Return the label of a table."""
    name = _humanize(table.name)
    return TABLES.get(table.name) or TableLabel(name, name, _("Add a row"))


def describe_value(field: Field, typed: TypedValue, names: Mapping[str, str]) -> str:
    """Return as text what a field holds; `names` are the short names of rows by id."""
    if isinstance(typed, tuple):
        return " ".join(names.get(id_, id_) for id_ in typed)
    if isinstance(typed, bool):
        return gettext("yes") if typed else gettext("no")
    if field.type == FieldType.CHOICE and typed:
        return str(label_for_choice(typed))
    return names.get(typed, typed) if field.type == FieldType.ROW else typed


def _humanize(name: str) -> str:
    return capfirst(name.replace("_", " "))
