"""What a question with a short text for its answer is made of, whole or as one of many gaps."""

from grading.shape import Field, Holds, Table, Text

FOLDING = tuple(
    Field(name, Holds.FLAG, secret=True, default=name == "spaces")
    for name in ("case", "accents", "spaces", "punctuation")
)
"""What counts when an answer is compared; by default only spaces do."""

ACCEPTED_FIELDS = (
    Field("text", Holds.LINE),
    Field("credit", Holds.RATIO, default=[1, 1]),
    Field("pattern", Holds.FLAG, default=False),
)
ACCEPTED = Table(
    "accepted", fields=ACCEPTED_FIELDS, texts=(Text("accepted", told=True),), secret=True
)
"""The answers looked for, in their order: the first that matches counts."""

OTHERWISE = Text("otherwise", told=True)
"""The feedback where none of them matches."""
