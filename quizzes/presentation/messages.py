"""Codes become sentences here, the same for learners and for those who teach."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REASONS: Mapping[str, Promise] = {
    "right_chosen": _("Chosen, and right"),
    "wrong_chosen": _("Chosen, but wrong"),
    "missed": _("Right, but not chosen"),
    "rightly_left": _("Rightly not chosen"),
    "unanswered": _("Not answered"),
    "not_chosen": _("What was not chosen"),
    "withdrawn": _("Chosen, but no longer offered"),
    "not_all_right": _("Not everything was right, so nothing remains"),
    "not_below_zero": _("Never below zero"),
    "not_above_one": _("Never above the whole"),
    "start": _("Everything, to begin with"),
    "first_error": _("The first mistake takes half"),
    "second_error": _("The second mistake takes half of the rest"),
    "too_many_errors": _("Too many mistakes: nothing remains"),
    "number_accepted": _("This number is accepted"),
    "number_not_accepted": _("This number is not among those accepted"),
    "too_few_digits": _("Right as far as it goes, but written with too few digits"),
    "no_unit": _("The unit is missing"),
    "wrong_unit": _("The unit is not the right one"),
    "gap_right": _("This gap is right"),
    "gap_partly": _("This gap is partly right"),
    "gap_wrong": _("This gap is wrong"),
    "right_pair": _("A right pair"),
    "wrong_pair": _("A wrong pair"),
    "not_paired": _("Not paired"),
    "in_place": _("In its right place"),
    "out_of_place": _("Not in its right place"),
    "follows_rightly": _("Comes where it should in turn"),
    "follows_wrongly": _("Does not come where it should in turn"),
    "in_run": _("In the longest right run"),
    "outside_run": _("Not in the longest right run"),
    "not_placed": _("New since the answer was given"),
    "by_distance": _("For how far the other items stand from their right places"),
    "level_reached": _("The level reached"),
    "marked_by_a_person": _("Marked by a person"),
    "accepted": _("Among the accepted answers"),
    "accepted_partly": _("Among the answers that earn a part"),
    "known_wrong": _("An answer known to be wrong"),
    "not_accepted": _("Not among the accepted answers"),
    "near_miss": _("Nearly an accepted answer"),
    "full_credit": _("All the points"),
    "partial_credit": _("A part of the points"),
    "no_credit": _("No points"),
    "ungraded": _("Not graded"),
    "second_mark_missing": _("A second person has yet to mark it"),
    "marks_differ": _("Two persons marked it differently"),
}


def reason(code: str) -> str:
    """Return why a line of a ledger earned what it earned, as a sentence."""
    return str(REASONS.get(code, code))
