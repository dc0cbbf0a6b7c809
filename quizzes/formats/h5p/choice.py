"""Content that is answered by choosing: H5P.MultiChoice, H5P.TrueFalse, H5P.SingleChoiceSet."""

from dataclasses import replace

from quizzes.formats.builders import Head, Option, build_true_false
from quizzes.formats.builders.choice_settling import SourceChoice, settle_choice
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.h5p.item import Item, Refused
from quizzes.formats.parsing.boolean_words import OWN_LANGUAGES
from quizzes.formats.parsing.json_tree import Value

_WHOLE = 100


def read_multiple_choice(item: Item, head: Head) -> ParsedQuestion:
    """Read a choice; which kind it is, its type tells, or how many options are right."""
    answers = item.params.get("answers")
    options = [_read_option(item, answer) for answer in answers.items]
    many = _lets_several(item, right=sum(option.right is True for option in options))
    source = SourceChoice(
        options,
        many=many,
        scoring_method=_read_scoring_method(item) if many else "",
        shuffle=item.set("randomAnswers", default=True),
        score_feedback=item.bands(),
        line=answers.line,
        quote=answers.where,
        nothing_right_is_none=True,
    )
    return _settle(item, head, source)


def read_true_false(item: Item, head: Head) -> ParsedQuestion:
    """Read a statement; in languages in which we do not say true and false, with its words."""
    correct = item.params.get("correct")
    if correct.text() not in {"true", "false"}:
        raise Refused("key_unknown", correct)
    right = correct.text() == "true"
    behaviour = item.params.get("behaviour")
    feedback = {
        right: item.markdown(behaviour.get("feedbackOnCorrect")),
        not right: item.markdown(behaviour.get("feedbackOnWrong")),
    }
    head = replace(head, prompt=item.prompt(item.params.get("question")))
    labels = item.params.get("l10n")
    words = (
        item.markdown(labels.get("trueText")) or "True",
        item.markdown(labels.get("falseText")) or "False",
    )
    words_or_ours = None if head.language in OWN_LANGUAGES else words
    return build_true_false(head, right=right, feedback=feedback, words=words_or_ours)


def read_single_choice(item: Item, head: Head) -> ParsedQuestion:
    """Read one question of a set: its first answer is the right one."""
    answers = item.params.get("answers")
    options = [
        Option(item.markdown(answer), place == 0, line=answer.line)
        for place, answer in enumerate(answers.items)
    ]
    source = SourceChoice(options, many=False, line=answers.line, quote=answers.where)
    return _settle(item, head, source)


def _settle(item: Item, head: Head, source: SourceChoice) -> ParsedQuestion:
    head = replace(head, prompt=item.prompt(item.params.get("question")))
    parsed, notes = settle_choice(head, source)
    item.notes += notes
    return parsed


def _read_option(item: Item, answer: Value) -> Option:
    feedback = answer.get("tipsAndFeedback")
    if tip := item.markdown(feedback.get("tip")):
        item.note("hint_left_out", feedback.get("tip"), tip)
    return Option(
        item.markdown(answer.get("text")),
        answer.get("correct").flag(default=False),
        feedback=item.markdown(feedback.get("chosenFeedback")),
        unchosen=item.markdown(feedback.get("notChosenFeedback")),
        line=answer.line,
    )


def _lets_several(item: Item, right: int) -> bool:
    """Return whether several may be chosen; older content says so with another switch."""
    choice_type = item.params.get("behaviour", "type").text()
    if choice_type in {"single", "multi"}:
        return choice_type == "multi"
    older = item.params.get("behaviour", "singleAnswer")
    if not choice_type and older.plain is not None:
        return not older.flag(default=False)
    return right != 1


def _read_scoring_method(item: Item) -> str:
    """Return how several are paid: each by itself, or all or nothing if all must be right."""
    if not item.set("singlePoint", default=False):
        return "right_minus_wrong"
    share = item.params.get("behaviour", "passPercentage").number()
    if share is not None and share < _WHOLE:
        item.note("right_from_a_share", item.params.get("behaviour"))
    return "all_or_nothing"
