"""How typed answers are compared, in words: for learners, and for authors who try a key."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from grading.json_types import Content
from grading.short_text.folding import COLLAPSED, COUNTED, IGNORED, Folding
from grading.short_text.sorts import SORTS, WORDS
from grading.short_text.structure import parse_folding

SORT_SENTENCES: Mapping[str, Promise | str] = {
    "words": _(
        "Accents count; capitals do not, nor do ¿ and ¡ before the answer and . , ; : ! ? after it."
    ),
    "code": _(
        "Every sign counts, capitals and blanks within the answer, too; kinds of quotes and dashes"
        " do not."
    ),
    "formula": _("Every sign counts, capitals, too; blanks and kinds of quotes and dashes do not."),
    "exact_text": _("Every character counts: capitals, blanks and kinds of quotes, too."),
    "number": _("A number counts by its value: 0.5, 1/2 and 0,5 are the same."),
}
"""What each sort says to a learner, where the author changed nothing."""

CASE: Mapping[bool, Promise | str] = {
    True: _("Capitals count."),
    False: _("Capitals do not count."),
}
ACCENTS: Mapping[bool, Promise | str] = {
    True: _("Accents count."),
    False: _("Accents do not count."),
}
SPACES: Mapping[str, Promise | str] = {
    COUNTED: _("Each blank counts."),
    COLLAPSED: _("Several blanks count as one."),
    IGNORED: _("Blanks do not count."),
}
PUNCTUATION: Mapping[bool, Promise | str] = {
    True: _("Punctuation counts."),
    False: _("¿ and ¡ before the answer and . , ; : ! ? after it do not count."),
}
TYPOGRAPHY: Promise | str = _("Kinds of quotes and dashes count.")

CHANGE_LABELS: Mapping[str, Promise | str] = {
    "as_written": _("as you wrote it"),
    "other_case": _("with other capitals"),
    "without_accents": _("without accents"),
    "other_number": _("the same number, written otherwise"),
    "full_stop": _("with a full stop"),
    "blanks_around": _("with blanks around it"),
    "more_blanks": _("with more blanks"),
    "without_blanks": _("without blanks"),
    "blanks_at_operators": _("with blanks between the signs"),
    "sign_left_out": _("without a sign"),
    "other_brackets": _("with other brackets"),
    "other_quotes": _("with curly quotes"),
    "other_dashes": _("with long dashes"),
    "plain_signs": _("with the signs of a keyboard"),
    "star_as_text": _("with a text for the star"),
    "star_as_nothing": _("with nothing for the star"),
    "star_other_case": _("with other capitals"),
    "star_sign_left_out": _("without a sign"),
    "pattern_least": _("with the least that the expression takes"),
    "pattern_most": _("with each part of the expression"),
    "pattern_other_case": _("with other capitals"),
    "pattern_sign_left_out": _("without a sign"),
    "text_before": _("with a text before it"),
    "text_after": _("with a text after it"),
}
"""What an example differs in from the accepted answer."""


def describe_comparison(content: Content) -> str:
    """Return what counts in an answer, as a learner is told before answering."""
    folding, _problems = parse_folding(content)
    sort = str(content.get("sort", WORDS))
    # What a star in a key stands for is nothing that a learner can mind.
    if sort in SORTS and replace(folding, wildcards=SORTS[sort].wildcards) == SORTS[sort]:
        return str(SORT_SENTENCES[sort])
    return " ".join(map(str, _list_sentences(folding)))


def _list_sentences(folding: Folding) -> Iterator[Promise | str]:
    if folding.by_value:
        yield SORT_SENTENCES["number"]
    yield CASE[folding.case]
    yield ACCENTS[folding.accents]
    yield SPACES[folding.spaces]
    yield PUNCTUATION[folding.punctuation]
    if folding.typography:
        yield TYPOGRAPHY
