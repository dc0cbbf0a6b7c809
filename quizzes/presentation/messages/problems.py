"""What is wrong with a question, and what is worth a look: one sentence a code.

A finding says what is the case and what to do about it, and leaves it to the author.
"""

from collections.abc import Mapping
from fractions import Fraction

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from quizzes.bank.lint import Finding
from quizzes.presentation.formatting import append_percent_sign
from quizzes.presentation.messages.findings import FINDINGS

PROBLEMS: Mapping[str, Promise | str] = {
    "wrong_type": _("No question of this kind can have this here."),
    "unknown_field": _("No question of this kind has this."),
    "unknown_kind": _("Choose a kind of question."),
    "unknown_scoring_method": _("This kind is not scored that way; choose another scoring."),
    "too_few_options": _("There must be at least %(minimum)s options; there are %(found)s."),
    "not_a_list": _("There must be at least 2 options; there are none."),
    "nothing_right": _("No option is correct. If “none of these” is the answer, offer it."),
    "right_is_no_list": _("No option is correct. If “none of these” is the answer, offer it."),
    "too_many_right": _("Only one option may be correct here; %(found)s are marked."),
    "unknown_option": _("The key names an option that is not there."),
    "weights_unused": _("Options have weights, but this scoring does not use them."),
    "weight_missing": _("This scoring needs a weight: a part of the points, such as 1/2 or -1/4."),
    "weight_is_no_ratio": _("Write the weight as a number or a fraction: 1, 0.5, 1/3, -1/4."),
    "weight_out_of_range": _("A weight lies between -1 and 1."),
    "lower_bound_is_no_ratio": _("Write the lowest score as a number or a fraction: 0, -1/3, -1."),
    "lower_bound_above_zero": _("The lowest score is 0 or below: 0, -1/3, -1."),
    "penalty_is_no_ratio": _("Write the penalty as a number or a fraction: 1, 0.5, 1/3."),
    "penalty_out_of_range": _("A penalty lies between 0 and 1."),
    "penalty_unused": _("There is a penalty, but this scoring does not use it."),
    "right_option_costs": _("It is marked correct, but its weight takes points away."),
    "wrong_option_earns_all": _("It is not marked correct, but its weight earns all the points."),
    "full_credit_out_of_reach": _("The weights of the correct options do not add up to 1."),
    "not_true_and_false": _("There must be two options: one for true and one for false."),
    "none_apply_not_possible": _("“None of these” makes no sense for true or false."),
    "side_is_no_list": _("There are no items to match yet."),
    "too_few_lefts": _("At least %(minimum)s items to match are needed; there are %(found)s."),
    "too_few_rights": _("At least %(minimum)s choices are needed; there are %(found)s."),
    "goes_with_nothing": _("Choose what it matches."),
    "goes_with_unknown": _("What it matches does not exist."),
    "unknown_left": _("The key matches something that is not there."),
    "pairs_are_no_pairs": _("The pairs of the key cannot be read."),
    "items_are_no_list": _("There are no items to order yet."),
    "too_few_items": _("At least %(minimum)s items to order are needed; there are %(found)s."),
    "not_in_order": _("It has no place in the right order."),
    "unknown_item": _("The right order names something that is not there."),
    "order_is_no_order": _("The right order cannot be read."),
    "row_without_id": _("Row %(position)s has no id."),
    "duplicate_id": _("Another row has this id."),
    "reserved_id": _("This id has a meaning of its own; choose another."),
    "text_missing": _("There is no text here yet."),
    "text_too_long": _("At most 500 characters fit into an accepted answer."),
    "text_unreadable": _("It contains a character that nobody can type."),
    "empty_after_folding": _(
        "Nothing is left of it once punctuation and accents do not count; let them count."
    ),
    "credit_is_no_ratio": _("Write what it earns as a number or a fraction: 1, 0.5, 1/3."),
    "credit_out_of_range": _("What it earns lies between -1 and 1; below 0 it costs points."),
    "accepted_credit_out_of_range": _("What it earns lies between 0 and 1."),
    "never_reached": _(
        "It can never count: “%(by)s” comes first and matches everything that this would."
    ),
    "nothing_accepted": _("There must be at least one accepted answer."),
    "too_many_accepted": _(
        "At most %(maximum)s accepted answers are possible; there are %(found)s."
    ),
    "no_plain_full_credit": _(
        "One accepted answer without a pattern must earn all points: learners see it as right."
    ),
    "pattern_too_long": _("A pattern has at most 500 characters."),
    "pattern_too_large": _(
        "At character %(at)s: the pattern repeats more than can be tried in good time."
    ),
    "patterns_too_large": _("All patterns together are more than can be tried in good time."),
    "pattern_malformed": _("At character %(at)s: the pattern cannot be read here."),
    "pattern_unsupported": _(
        "At character %(at)s: patterns here know no looking around, no references back "
        "and no anchors within."
    ),
    "rows_are_no_list": _("These rows cannot be read."),
    "too_many_rows": _("At most %(maximum)s rows are possible; there are %(found)s."),
    "unknown_choice": _("Choose one of what is offered."),
    "value_missing": _("There is no number here yet."),
    "value_unreadable": _("Write the number as 12, -0.5, 1.2e-3 or 22/7: with a point."),
    "unknown_tolerance": _("Choose a tolerance."),
    "margin_missing": _("Write the margin: an amount, a fraction, digits or the end of the range."),
    "margin_unreadable": _("Write the margin as 0.5, 1e-3 or 1/20: with a point."),
    "margin_unused": _("An exact number has no margin; choose another tolerance, or clear it."),
    "margin_below_zero": _("A margin is not below zero."),
    "digits_out_of_range": _("Significant digits are a whole number from 1 to 30."),
    "empty_range": _("The range ends before it begins."),
    "no_full_credit": _("One accepted number must earn all points."),
    "full_credit_blocked": _(
        "No answer can earn all points: earlier rows match the same, or no text can match it."
    ),
    "symbol_missing": _("The unit has no symbol yet."),
    "symbol_twice": _("This unit is there already."),
    "symbol_unreadable": _("Typed after a number, this would not be read as a unit."),
    "factor_missing": _("Write the factor of this unit; 1 if it changes nothing."),
    "factor_unreadable": _("Write the factor as 1000, 0.01 or 5/18: with a point."),
    "factor_not_positive": _("A factor is greater than zero."),
    "units_unused": _("There are units, but none may be typed; allow a unit or ask for one."),
    "units_missing": _("A unit may be typed, but none is known; name at least one."),
    "no_gaps": _(
        "There is no gap yet: write [[a name]] into the text, and add a gap of that name."
    ),
    "too_many_gaps": _("At most %(maximum)s gaps are possible."),
    "gap_id_not_plain": _(
        "The id of a gap has letters without accents, digits, - and _, 40 at most."
    ),
    "placeholder_not_plain": _(
        "A gap's name has letters without accents, digits, - and _, 40 at most."
    ),
    "placeholder_twice": _("Another gap has this name."),
    "unknown_gap_kind": _("Choose what is asked for in this gap."),
    "pair_points_out_of_range": _("A pair counts 1 to %(maximum)s points, in whole numbers."),
    "gap_points_out_of_range": _("A gap's points are a whole number from 1 to %(maximum)s."),
    "gap_without_right": _("No option of this gap is marked correct."),
    "unknown_gap": _("Say which gap this is for."),
    "gap_of_another_kind": _("This gap asks for something else."),
    "level_without_criterion": _("Say which criterion this level belongs to."),
    "points_out_of_range": _("Points are a whole number from 0 to %(maximum)s."),
    "too_few_levels": _("A criterion has at least %(minimum)s levels; there are %(found)s."),
    "criterion_earns_nothing": _("One level of each criterion must be worth a point or more."),
    "graders_out_of_range": _("One or two people mark an answer."),
    "not_a_count": _("This is a whole number from 0."),
    "limits_crossed": _("The maximum cannot be less than the minimum of %(minimum)s words."),
    "not_true_or_false": _("This is either on or off."),
    "right_is_no_id": _("The key names an option that is not there."),
    "option_without_id": _("An option has no id."),
    "weights_are_no_object": _("The weights cannot be read."),
    "band_is_no_ratio": _("Write the lowest score as a number or a fraction: 0, 1/2, 0.8."),
    "band_out_of_range": _("A score begins between 0 and 1."),
    "band_twice": _("Another row has the same score."),
    "combination_empty": _("Choose the options of the combination."),
    "gap_not_in_text": _("Write [[%(placeholder)s]] once in the text, where a gap is allowed."),
    "missing_text": _("The text is missing in %(language)s."),
    "missing_feedback": _("Another language has a text here; %(language)s has none yet."),
    "missing_hint": _("Another language has a text here; %(language)s has none yet."),
    "reading_link_malformed": _("Write the link as [what to read](https://…), and nothing else."),
    "reading_link_unsafe": _("A link begins with https://; no other address is possible."),
    "outdated_translation": _("The source was changed after this translation was made."),
    "equal_rows": _(
        "Two rows read “%(text)s”, but the key tells them apart: learners cannot. Change one."
    ),
    "markup_too_large": _("The text is too long to be shown."),
    "nested_too_deeply": _("Line %(line)s: nested too deeply, what lies deeper is not shown."),
    "formula_unreadable": _("Line %(line)s: this formula cannot be read: %(detail)s"),
    "too_many_formulas": _("Line %(line)s: too many formulas, the rest stays as typed."),
    "code_language_unknown": _("Line %(line)s: the language of this code is not known: %(detail)s"),
    "tables_too_large": _("Line %(line)s: the tables are too large, they stay as typed."),
    "too_many_brackets": _("Too many brackets: links and pictures stay as typed."),
    "listing_too_long": _("Line %(line)s: this code is too long to be coloured."),
    "picture_not_own": _("Line %(line)s: pictures from elsewhere are not shown: %(detail)s"),
    "media_malformed": _(
        "Line %(line)s: this names no file; copy its words from the bank's files."
    ),
    "media_unknown": _("Line %(line)s: there is no such file in this bank: %(detail)s"),
    "alt_missing": _(
        "Line %(line)s: say between the brackets what is to be seen or heard: %(detail)s"
    ),
    "link_unsafe": _("Line %(line)s: this link is not safe and leads nowhere: %(detail)s"),
}


def describe_problem(code: str, detail: Mapping[str, object]) -> str:
    """Return a problem or a finding as a sentence; an unknown code as words."""
    values = dict(detail)
    if "language" in values:
        values["language"] = language_name(str(values["language"]))
    if "credit" in values:
        values["credit"] = append_percent_sign(str(round(Fraction(str(values["credit"])) * 100)))
    sentence = FINDINGS.get(code) or PROBLEMS.get(code)
    return str(sentence) % values if sentence else code.replace("_", " ")


class _Blanks(dict[str, str]):
    """The details of any finding, each left open."""

    def __missing__(self, name: str) -> str:
        """Return what stands for a detail."""
        return "…"


def describe_rule(code: str) -> str:
    """Return the sentence of a finding for all of them: what differs is an ellipsis."""
    sentence = FINDINGS.get(code) or PROBLEMS.get(code)
    return str(sentence) % _Blanks() if sentence else code.replace("_", " ")


def describe_finding(finding: Finding) -> str:
    """Return what is worth a look as a sentence."""
    return describe_problem(finding.code, finding.figures)


LANGUAGES_WITHOUT_NAME = {
    "am": _("Amharic"),
    "bo": _("Tibetan"),
    "gu": _("Gujarati"),
    "lo": _("Lao"),
    "or": _("Odia"),
    "si": _("Sinhala"),
    "zh": _("Chinese"),
}
"""What readers recognise and Django has no name of."""


def language_name(code: str) -> str:
    """Return the name of a language: its own, where the site has texts in it; else a translation.

    Of one without a name, its code.
    """
    if code in (names := dict(settings.LANGUAGES) | LANGUAGES_WITHOUT_NAME):
        return str(names[code])
    try:
        return str(get_language_info(code)["name_translated"])
    except KeyError:
        return code
