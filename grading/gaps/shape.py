"""What a text with gaps is made of: the gaps, and the rows of the families under each."""

from grading.gaps.structure import KINDS, SINGLE_CHOICE
from grading.numbers.shape import ACCEPTED as NUMBERS_FIELDS
from grading.numbers.shape import SAYS
from grading.shape import BANDS, EXPLANATION, PROMPT, Field, Holds, Shape, Table, Text
from grading.texts.shape import ACCEPTED, FOLDING

GAP = Field("gap", Holds.ROW, among=("gaps",))
"""Which gap a row is for."""

GAPS = Table(
    "gaps",
    fields=(
        Field("kind", Holds.CHOICE, default=SINGLE_CHOICE, among=KINDS),
        Field("points", Holds.COUNT, default=1),
    ),
    marked=PROMPT.name,
)
OPTIONS = Table(
    "options",
    fields=(GAP, Field("right", Holds.FLAG, secret=True, default=False)),
    texts=(Text("options", required=True), Text("options", told=True)),
)


WORDS = Table("accepted", (GAP, *ACCEPTED.fields), ACCEPTED.texts, secret=True)
NUMBERS = Table("numbers", (GAP, *NUMBERS_FIELDS), SAYS, secret=True)

CLOZE = Shape(
    texts=(PROMPT, EXPLANATION),
    fields=FOLDING,
    tables=(GAPS, OPTIONS, WORDS, NUMBERS, BANDS),
)
