"""Writing questions that are answered by choosing, pairing and putting in order."""

from fractions import Fraction

from grading.json_types import ratio_from_json
from quizzes.formats.contract import ParsedRow
from quizzes.formats.moodle.choice import BAND_TEXTS, ORDERS, PARTLY
from quizzes.formats.moodle.item_writer import Page, percent, yes
from quizzes.lib.markup import plain

OFFERED = frozenset(
    "0 5 10 11.11111 12.5 14.28571 16.66667 20 25 30 33.33333 40 50 60 66.66667 70 75 80 83.33333"
    " 90 100".split()
)
"""The shares that Moodle knows; any other it makes the nearest of these, or refuses."""
_WORDS = {"true": {"True", "Verdadero"}, "false": {"False", "Falso"}}


def choice(page: Page) -> None:
    """Write options with what each pays."""
    many = page.question.kind == "multiple_choice"
    page.add("single", yes(not many))
    page.add("shuffleanswers", yes(page.field("shuffle", default=True)))
    if many:
        page.note_scoring_method("right_minus_wrong", "option_weights")
    else:
        page.note_scoring_method("all_or_nothing", "option_weights")
    if page.field("none_apply"):
        page.warn("none_apply_left_out")
    right = [row for row in page.rows("options") if row.values.get("right")]
    for row in page.rows("options"):
        earned = _earned(page, row, len(right) or 1, many=many)
        if percent(abs(earned)) not in OFFERED:
            page.warn("share_not_offered", share=percent(earned))
        if row.values.get("pinned"):
            page.warn("pinned_left_out")
        page.answer(
            page.row(row, "options"), earned, page.row(row, "options", told=True), markup=True
        )
    page.warn_of_texts("unchosen_left_out", ("options", "unchosen"))
    page.warn_of_texts(
        "combination_feedback_left_out", ("combination_feedback", "combination_feedback")
    )
    bands(page)


def _earned(page: Page, row: ParsedRow, right: int, *, many: bool) -> Fraction:
    if page.question.scoring_method == "option_weights":
        return ratio_from_json(row.values.get("weight", [0, 1]))
    if row.values.get("right"):
        return Fraction(1, right) if many else Fraction(1)
    return Fraction(-1, right) if many else Fraction(0)


def true_false(page: Page) -> None:
    """Write a statement."""
    for row in page.rows("options"):
        value = yes(row.values.get("value", row.name == "true"))
        if page.row(row, "options") not in _WORDS[value]:
            page.warn("words_left_out")
        earned = Fraction(1 if row.values.get("right") else 0)
        page.answer(value, earned, page.row(row, "options", told=True), markup=False)
    page.warn_of_texts("unchosen_left_out", ("options", "unchosen"))
    page.warn_of_texts("score_feedback_left_out", ("score_feedback", "score_feedback"))


def matching(page: Page) -> None:
    """Write pairs; a right that nothing goes with has no left."""
    page.note_scoring_method("per_pair")
    page.add("shuffleanswers", yes(page.field("shuffle", default=True)))
    rights = {row.name: _right(page, row) for row in page.rows("rights")}
    used = set()
    for row in page.rows("lefts"):
        right = str(row.values.get("goes_with"))
        used.add(right)
        node = page.markdown("subquestion", page.row(row, "lefts"))
        page.plain("answer", rights.get(right, ""), node)
    for name, text in rights.items():
        if name not in used:
            page.plain("answer", text, page.markdown("subquestion", ""))
    page.warn_of_texts("feedback_left_out", ("lefts", "lefts"))
    bands(page)


def _right(page: Page, row: ParsedRow) -> str:
    """Give a right as plain words: there they have no markup."""
    text = page.row(row, "rights")
    words = plain(text)
    if any(mark in text for mark in "*`$\n![<|") and words != text:
        page.warn("markup_left_out")
    return words


def ordering(page: Page) -> None:
    """Write an order, for the plug-in that knows such questions."""
    scoring_methods = {ours: theirs for theirs, ours in ORDERS.items()}
    page.note_scoring_method("all_or_nothing", "exact_place", "adjacent_pairs")
    page.add("layouttype", "VERTICAL")
    page.add("selecttype", "ALL")
    page.add("selectcount", "0")
    page.add("gradingtype", scoring_methods[page.question.scoring_method])
    for place, row in enumerate(page.rows("items"), start=1):
        node = page.answer(page.row(row, "items"), Fraction(0), "", markup=True)
        node.set("fraction", str(place))
    page.warn_of_texts("feedback_left_out", ("items", "items"))
    bands(page)


def bands(page: Page) -> None:
    """Write what is said to what is right, partly right and wrong; there are no other bands."""
    texts = {
        ratio_from_json(row.values.get("from", [0, 1])): page.row(row, "score_feedback", told=True)
        for row in page.rows("score_feedback")
    }
    between = sorted(begins for begins in texts if 0 < begins < 1)
    if between and between != [PARTLY]:
        page.warn("score_feedback_changed")
        texts[PARTLY] = texts[between[0]]
    for begins, name in BAND_TEXTS.items():
        if texts.get(begins):
            page.markdown(name, texts[begins])
