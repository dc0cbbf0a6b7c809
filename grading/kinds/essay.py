"""A free text, marked by a person with a rubric; word limits are shown, not enforced."""

from collections.abc import Iterator, Mapping, Sequence

from grading.contract import (
    InvalidAnswer,
    ItemScore,
    NeedsManualGrading,
    Problem,
    PublicQuestion,
    check_scoring_method,
)
from grading.essay import scoring
from grading.essay.structure import parse_key
from grading.essay.word_count import MAXIMUM, MINIMUM, load_limits
from grading.json_types import Answer, Content, Json, Key
from grading.parsing import list_no_parts, read_object, refuse_order
from grading.schema import (
    EXPLANATION_SAFE,
    HINTS,
    LEARNING_TEXTS,
    PROMPT,
    SCORE_FEEDBACK,
    Field,
    FieldType,
    QuestionSchema,
    Table,
    Text,
)

name = "essay"
scoring_methods: tuple[str, ...] = ("rubric",)
schema = QuestionSchema(
    texts=(PROMPT, *LEARNING_TEXTS),
    fields=(
        Field(MINIMUM, FieldType.COUNT),
        Field(MAXIMUM, FieldType.COUNT),
        Field("graders", FieldType.COUNT, secret=True, default=1),
        EXPLANATION_SAFE,
    ),
    tables=(
        Table("criteria", texts=(Text("criteria", required=True, is_feedback=True),), secret=True),
        Table(
            "levels",
            (
                Field("criterion", FieldType.ROW, choices=("criteria",)),
                Field("points", FieldType.COUNT, default=0),
            ),
            (Text("levels", required=True, is_feedback=True),),
            secret=True,
        ),
        SCORE_FEEDBACK,
        HINTS,
    ),
)

shufflable_ids = list_no_parts

MOST_CHARACTERS = 50_000
"""More than anyone writes by hand; a text of this length is still shown and marked in a moment."""

_BREAKS = dict.fromkeys(map(ord, "\r\v\f\x85\u2028\u2029"), "\n")
# No database keeps these, nobody sees them, and a text pasted from elsewhere may hold some.
_GONE = dict.fromkeys([*range(0x09), *range(0x0E, 0x20), 0x7F, *range(0xD800, 0xE000)])
_PLAIN = _BREAKS | _GONE


def validate(content: Content, key: Key, method: str) -> tuple[Problem, ...]:
    """Check the word limits against each other and the rubric against its rules."""
    _, of_key = parse_key(key)
    return (*_limits(content), *of_key, *check_scoring_method(method, scoring_methods))


def _limits(content: Content) -> Iterator[Problem]:
    for field in (MINIMUM, MAXIMUM):
        value = content.get(field)
        if value is not None and (type(value) is not int or value < 0):
            yield Problem(field, "not_a_count", {"field": field})
    word_limits = load_limits(content)
    if word_limits.minimum and word_limits.maximum and word_limits.minimum > word_limits.maximum:
        yield Problem(MAXIMUM, "limits_crossed", {"minimum": word_limits.minimum})


def public_view(content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return the limits, None where there is none; an order that names anything: ValueError."""
    refuse_order(order)
    word_limits = load_limits(content)
    return PublicQuestion(name, {MINIMUM: word_limits.minimum, MAXIMUM: word_limits.maximum})


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read `{"text": str}`: plain text, one character ends a line; blank is unanswered."""
    fields = read_object(raw, {"text"})
    if not isinstance(fields, Mapping):
        return fields
    text = fields.get("text", "")
    if not isinstance(text, str):
        return InvalidAnswer("not_a_text", {"where": "text"})
    plain = text.replace("\r\n", "\n").translate(_PLAIN)
    if len(plain) > MOST_CHARACTERS:
        return InvalidAnswer("text_too_long", {"where": "text", "maximum": MOST_CHARACTERS})
    return {"text": plain} if plain.strip() else None


def score(content: Content, key: Key, answer: Json, method: str) -> ItemScore | NeedsManualGrading:
    """Leave every text to a person; a missing answer earns nothing."""
    match answer:
        case None:
            return scoring.score_unanswered()
        case {"text": str()}:
            return NeedsManualGrading(scoring.BY_PERSON)
    raise ValueError("not a canonical answer")


def correct_answer(content: Content, key: Key) -> Answer:
    """Return nothing: no machine knows a model answer."""
    return {}
