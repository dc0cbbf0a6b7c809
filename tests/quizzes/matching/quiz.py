"""A quiz of four questions in English, and the same in Spanish: shuffled, one key lost."""

from dataclasses import replace

from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from tests.quizzes.imports.parcels import asked, found, parcel, without_key

ENGLISH = (
    asked(
        "gradient",
        prompt="Which library uses synchronous gradient descent in `tf.data`?",
        options=("Scikit-learn", "Pandas", "GPipe"),
        right=2,
    ),
    asked(
        "pipeline",
        prompt="What accelerates the pipeline of data transformation on a GPU?",
        options=("Parallelization", "Compression", "Destruction"),
    ),
    asked(
        "volcano",
        prompt="Which volcano erupted in 1883 and reduced global temperature?",
        options=("Krakatoa", "Vesuvius", "Etna"),
    ),
    asked(
        "photosynthesis",
        prompt="What does photosynthesis produce besides glucose?",
        options=("Oxygen", "Nitrogen", "Helium"),
    ),
)
SPANISH = (
    asked(
        "la-biblioteca",
        "es",
        prompt="La biblioteca descenso de gradiente síncrono tf.data",
        options=("GPipe", "Scikit-aprender", "Pandas"),
        right=0,
    ),
    asked(
        "que-acelera",
        "es",
        prompt="¿Qué acelera la canalización de transformación de datos en una GPU?",
        options=("Destrucción", "Paralelización", "Compresión"),
        right=1,
    ),
    asked(
        "que-volcan",
        "es",
        prompt="¿Qué volcán hizo erupción en 1883 y redujo la temperatura global?",
        options=("Vesubio", "Krakatoa", "Etna"),
        right=1,
    ),
    asked(
        "la-fotosintesis",
        "es",
        prompt="¿Qué produce la fotosíntesis además de glucosa?",
        options=("Oxígeno", "Nitrógeno", "Helio"),
        right=1,
    ),
)
LOST, PLAIN, VOLCANO, OTHER_KEY = range(4)


def english() -> ParsedFile:
    return parcel(*ENGLISH)


def spanish(**changed: ParsedQuestion) -> ParsedFile:
    """The first has lost its key, the last has another one."""
    every = [changed.get(question.name.replace("-", "_"), question) for question in SPANISH]
    items: list[SourceItem] = [found(question) for question in every]
    items[LOST] = found(without_key(every[LOST]), ImportStatus.REVIEW)
    return parcel(*items)


def with_prompt(question: ParsedQuestion, prompt: str) -> ParsedQuestion:
    texts = {text: {"es": prompt} for text in question.texts if text.name == "prompt"}
    return replace(question, texts={**question.texts, **texts})
