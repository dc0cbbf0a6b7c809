"""Codes become sentences here: scoring methods, refusals, moments; and exact numbers, figures."""

from decimal import Decimal
from fractions import Fraction
from string import ascii_uppercase

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from grading.totals import decimal_string
from quizzes.publishing.policies import Policies, RevealPolicy

Words = dict[str, str | Promise]

MINUS = "\N{MINUS SIGN}"
PLACES = 10_000
"""Four decimals: what an author may write, so what these can hold is shown so."""

SCORING_METHODS: Words = {
    "all_or_nothing": _("All the right answers and no wrong one earn the points; else nothing."),
    "right_minus_wrong": _(
        "Each right answer earns an equal share, each wrong one takes a share away; "
        "never below zero."
    ),
    "each_option": _("Each option counts by itself: rightly chosen or rightly left earns a share."),
    "coverage": _(
        "What counts is how much of the right you found, and how much of what you chose was right."
    ),
    "halves": _("The first mistake halves the points, the second halves them again."),
    "minus_missed": _(
        "Each right answer earns a share; each wrong one and each missed one takes a share away; "
        "never below zero."
    ),
    "option_weights": _(
        "Each option has a weight of its own; the weights of what you chose add up."
    ),
    "study": _("Cards for study are not scored."),
    "rubric": _("A person reads your text and marks it."),
    "accepted_answers": _("The first accepted answer that yours matches says what it earns."),
    "per_gap": _("Each gap earns its part of the points; a wrong one costs nothing."),
    "per_pair": _("Each right pair earns an equal share; a wrong one costs nothing."),
    "exact_place": _("Each item in its right place earns an equal share."),
    "adjacent_pairs": _(
        "What counts is which neighbours stand together rightly: "
        "each that comes right after the one it should follow earns an equal share."
    ),
    "longest_run": _(
        "What counts is the longest run of items that follow each other rightly; "
        "a single item is no run."
    ),
    "absolute_position": _(
        "What counts is how near each item stands to its right place: "
        "the further away, the less is earned."
    ),
}

REFUSALS: Words = {
    "no_attempts_left": _("You have used all your attempts at this quiz."),
    "closed": _("This quiz is closed."),
    "not_open_yet": _("This quiz is not open yet."),
    "cooling_down": _("There is a pause between two attempts; it is not over yet."),
    "window_full": _("You have used the attempts of this period. Later there will be more."),
    "void": _("This attempt was annulled, so nothing can be submitted."),
}

UNREADABLE: Words = {
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
    "number_too_long": _("This is too long for a number."),
    "exponent_too_large": _("This power of ten is too large."),
    "zero_denominator": _("Nothing can be divided by zero."),
    "unknown_gap": _("This text has no such gap any more. Load the page again."),
    "unknown_left": _("This answer is not among those offered. Choose again."),
    "unknown_right": _("This answer is not among those offered. Choose again."),
    "same_place": _("Two items stand at one place. Give each a place of its own."),
    "order_incomplete": _("Not every item has a place yet. Give each one, or none for no answer."),
    "not_a_place": _("This place is not among those offered. Choose again."),
    "text_too_long": _("This is too long for an answer. Make it shorter."),
    "control_character": _("There is a character in it that cannot be kept. Type it anew."),
    "not_a_text": _("This is no text. Type it anew."),
}

MOMENTS: Words = {
    "after_submit": _("As soon as you have submitted"),
    "after_pass": _("Once you have passed"),
    "after_last_attempt": _("Once you have passed or used your last attempt"),
    "after_close": _("When the quiz has closed for everyone"),
    "never": _("Never"),
}

REVEALED: Words = {
    "score": _("your score"),
    "correctness": _("what was right and wrong"),
    "feedback": _("what is said about the answers you chose"),
    "key": _("the right answers"),
    "explanation": _("the explanations"),
}


def describe_scoring_method(name: str) -> str:
    """Return how a scoring method scores, in one sentence."""
    return str(SCORING_METHODS.get(name, ""))


def plainly() -> str:
    """Return how questions with one right answer score."""
    return gettext("A question with one right answer earns its points if yours is right.")


def pace(policies: Policies) -> list[str]:
    """Return how often one may try within a time, and how long the pause between is."""
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
        minutes = ngettext("%(count)s minute between two", "%(count)s minutes between two", pause)
        sentences.append(minutes % {"count": pause})
    return sentences


def refusal(code: str) -> str:
    """Return why the rules refuse."""
    return str(REFUSALS.get(code) or gettext("This is not possible now."))


def unreadable(code: str) -> str:
    """Return what is wrong with an answer."""
    return str(UNREADABLE.get(code) or gettext("This answer could not be read. Choose again."))


def reveals(policy: RevealPolicy) -> list[str]:
    """Return when what will be shown: one sentence a moment, in order of time."""
    return [
        f"{words}: {', '.join(str(name) for name in names)}."
        for moment, words in MOMENTS.items()
        if (names := [name for part, name in REVEALED.items() if getattr(policy, part) == moment])
    ]


def figure(value: Fraction) -> str:
    """Write points for people, exactly: 8, 0.08, 26 1/3; with the reader's decimal sign."""
    if PLACES % value.denominator == 0:
        return _localised(decimal_string(value, 4))
    return share(value)


def share(value: Fraction) -> str:
    """Return a part of a question's points as a fraction: 2/3, 1."""
    sign = MINUS if value < 0 else ""
    integer, rest = divmod(abs(value.numerator), value.denominator)
    if not rest:
        return f"{sign}{integer}"
    return f"{sign}{f'{integer} ' if integer else ''}{rest}/{value.denominator}"


def signed(value: Fraction) -> str:
    """Write a share with its sign, a plus included."""
    return f"+{share(value)}" if value > 0 else share(value)


def percent(share: Fraction) -> str:
    """Write a pass mark: 80 %."""
    return f"{_localised(decimal_string(share * 100, 4))}\N{NO-BREAK SPACE}%"


def _localised(number: str) -> str:
    return number_format(Decimal(number)).replace("-", MINUS)


def letter(place: int) -> str:
    """Return the letter of a place, from 0: A to Z, then AA, AB."""
    before, last = divmod(place, len(ascii_uppercase))
    return (letter(before - 1) if before else "") + ascii_uppercase[last]
