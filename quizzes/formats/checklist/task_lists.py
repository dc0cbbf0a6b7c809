"""Which lists of a page are no questions but lists of tasks: boxes that say what is done. Pure."""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from quizzes.formats.checklist.checklist_question import ChecklistQuestion
from quizzes.formats.checklist.line_types import LineType
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.instructions import asks_for_all

_ASKS = re.compile(
    r"[?？؟]|__|\\_\\_|\.{4,}|（[ \u3000]*）|\([ \u3000]{2,9}\)"
    r"|哪[个個些项項一种種条條]|[是于於]什[么麼]|多少|多[长長]|几[个种年]|的[是为為](?=[\s*_]|$)|どれ|どの|무엇"
)
"""What a prompt has that asks: a question mark, a blank, also in brackets, words that ask."""
_INTERROGATIVE = re.compile(
    r"^(?:[^\w\n]|[\d_]){0,20}(?:which|whose|(?:what|who)[ ](?:does|do|did|will|would|happens)"
    r"|how[ ](?:do|does|did|many|much|can)|(?:when|where|why)[ ](?:is|are|do|does|should|would)"
    r"|cuál(?:es)?|cuánt[oa]s?|quelle?s?|welche[rs]?|qual|quais|quale|quali)[ ]\S+(?:[ ]\S+){2}",
    re.IGNORECASE | re.MULTILINE,
)
"""How a prompt begins that asks without a question mark."""
_MARKS = "*_`\\ \t"
_FEWEST_WORDS = 4
"""Of a sentence that ends in a colon: "Acceptance criteria:" is none."""
_MOST_TITLE_WORDS = 2
"""Of a title that asks nothing: "Kitchen", "In progress"."""
_PLANS = re.compile(
    r"[\W\d_]*(?:to[ -]?do|tasks?|plan|phase|stage|step|checklist|requirements?|acceptance|criteria"
    r"|goals?|milestone|sprint|backlog|roadmap|deliverables?|setup|fase|etapa|paso|tareas?|objetivos?"
    r"|pendientes?|requisitos?|hito|aufgaben?|schritt)\b",
    re.IGNORECASE,
)
"""How the title of a list of tasks begins."""
_TASK_VERBS = re.compile(
    r"[\W\d_]*(?:prepare|improve|repair|fix|add|implement|update|set[ ]up|deploy|refactor|remove"
    r"|install|configure|build|document|review|migrate|clean|buy|call|finish|release|publish|ship"
    r"|preparar|mejorar|arreglar|reparar|añadir|agregar|implementar|actualizar|instalar|configurar"
    r"|desplegar|revisar|migrar|limpiar|comprar|terminar|publicar)\b",
    re.IGNORECASE,
)
"""How the title of a task begins that is no question: "Improve the speed of the pages"."""
_STATE_WORDS = re.compile(
    r"[\W\d_]*(?:(?:the|current|el|our)[ ]){0,2}(?:state|status|progress|tasks?|estado|avance"
    r"|progreso|tareas?|stand|zustand|aufgaben)\b",
    re.IGNORECASE,
)
"""How the title of a list of states begins: "Status of the servers"."""
_LAST_LATIN = "\u02ff"
_COUNTS_TASKS = re.compile(
    r"[#\s*_]*(?:task|tarea|tarefa|aufgabe|tâche|P\d|F\d|D\d|\d)", re.IGNORECASE
)
"""How a label begins that may count other things than questions: tasks, phases, chapters."""


@dataclass(frozen=True, slots=True)
class PageLists:
    """What the lists of a page are, by the first lines of their questions.

    `several`: all others of the page let several be chosen. `tasks` may be no questions, and of
    `lone_answers` the only option is the answer. `right_tails` end right options and no other.
    """

    several: bool
    tasks: frozenset[int]
    lone_answers: frozenset[int]
    right_tails: frozenset[str]


def find_task_lists(
    questions: Sequence[ChecklistQuestion], no_tasks: Container[int] = ()
) -> frozenset[int]:
    """Return the first lines of those questions of a page that may be lists of tasks.

    `no_tasks` are the lines of first options of lists that are none.

    Such a list has a title that does not ask. Where all is done it is one; where some is, the
    page tells: on one of questions most ask, or each has one right option.
    """
    listed = [question for question in questions if question.options]
    asking = [
        question.options[0].line.line in no_tasks or _asks_for_sure(question) for question in listed
    ]
    if any(asking) or not any(
        _is_done(question) and not _leads_up(question) for question in listed
    ):
        asking = [
            asks or _leads_up(question) for question, asks in zip(listed, asking, strict=True)
        ]
    is_single = len(listed) > 1 and all(question.ticked == 1 for question in listed)
    is_single = is_single and 2 * sum(map(_is_named_as_tasks, listed)) <= len(listed)
    is_quiz = is_single or 2 * sum(asking) > len(listed)
    silent = [
        question
        for question, asks in zip(listed, asking, strict=True)
        if question.ticked and not asks
    ]
    is_done = any(map(_is_done, silent))
    return frozenset(
        question.line
        for question in silent
        if _is_done(question)
        or (question.ticked > 1 and _is_titled(question))
        or (question.options[0].is_round and _STATE_WORDS.match("\n".join(question.read_prompt())))
        or (not is_quiz and (is_done or question.heading or question.ticked > 1))
    )


def find_lone_answers(questions: Sequence[ChecklistQuestion]) -> frozenset[int]:
    """Return the first lines of questions whose only option has a tick: it answers in words.

    Each asks by itself, or has a number on a page most of whose lists ask.
    """
    listed = [question for question in questions if question.options]
    asking = [question for question in listed if _asks_for_sure(question)]
    is_quiz = 2 * len(asking) > len(listed) and not any(map(_is_named_as_tasks, listed))
    return frozenset(
        question.line
        for question in listed
        if len(question.options) == question.ticked == 1
        and (_ASKS.search("\n".join(question.read_prompt())) or is_quiz)
    )


def _is_done(question: ChecklistQuestion) -> bool:
    """Return whether all its boxes have a tick."""
    return question.ticked == len(question.options) > 1


def _is_titled(question: ChecklistQuestion) -> bool:
    """Return whether a heading, that is no label, is all that stands above its options."""
    heading = question.heading
    if heading is None or heading.type is not LineType.HEADING or heading.labelled:
        return False
    return not any(line.has_words for line in question.stem)


def _is_named_as_tasks(question: ChecklistQuestion) -> bool:
    """Return whether its title is one or two words, or a word of plans: "Kitchen", "Phase 2"."""
    if not _is_titled(question) or question.heading is None:
        return False
    title = question.heading.text.strip(_MARKS)
    if len(title.split()) <= _MOST_TITLE_WORDS or _PLANS.match(title):
        return True
    return _TASK_VERBS.match(title) is not None


def _asks_for_sure(question: ChecklistQuestion) -> bool:
    """Return whether its prompt asks, or whether it is a statement that is true or false."""
    heading, first = question.heading, question.options[0]
    words = "\n".join(question.read_prompt())
    if question.own or question.settings or (first.is_round and not _STATE_WORDS.match(words)):
        return True
    if any("*" in option.line.mark for option in question.options):
        return True
    if heading and heading.labelled and not _COUNTS_TASKS.match(heading.lines[0]):
        return True
    if {parse_boolean(option.line.text) for option in question.options} == {True, False}:
        return True
    asks = _ASKS.search(words) or _INTERROGATIVE.search(words)
    return asks is not None or asks_for_all(words)


def _leads_up(question: ChecklistQuestion) -> bool:
    """Return whether its prompt ends so that the options go on from it.

    On a page on which nothing asks and a list is done it may be a title of tasks.
    """
    words = "\n".join(question.read_prompt()).rstrip()
    last = words.rpartition("\n")[2].strip(_MARKS)
    if last.endswith((":", "：")):
        return len(last.split()) >= _FEWEST_WORDS or last[:1] > _LAST_LATIN
    return last.endswith(("…", "..."))
