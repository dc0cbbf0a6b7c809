"""What is worth a look in a question or a bank, and what to do about it: one sentence a code."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from quizzes.bank.lint import Severity, Topic

SEVERITY_LABELS: Mapping[Severity, Promise | str] = {
    Severity.ERROR: _("error"),
    Severity.WARNING: _("warning"),
    Severity.HINT: _("hint"),
}

TOPIC_LABELS: Mapping[Topic, Promise | str] = {
    Topic.PUBLISHING: _("Cannot be published"),
    Topic.SCORING: _("Guessing"),
    Topic.ACCEPTED: _("Accepted answers"),
    Topic.WORDING: _("Wording of options"),
    Topic.FEEDBACK: _("Feedback"),
    Topic.LANGUAGES: _("Translation"),
    Topic.DUPLICATES: _("Duplicates"),
    Topic.KEY_BIAS: _("Patterns in the right answers"),
    Topic.FILES: _("Files"),
    Topic.DISPLAY: _("How texts are shown"),
}

FINDINGS: Mapping[str, Promise | str] = {
    "select_all_pays": _(
        "Ticking everything earns %(credit)s of the points; add wrong options, "
        "or choose another scoring."
    ),
    "guessing_pays": _(
        "Guessing earns %(credit)s of the points on average; add options, "
        "or choose another scoring."
    ),
    "same_for_all_pays": _(
        "Choosing the same match for everything earns %(credit)s of the points; "
        "use more of the matches."
    ),
    "hint_names_key": _(
        "This hint names a right answer; learners see it before the right answers are shown."
    ),
    "safe_text_names_key": _(
        "This text may be shown before the right answers, but names one; change it, or do not "
        "let it be shown before."
    ),
    "cost_without_effect": _(
        "A wrong answer is to take points away, but the lowest score is 0: it never costs "
        "anything. Set a lowest score below 0, or let it earn 0."
    ),
    "anything_counts": _("Whatever is typed earns %(credit)s of the points; accept less."),
    "needs_markup": _(
        "Learners would have to type the markup of “%(text)s”; accept the words alone."
    ),
    "signs_ignored": _(
        "“%(text)s” is compared without %(signs)s: “%(bare)s” is accepted, too. Let punctuation "
        "count, or choose another sort of answer."
    ),
    "typographic_signs": _(
        "Keyboards have no %(signs)s: learners would have to type “%(text)s” exactly so. Accept "
        "“%(plain)s”, too, or let kinds of quotes and dashes not count."
    ),
    "looks_like_code": _(
        "“%(text)s” looks like code, but is compared as words: capitals and repeated blanks do "
        "not count. Choose “code or identifier” if they should."
    ),
    "several_answers": _(
        "“%(text)s” looks like several answers; give each of them a row of its own."
    ),
    "long_answer": _(
        "Few people type %(n)s words exactly so; accept a shorter answer, "
        "or write * for what does not matter."
    ),
    "exact_measure": _("Only exactly %(value)s is accepted; add a tolerance."),
    "same_option": _("Another option says the same; remove one, or word it differently."),
    "catch_all_option": _(
        "It speaks of the other options: who knows one of them need not read on. "
        "Name what is meant instead."
    ),
    "catch_all_shuffled": _(
        "It speaks of the other options, but they are shuffled; pin it, "
        "or name what is meant instead."
    ),
    "double_negative": _(
        "The question is negative, and %(n)s options say “not”; ask for what is true instead."
    ),
    "long_option": _("It has %(n)s characters; options of at most %(most)s are easier to compare."),
    "no_feedback": _("There is no feedback; a sentence of explanation helps learners."),
    "some_feedback": _("%(n)s of %(all)s options have feedback; the others say nothing."),
    "no_translation": _("It has no %(language)s version, unlike most questions of the bank."),
    "untranslated": _("It is the same as in the source language; is it translated yet?"),
    "numbers_differ": _("Its numbers are not those of the source language."),
    "code_differs": _("Its code is not that of the source language."),
    "formulas_differ": _("Its formulas are not those of the source language."),
    "listings_differ": _("It has more or fewer blocks of code than the source language."),
    "files_differ": _("It shows more or fewer files than the source language."),
    "duplicate": _("It says the same as “%(of)s”; keep one of the two."),
    "near_duplicate": _("It says nearly the same as “%(of)s”; are both needed?"),
    "same_prompt": _("It asks the same as “%(of)s”, with other options; are both needed?"),
    "key_leans": _(
        "Number %(place)s is right in %(n)s of %(all)s questions with %(options)s options "
        "that are not shuffled; let them be shuffled, or move some."
    ),
    "mostly_true": _("%(n)s of %(all)s statements are true; add some that are false."),
    "mostly_false": _("%(n)s of %(all)s statements are false; add some that are true."),
    "longest_is_right": _(
        "The longest option is right in %(n)s of %(all)s questions; word the others as fully."
    ),
    "catch_all_is_right": _(
        "The option that speaks of all the others is right in %(n)s of %(all)s questions; "
        "let it be wrong as often."
    ),
    "file_unused": _("No question shows the file “%(file)s”; let it go if nobody needs it."),
}
"""What the lint alone says; what it shares with the authoring page is among the problems."""
