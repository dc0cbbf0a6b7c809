"""One sentence a code: reasons, scoring methods, refusals, format errors, moments of reveal."""

from collections.abc import Container, Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from quizzes.publishing.policies import Policies, RevealPolicy

Sentences = Mapping[str, str | Promise]

REASONS: Sentences = {
    "right_chosen": _("Chosen, and right"),
    "partly_right_chosen": _("Chosen, and partly right"),
    "wrong_chosen": _("Chosen, but wrong"),
    "missed": _("Right, but not chosen"),
    "rightly_left": _("Rightly not chosen"),
    "unanswered": _("Not answered"),
    "not_chosen": _("Not chosen"),
    "withdrawn": _("Chosen, but no longer offered"),
    "wrong_order_costs": _("What an order that is not right costs"),
    "not_all_right": _("Not everything was right, so it earns nothing"),
    "not_below_zero": _("Never below zero"),
    "not_below_bound": _("Never below the least that the question can earn"),
    "not_above_one": _("Never above the full points"),
    "start": _("Starts with the full points"),
    "first_error": _("The first mistake takes half"),
    "second_error": _("The second mistake takes half of the rest"),
    "too_many_errors": _("Too many mistakes: it earns nothing"),
    "number_accepted": _("This number is accepted"),
    "number_not_accepted": _("This number is not among those accepted"),
    "too_few_digits": _("Right, but with too few digits"),
    "other_reading": _("Which of two numbers is meant was not said; the better one counts"),
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
    "follows_rightly": _("The right next item"),
    "follows_wrongly": _("Not the right next item"),
    "in_run": _("In the longest stretch in the right order"),
    "outside_run": _("Not in the longest stretch in the right order"),
    "not_placed": _("New since the answer was given"),
    "by_distance": _("For the distance of the other items from their right places"),
    "level_reached": _("The level reached"),
    "marked_by_a_person": _("Graded by a person"),
    "overridden": _("Changed by a person"),
    "full_credit_given": _("Full credit for everybody"),
    "accepted": _("Among the accepted answers"),
    "accepted_partly": _("Accepted for part of the points"),
    "known_wrong": _("An answer known to be wrong"),
    "not_accepted": _("Not among the accepted answers"),
    "near_miss": _("Nearly an accepted answer"),
    "full_credit": _("All the points"),
    "partial_credit": _("A part of the points"),
    "no_credit": _("No points"),
    "negative_credit": _("It costs points"),
    "ungraded": _("Not graded"),
    "second_grade_missing": _("A second person has yet to grade it"),
    "grades_differ": _("Two people graded it differently"),
}

OUTCOMES: Sentences = {
    "correct": _("right"),
    "partially_correct": _("partly right"),
    "incorrect": _("wrong"),
    "unanswered": _("not answered"),
    "answered": _("answered"),
    "needs_grading": _("waiting to be graded"),
    "ungraded": _("not graded"),
    "hidden": _("not shown"),
}


SCORING_METHODS: Sentences = {
    "all_or_nothing": _(
        "You earn the points if you choose all right answers and no wrong one; otherwise nothing."
    ),
    "right_minus_wrong": _(
        "Each right answer earns an equal share, each wrong one takes a share away; "
        "never below zero."
    ),
    "each_option": _(
        "Each option counts by itself: choosing a right one earns a share, and so does "
        "leaving out a wrong one."
    ),
    "coverage": _(
        "You earn more the more of the right answers you find and the fewer wrong ones you choose. "
        "For example, 2 of 3 right answers alone earn 2/3 of the points, and together with a "
        "wrong one 4/9."
    ),
    "halves": _("The first mistake halves the points, the second halves them again."),
    "minus_missed": _(
        "Each right answer earns a share; each wrong one and each missed one takes a share away; "
        "never below zero."
    ),
    "option_weights": _(
        "Each option has a weight of its own; the weights of what you chose add up."
    ),
    "study": _("Study cards are not scored."),
    "rubric": _("A person reads your text and grades it."),
    "accepted_answers": _(
        "Your answer is compared with a list of accepted answers, and some of them may earn "
        "only a part. For example, “Marie Curie” may earn all the points and “Curie” half of "
        "them."
    ),
    "per_gap": _("Each gap earns its part of the points; a wrong one costs nothing."),
    "gap_weights": _(
        "Each gap earns its part of the points, or some of it, by what you choose; a wrong choice "
        "may take points away."
    ),
    "per_pair": _("Each right pair earns its part of the points; a wrong one costs nothing."),
    "exact_place": _(
        "Each item in its right place earns an equal share. For example, 3 items of 4 in "
        "their places earn 3/4 of the points."
    ),
    "adjacent_pairs": _(
        "You earn a share for each item placed directly after the one it should follow. For "
        "example, if the right order is A, B, C, D, the order B, C, D, A keeps 2 of the 3 "
        "steps and earns 2/3 of the points."
    ),
    "longest_run": _(
        "Your longest stretch in the right order counts. For example, if the right "
        "order is A, B, C, D, the order D, A, B, C has A, B, C in a row, 2 of the 3 steps, "
        "and earns 2/3 of the points."
    ),
    "absolute_position": _(
        "The nearer each item is to its right place, the more you earn. For example, if the "
        "right order is A, B, C, D, the order B, A, C, D earns 3/4 of the points, and the "
        "reverse order earns nothing."
    ),
}

PENALIZING_SCORING_METHODS: Sentences = {
    "right_minus_wrong": _(
        "Each right answer earns an equal share, each wrong one takes a share away."
    ),
    "minus_missed": _(
        "Each right answer earns a share; each wrong one and each missed one takes a share away."
    ),
    "option_weights": SCORING_METHODS["option_weights"],
    "gap_weights": SCORING_METHODS["gap_weights"],
    "per_gap": _("Each gap earns its part of the points; some wrong answers take points away."),
    "accepted_answers": _("Some wrong answers cost points; others earn nothing."),
}
"""How methods score that can take points away, where the question may go below zero."""

ORDERING_PENALTIES: Sentences = {
    "exact_place": _(
        "Each item in its right place earns an equal share; each other one takes points away."
    ),
    "adjacent_pairs": _(
        "You earn a share for each item placed directly after the one it should follow; each "
        "other one takes points away."
    ),
    "all_or_nothing": _("Only the complete right order earns points; any other takes some away."),
}
"""How orders score of which wrong parts cost something."""

REFUSALS: Sentences = {
    "no_attempts_left": _("You have used all your attempts at this quiz."),
    "gave_up": _("You have given up further attempts at this quiz to see the right answers."),
    "nothing_to_give_up": _("Giving up further attempts would show you nothing more."),
    "passed_already": _("You have passed this quiz already."),
    "attempt_open": _("An attempt at this quiz is not graded yet. Finish it first."),
    "practice_only": _("This quiz is for practice: no attempt at it is graded."),
    "nothing_to_practise": _("There is no question to practise here."),
    "unanswered": _("Answer the question first."),
    "took_too_long": _(
        "Checking this answer took too long. It counts as no try: change it and check it again."
    ),
    "closed": _("This quiz is closed."),
    "not_open_yet": _("This quiz is not open yet."),
    "cooling_down": _("There is a pause between attempts; it is not over yet."),
    "window_full": _("You have used all attempts of this period. You get more later."),
    "paused": _("Your instructor has paused this quiz. You can begin when it goes on."),
    "numbers_unconfirmed": _(
        "The answer has a number that can be read in two ways. Say which one you mean, then go on."
    ),
    "elsewhere": _("This attempt is open on another device."),
    "void": _("This attempt was voided, so nothing can be submitted."),
}

FORMAT_ERRORS: Sentences = {
    "none_apply_with_options": _(
        "“None of these applies” and other answers exclude each other. Choose one or the other."
    ),
    "too_many_chosen": _("Only one answer can be chosen here."),
    "unknown_option": _("This answer is not among those offered. Choose again."),
    "not_a_number": _(
        "This cannot be read as a number. Write digits, or a fraction like 1/3, and a unit only "
        "if one may be given. It costs nothing."
    ),
    "ambiguous_number": _(
        "This could be two different numbers. Leave out the marks between thousands."
    ),
    "number_too_long": _("This number is too long."),
    "exponent_too_large": _("This power of ten is too large."),
    "zero_denominator": _("A number cannot be divided by zero."),
    "unknown_gap": _("This text no longer has this gap. Reload the page."),
    "unknown_left": _("This answer is not among those offered. Choose again."),
    "unknown_right": _("This answer is not among those offered. Choose again."),
    "same_place": _("Two items stand at one place. Give each a place of its own."),
    "order_incomplete": _("Not every item has a place yet. Give each one, or none for no answer."),
    "not_a_place": _("This place is not among those offered. Choose again."),
    "text_too_long": _("This is too long for an answer. Make it shorter."),
    "control_character": _("It contains a character that cannot be saved. Type it again."),
    "not_a_text": _("This is not text. Type it again."),
}

REVEAL_MOMENTS: Sentences = {
    "after_submit": _("As soon as you have submitted, you see: %(parts)s."),
    "after_pass": _("Once you have passed, you see: %(parts)s."),
    "after_last_attempt": _(
        "Once you have passed, used your last attempt, or given up further ones, you see:"
        " %(parts)s."
    ),
    "after_close": _("When the quiz has closed for everyone, you see: %(parts)s."),
    "never": _("You never see %(parts)s."),
}

REVEALED: Sentences = {
    "score": _("your score"),
    "correctness": _("what was right and wrong"),
    "feedback": _("feedback on the answers you chose"),
    "hints": _("hints and where to read on"),
    "key": _("the right answers"),
    "explanation": _("the explanations"),
}

REVEALED_TO_LEARNERS: Sentences = {
    "score": _("their score"),
    "correctness": _("what was right and wrong"),
    "feedback": _("feedback on the answers they chose"),
    "hints": _("hints and where to read on"),
    "key": _("the right answers"),
    "explanation": _("the explanations"),
}
"""What is revealed, as one says it to their instructor."""


def describe_reason(code: str) -> str:
    """Return why a line of a ledger earned what it earned, as a sentence."""
    return str(REASONS.get(code, code))


def describe_scoring_method(name: str) -> str:
    """Return how a scoring method scores, in one sentence."""
    return str(SCORING_METHODS.get(name, ""))


def describe_single_answer_scoring() -> str:
    """Return how questions with one right answer score."""
    return gettext("A question with one right answer earns its points if yours is right.")


def describe_attempt_limits(policies: Policies) -> list[str]:
    """Return how many attempts a period allows, and how long the pause between two is."""
    sentences = []
    if policies.window_attempts:
        times = ngettext("%(count)s attempt", "%(count)s attempts", policies.window_attempts) % {
            "count": policies.window_attempts
        }
        hours = ngettext("%(count)s hour", "%(count)s hours", policies.window_hours) % {
            "count": policies.window_hours
        }
        sentences.append(
            gettext("At most %(attempts)s in %(hours)s") % {"attempts": times, "hours": hours}
        )
    if (pause := policies.cooldown_minutes) > 0:
        minutes = ngettext(
            "%(count)s minute between two attempts", "%(count)s minutes between two attempts", pause
        )
        sentences.append(minutes % {"count": pause})
    return sentences


def describe_taking_rules(policies: Policies) -> list[str]:
    """Return what one cannot do while taking a quiz, to know before it begins."""
    sentences = []
    if policies.lock_questions:
        sentences.append(
            gettext(
                "The questions come one after the other, and you cannot go back: once you go on, "
                "a question is locked."
            )
        )
    if policies.one_device:
        sentences.append(
            gettext(
                "One device at a time: if you open the attempt on another, it can go on there, and "
                "no longer on the first."
            )
        )
    return sentences


def describe_refusal(code: str) -> str:
    """Return why the rules refuse."""
    return str(REFUSALS.get(code) or gettext("This is not possible now."))


def describe_unconfirmed_numbers(slots: Sequence[int]) -> str:
    """Return that numbers of these slots can be read in two ways, and what to do before submitting.

    No slots: nothing.
    """
    if not slots:
        return ""
    numbers = ", ".join(str(slot + 1) for slot in slots)
    return ngettext(
        "The answer to question %(numbers)s has a number that can be read in two ways. "
        "Say which one you mean, then submit.",
        "The answers to questions %(numbers)s have numbers that can be read in two ways. "
        "Say which ones you mean, then submit.",
        len(slots),
    ) % {"numbers": numbers}


def describe_format_error(code: str) -> str:
    """Return what is wrong with an answer."""
    return str(FORMAT_ERRORS.get(code) or gettext("This answer could not be read. Choose again."))


def describe_reveal(policy: RevealPolicy, moments: Container[str] = REVEAL_MOMENTS) -> list[str]:
    """Return when what will be shown: one sentence a moment, in order of time."""
    return [
        str(sentence) % {"parts": ", ".join(str(name) for name in names)}
        for moment, sentence in REVEAL_MOMENTS.items()
        if moment in moments
        and (names := [name for part, name in REVEALED.items() if getattr(policy, part) == moment])
    ]


def describe_reveal_effect(policies: Policies, closing: str) -> list[str]:
    """Return what learners will see and when, to their instructor: a sentence a moment.

    `closing` says when the last window closes; "" where one never does.
    """
    moments = _list_reveal_times(policies, closing)
    sentences = []
    for moment, when in moments.items():
        parts = [part for part in REVEALED_TO_LEARNERS if getattr(policies.reveal, part) == moment]
        names = [str(REVEALED_TO_LEARNERS[part]) for part in parts]
        if policies.reveal.all_options and "feedback" in parts:
            names[parts.index("feedback")] = gettext("feedback on all answers")
        if names:
            what = {"parts": ", ".join(names), "when": when}
            sentence = (
                gettext("Learners see %(when)s: %(parts)s.")
                if when
                else gettext("Learners never see %(parts)s.")
            )
            sentences.append(sentence % what)
    if not closing and "after_close" in _list_moments(policies.reveal):
        sentences.append(
            gettext("A window of this quiz has no closing time, so it never closes for everyone.")
        )
    return sentences


def _list_reveal_times(policies: Policies, closing: str) -> dict[str, str]:
    """Return in words when each moment comes in a quiz with these policies; "": never."""
    end = gettext("after %(time)s, when the last window closes") % {"time": closing}
    passed = gettext("once they have passed")
    last = (
        gettext("once they have passed or given up")
        if policies.max_attempts is None
        else gettext("once they have passed, used their last attempt or given up")
    )
    with_end = gettext("%(moment)s, and everyone else %(end)s") % {"moment": last, "end": end}
    return {
        "after_submit": gettext("at once"),
        "after_pass": passed,
        "after_last_attempt": with_end if closing else last,
        "after_close": end if closing else "",
        "never": "",
    }


def _list_moments(policy: RevealPolicy) -> list[str]:
    return [getattr(policy, part) for part in REVEALED]
