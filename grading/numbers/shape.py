"""What a question for a number, or a gap for one, is made of."""

from grading.numbers.structure import NONE, UNIT
from grading.numbers.tolerance import EXACT, TOLERANCES
from grading.shape import BANDS, EXPLANATION, PROMPT, Field, Holds, Shape, Table, Text

ACCEPTED = (
    Field("value", Holds.LINE, default=""),
    Field("tolerance", Holds.CHOICE, default=EXACT, among=TOLERANCES),
    Field("margin", Holds.LINE, default=""),
    Field("credit", Holds.RATIO, default=[1, 1]),
)
"""The fields of one accepted number."""

SAYS = (Text("numbers", told=True),)

NUMERIC = Shape(
    texts=(
        PROMPT,
        EXPLANATION,
        Text("otherwise", told=True),
        Text("no_unit", told=True),
        Text("wrong_unit", told=True),
    ),
    fields=(
        Field("unit", Holds.CHOICE, default=NONE, among=UNIT),
        Field("unit_credit", Holds.RATIO, secret=True, default=[0, 1]),
    ),
    tables=(
        Table("numbers", ACCEPTED, SAYS, secret=True),
        Table(
            "units",
            (Field("symbol", Holds.LINE, default=""), Field("factor", Holds.LINE, default="1")),
            secret=True,
        ),
        BANDS,
    ),
)
