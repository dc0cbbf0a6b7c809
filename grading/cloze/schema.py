"""What a text with gaps is made of: the gaps, and the rows of the families under each."""

from grading.choice.schema import WEIGHT
from grading.cloze.structure import GAP_KIND_NAMES, SINGLE_CHOICE
from grading.lower_bound import LOWER_BOUND
from grading.numeric.schema import ACCEPTED as NUMBERS_FIELDS
from grading.numeric.schema import SAYS
from grading.schema import (
    EXPLANATION_SAFE,
    HINTS,
    LEARNING_TEXTS,
    PROMPT,
    SAFE,
    SCORE_FEEDBACK,
    Field,
    FieldType,
    QuestionSchema,
    Table,
    Text,
)
from grading.short_text.schema import ACCEPTED, COMPARISON

GAP = Field("gap", FieldType.ROW, choices=("gaps",))
"""Which gap a row is for."""

GAPS = Table(
    "gaps",
    fields=(
        Field("kind", FieldType.CHOICE, default=SINGLE_CHOICE, choices=GAP_KIND_NAMES),
        Field("points", FieldType.COUNT, default=1),
        *COMPARISON,
    ),
    placeholder_in=PROMPT.name,
)
OPTIONS = Table(
    "options",
    fields=(GAP, Field("right", FieldType.FLAG, secret=True, default=False), WEIGHT, SAFE),
    texts=(Text("options", required=True), Text("options", is_feedback=True)),
)


WORDS = Table("accepted", (GAP, *ACCEPTED.fields), ACCEPTED.texts, secret=True)
NUMBERS = Table("numbers", (GAP, *NUMBERS_FIELDS), SAYS, secret=True)

CLOZE = QuestionSchema(
    texts=(PROMPT, *LEARNING_TEXTS),
    fields=(LOWER_BOUND, EXPLANATION_SAFE),
    tables=(GAPS, OPTIONS, WORDS, NUMBERS, SCORE_FEEDBACK, HINTS),
)
