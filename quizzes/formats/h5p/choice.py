"""Content that is answered by choosing: H5P.MultiChoice, H5P.TrueFalse, H5P.SingleChoiceSet."""

from dataclasses import replace

from quizzes.formats.builders import Head, Option, choice, true_false
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.h5p.item import Item, Refused
from quizzes.formats.parsing.boolean_words import OWN_LANGUAGES
from quizzes.formats.parsing.json_tree import Value

_FEWEST = 2
_WHOLE = 100


def multiple_choice(item: Item, head: Head) -> ParsedQuestion:
    """Read a choice; which kind it is, its type tells, or how many options are right."""
    options = [_option(item, part) for part in item.params.get("answers").items]
    right = sum(option.right for option in options)
    many = _many(item, right)
    _look(item, options)
    if not right:
        item.note("none_is_right" if many else "key_unknown", item.params.get("answers"))
    if right > 1 and not many:
        item.note("several_right_options", item.params.get("answers"))
    head = replace(head, prompt=item.prompt(item.params.get("question")))
    return choice(
        head,
        options,
        many=many,
        scoring_method=_scoring_method(item) if many else "",
        shuffle=item.set("randomAnswers", default=True),
        none_apply=many and not right,
        bands=item.bands(),
    )


def truth(item: Item, head: Head) -> ParsedQuestion:
    """Read a statement; in languages in which we do not say true and false, as a choice."""
    said = item.params.get("correct")
    if said.text() not in {"true", "false"}:
        raise Refused("key_unknown", said)
    right = said.text() == "true"
    behaviour = item.params.get("behaviour")
    told = {
        right: item.markdown(behaviour.get("feedbackOnCorrect")),
        not right: item.markdown(behaviour.get("feedbackOnWrong")),
    }
    head = replace(head, prompt=item.prompt(item.params.get("question")))
    if head.language in OWN_LANGUAGES:
        return true_false(head, right=right, feedback=told)
    words = item.params.get("l10n")
    options = [
        Option(item.markdown(words.get(name)) or english, value == right, feedback=told[value])
        for value, name, english in ((True, "trueText", "True"), (False, "falseText", "False"))
    ]
    return choice(head, options, many=False, shuffle=False)


def first_is_right(item: Item, head: Head) -> ParsedQuestion:
    """Read one question of a set: its first answer is the right one."""
    answers = item.params.get("answers").items
    options = [
        Option(item.markdown(answer), place == 0, line=answer.line)
        for place, answer in enumerate(answers)
    ]
    _look(item, options)
    return choice(
        replace(head, prompt=item.prompt(item.params.get("question"))), options, many=False
    )


def _option(item: Item, one: Value) -> Option:
    told = one.get("tipsAndFeedback")
    if tip := item.markdown(told.get("tip")):
        item.note("hint_left_out", told.get("tip"), tip)
    return Option(
        item.markdown(one.get("text")),
        one.get("correct").flag(default=False),
        feedback=item.markdown(told.get("chosenFeedback")),
        unchosen=item.markdown(told.get("notChosenFeedback")),
        line=one.line,
    )


def _many(item: Item, right: int) -> bool:
    """Tell whether several may be chosen; older content says so with another switch."""
    said = item.params.get("behaviour", "type").text()
    if said in {"single", "multi"}:
        return said == "multi"
    older = item.params.get("behaviour", "singleAnswer")
    return not older.flag(default=False) if not said and older.plain is not None else right != 1


def _scoring_method(item: Item) -> str:
    """Tell how several are paid: each by itself, or all or nothing if all must be right."""
    if not item.set("singlePoint", default=False):
        return "right_minus_wrong"
    share = item.params.get("behaviour", "passPercentage").number()
    if share is not None and share < _WHOLE:
        item.note("right_from_a_share", item.params.get("behaviour"))
    return "all_or_nothing"


def _look(item: Item, options: list[Option]) -> None:
    if len(options) < _FEWEST:
        item.note("too_few_options", item.params.get("answers"))
    if not all(option.text for option in options):
        item.note("option_empty", item.params.get("answers"))
