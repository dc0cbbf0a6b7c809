"""Questions that are answered by choosing, pairing and putting in order."""

from fractions import Fraction

from quizzes.formats import builders
from quizzes.formats.builders import Head, Option, SourceChoice, settle_choice
from quizzes.formats.builders.answer_settling import SourcePair, settle_pairs
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.moodle.question_element import QuestionElement, read_raw
from quizzes.formats.parsing.xml import XmlNode
from quizzes.lib.markup.escape import escape_markdown

PARTLY_RIGHT_FROM = Fraction(1, 1000)
"""Where the band of what is partly right begins: above nothing."""
BAND_TEXTS = {
    Fraction(1): "correctfeedback",
    PARTLY_RIGHT_FROM: "partiallycorrectfeedback",
    Fraction(0): "incorrectfeedback",
}
ORDERS = {
    "ALL_OR_NOTHING": "all_or_nothing",
    "ABSOLUTE_POSITION": "exact_place",
    "RELATIVE_NEXT_EXCLUDE_LAST": "adjacent_pairs",
    "LONGEST_CONTIGUOUS_SUBSET": "longest_run",
    "RELATIVE_TO_CORRECT": "absolute_position",
}
"""How the plug-in grades, and our scoring method that pays the same or nearly so."""
_NEAR_METHODS = {
    "RELATIVE_NEXT_INCLUDE_LAST": "adjacent_pairs",
    "RELATIVE_ONE_PREVIOUS_AND_NEXT": "adjacent_pairs",
    "RELATIVE_ALL_PREVIOUS_AND_NEXT": "absolute_position",
}
_SAME_METHOD = frozenset({"ALL_OR_NOTHING", "ABSOLUTE_POSITION", "RELATIVE_NEXT_EXCLUDE_LAST"})
_TRUTHS = {"true": True, "false": False}
_MINIMUM = 2


def read_choice(question: QuestionElement, head: Head) -> ParsedQuestion:
    """Read a choice of one or of several, with what each option earns."""
    options = [
        Option(
            text=question.convert(answer),
            weight=question.read_credit(answer),
            feedback=question.read_feedback(answer),
            line=answer.line,
        )
        for answer in question.find_all("answer")
    ]
    many = not question.read_flag("single", default=True)
    parsed, notes = settle_choice(
        head,
        SourceChoice(
            options,
            many=many,
            lower_bound=Fraction(0) if many else None,  # only a choice of one costs points there
            shuffle=question.read_flag("shuffleanswers", default=True),
            score_feedback=read_score_feedback(question),
        ),
    )
    question.notes += notes
    return parsed


def read_true_false(question: QuestionElement, head: Head) -> ParsedQuestion:
    """Read a statement; where both answers are right, or neither, its key is not known."""
    answers = {
        truth: answer
        for answer in question.find_all("answer")
        if (truth := _TRUTHS.get(read_raw(answer).strip().lower())) is not None
    }
    credit_by_truth = {truth: question.read_credit(answer) for truth, answer in answers.items()}
    right = [truth for truth, credit in credit_by_truth.items() if credit == 1]
    for truth, credit in credit_by_truth.items():
        if credit not in {0, 1}:
            question.note(
                "share_without_effect", answers[truth], answers[truth].get("fraction", "")
            )
    if len(right) != 1:
        question.note("key_unknown")
    return builders.build_true_false(
        head,
        right=right[0] if len(right) == 1 else None,
        feedback={truth: question.read_feedback(answer) for truth, answer in answers.items()},
    )


def read_matching(question: QuestionElement, head: Head) -> ParsedQuestion:
    """Read pairs; only a question whose pairs are dragged may have markup on the right."""
    has_markup = question.node.get("type") == "ddmatch"
    source = []
    for node in question.find_all("subquestion"):
        left, answer = question.convert(node), node.find("answer")
        if has_markup and isinstance(answer, XmlNode):
            right = question.convert(answer)
        else:
            right = escape_markdown(" ".join(read_raw(answer).split()))
        source.append(SourcePair(left, right, node.line, " ".join(left.split())))
    pairs, distractors, notes = settle_pairs(source, line=head.line)
    question.notes += notes
    shuffle = question.read_flag("shuffleanswers", default=True)
    parsed = builders.build_matching(head, pairs, distractors, shuffle=shuffle)
    return builders.add_score_feedback(parsed, head.language, read_score_feedback(question))


def read_ordering(question: QuestionElement, head: Head) -> ParsedQuestion:
    """Read an order, which is that of the file."""
    texts = [question.convert(answer) for answer in question.find_all("answer")]
    if len(texts) < _MINIMUM or not all(text.strip() for text in texts):
        question.note("too_few_items")
    if question.read_value("selecttype", "ALL").upper() not in {"ALL", "0"}:
        question.note("part_of_items_asked", None, question.read_value("selectcount"))
    grading_type = question.read_value("gradingtype", "ABSOLUTE_POSITION").upper()
    if grading_type not in _SAME_METHOD:
        question.note("grading_nearly_the_same", None, grading_type)
    method = (ORDERS | _NEAR_METHODS).get(grading_type, "exact_place")
    parsed = builders.build_ordering(head, texts, scoring_method=method)
    return builders.add_score_feedback(parsed, head.language, read_score_feedback(question))


def read_score_feedback(question: QuestionElement) -> dict[Fraction, str]:
    """Return the feedback on right, partly right and wrong answers, by the score it begins at."""
    texts = {begins: question.read_markdown(name) for begins, name in BAND_TEXTS.items()}
    return {begins: text for begins, text in texts.items() if text.strip()}
