"""What a question with a short text for its answer is made of, whole or as one of many gaps."""

from grading.json_types import Content, Json
from grading.schema import SAFE, Field, FieldType, Table, Text, build_safe_field
from grading.short_text.sorts import SORTS, SWITCHES, WORDS

SORT = Field("sort", FieldType.CHOICE, default=WORDS, choices=tuple(SORTS))
"""What is typed; it decides how an answer is compared. Public: learners are told."""

COMPARISON = (
    SORT,
    *(Field(name, FieldType.CHOICE, choices=choices) for name, choices in SWITCHES.items()),
)
"""How an answer is compared: by its sort, but for what the author changes."""


def read_comparison(content: Content) -> dict[str, Json]:
    """Return what the content says of how an answer is compared."""
    names = [field.name for field in COMPARISON]
    return {name: content[name] for name in names if name in content}


def build_public_comparison(content: Content) -> dict[str, Json]:
    """Return the part of a public view that says how answers are compared; {} by default."""
    comparison = read_comparison(content)
    return {"comparison": comparison} if comparison else {}


ACCEPTED_FIELDS = (
    Field("text", FieldType.LINE, as_typed=True),
    Field("credit", FieldType.RATIO, default=[1, 1]),
    Field("pattern", FieldType.FLAG, default=False),
    SAFE,
)
ACCEPTED = Table(
    "accepted", fields=ACCEPTED_FIELDS, texts=(Text("accepted", is_feedback=True),), secret=True
)
"""The answers looked for, in their order: the first that matches counts."""

OTHERWISE = Text("otherwise", is_feedback=True)
OTHERWISE_SAFE = build_safe_field(OTHERWISE.name)
"""The feedback where none of them matches."""
