"""What a question with a short text for its answer is made of, whole or as one of many gaps."""

from grading.schema import Field, FieldType, Table, Text

FOLDING = tuple(
    Field(name, FieldType.FLAG, secret=True, default=name == "spaces")
    for name in ("case", "accents", "spaces", "punctuation")
)
"""What counts when an answer is compared; by default only spaces do."""

ACCEPTED_FIELDS = (
    Field("text", FieldType.LINE),
    Field("credit", FieldType.RATIO, default=[1, 1]),
    Field("pattern", FieldType.FLAG, default=False),
)
ACCEPTED = Table(
    "accepted", fields=ACCEPTED_FIELDS, texts=(Text("accepted", is_feedback=True),), secret=True
)
"""The answers looked for, in their order: the first that matches counts."""

OTHERWISE = Text("otherwise", is_feedback=True)
"""The feedback where none of them matches."""
