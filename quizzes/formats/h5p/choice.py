"""Content that is answered by choosing: H5P.MultiChoice, H5P.TrueFalse, H5P.SingleChoiceSet."""

from dataclasses import replace

from quizzes.formats.builders import Head, Option, SourceChoice, build_true_false, settle_choice
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.h5p.content_reader import EVERYTHING, ContentReader, ContentRefused
from quizzes.formats.parsing.boolean_words import OWN_WORDS
from quizzes.formats.parsing.json_tree import JsonNode


def read_multiple_choice(content: ContentReader, head: Head) -> ParsedQuestion:
    """Read a choice; which kind it is, its type tells, or how many options are right."""
    answers = content.params.get("answers")
    options = [_read_option(content, answer) for answer in answers.items]
    many = _lets_several(content, right=sum(option.right is True for option in options))
    source = SourceChoice(
        options,
        many=many,
        scoring_method=_read_scoring_method(content) if many else "",
        shuffle=content.read_switch("randomAnswers", default=True),
        score_feedback=content.read_score_feedback(),
        line=answers.line,
        quote=answers.where,
        infers_none_apply=True,
    )
    return _settle(content, head, source)


def read_true_false(content: ContentReader, head: Head) -> ParsedQuestion:
    """Read a statement; in languages in which we do not say true and false, with its words."""
    correct = content.params.get("correct")
    if correct.text() not in {"true", "false"}:
        raise ContentRefused("key_unknown", correct)
    right = correct.text() == "true"
    behaviour = content.params.get("behaviour")
    feedback = {
        right: content.convert(behaviour.get("feedbackOnCorrect")),
        not right: content.convert(behaviour.get("feedbackOnWrong")),
    }
    head = replace(head, prompt=content.read_prompt())
    labels = content.params.get("l10n")
    words = (
        content.convert(labels.get("trueText")) or "True",
        content.convert(labels.get("falseText")) or "False",
    )
    words_or_ours = None if head.language in OWN_WORDS else words
    return build_true_false(head, right=right, feedback=feedback, words=words_or_ours)


def read_single_choice(content: ContentReader, head: Head) -> ParsedQuestion:
    """Read one question of a set: its first answer is the right one."""
    answers = content.params.get("answers")
    options = [
        Option(content.convert(answer), place == 0, line=answer.line)
        for place, answer in enumerate(answers.items)
    ]
    source = SourceChoice(options, many=False, line=answers.line, quote=answers.where)
    return _settle(content, head, source)


def _settle(content: ContentReader, head: Head, source: SourceChoice) -> ParsedQuestion:
    head = replace(head, prompt=content.read_prompt())
    parsed, notes = settle_choice(head, source)
    content.notes += notes
    return parsed


def _read_option(content: ContentReader, answer: JsonNode) -> Option:
    feedback = answer.get("tipsAndFeedback")
    if tip := content.convert(feedback.get("tip")):
        content.note("hint_left_out", feedback.get("tip"), tip)
    return Option(
        content.convert(answer.get("text")),
        answer.get("correct").flag(default=False),
        feedback=content.convert(feedback.get("chosenFeedback")),
        unchosen=content.convert(feedback.get("notChosenFeedback")),
        line=answer.line,
    )


def _lets_several(content: ContentReader, right: int) -> bool:
    """Return whether several may be chosen; older content says so with another switch."""
    choice_type = content.params.get("behaviour", "type").text()
    if choice_type in {"single", "multi"}:
        return choice_type == "multi"
    older = content.params.get("behaviour", "singleAnswer")
    if not choice_type and older.plain is not None:
        return not older.flag(default=False)
    return right != 1


def _read_scoring_method(content: ContentReader) -> str:
    """Return how several are paid: each by itself, or all or nothing if all must be right."""
    if not content.read_switch("singlePoint", default=False):
        return "right_minus_wrong"
    share = content.params.get("behaviour", "passPercentage").number()
    if share is not None and share < EVERYTHING:
        content.note("right_from_a_share", content.params.get("behaviour"))
    return "all_or_nothing"
