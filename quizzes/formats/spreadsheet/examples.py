"""The three questions that stand in the template, in English and Spanish."""

from collections.abc import Mapping

from quizzes.formats.spreadsheet.lines import Place

EXAMPLES: tuple[Mapping[Place, str], ...] = (
    {
        ("kind", "", ""): "single_choice",
        ("question", "", "en"): "Which planet is the nearest to the sun?",
        ("question", "", "es"): "¿Qué planeta está más cerca del Sol?",
        ("option", "a", "en"): "Venus",
        ("option", "a", "es"): "Venus",
        ("option", "b", "en"): "Mercury",
        ("option", "b", "es"): "Mercurio",
        ("option", "c", "en"): "Mars",
        ("option", "c", "es"): "Marte",
        ("correct", "", ""): "B",
        ("points", "", ""): "1",
        ("explanation", "", "en"): "Mercury goes round the sun in only 88 days.",
        ("explanation", "", "es"): "Mercurio da la vuelta al Sol en solo 88 días.",
        ("feedback", "a", "en"): "Venus is hotter, but its way round the sun is wider.",
        ("feedback", "a", "es"): "Venus es más caliente, pero su órbita es mayor.",
        ("feedback", "b", "en"): "Yes, the nearest and the fastest.",
        ("feedback", "b", "es"): "Sí, el más cercano y el más rápido.",
        ("feedback", "c", "en"): "Mars is farther out than the Earth.",
        ("feedback", "c", "es"): "Marte está más lejos que la Tierra.",
        ("tags", "", ""): "astronomy, planets",
    },
    {
        ("kind", "", ""): "multiple_choice",
        ("question", "", "en"): "Which of these animals are mammals? Select all that apply.",
        ("question", "", "es"): (
            "¿Cuáles de estos animales son mamíferos? Selecciona todas las que correspondan."
        ),
        ("option", "a", "en"): "Dolphin",
        ("option", "a", "es"): "Delfín",
        ("option", "b", "en"): "Penguin",
        ("option", "b", "es"): "Pingüino",
        ("option", "c", "en"): "Bat",
        ("option", "c", "es"): "Murciélago",
        ("option", "d", "en"): "Shark",
        ("option", "d", "es"): "Tiburón",
        ("correct", "", ""): "A, C",
        ("points", "", ""): "2",
        ("explanation", "", "en"): "Mammals feed their young with milk.",
        ("explanation", "", "es"): "Los mamíferos alimentan a sus crías con leche.",
        ("tags", "", ""): "biology",
    },
    {
        ("kind", "", ""): "numeric",
        ("question", "", "en"): (
            "How many **metres** does sound travel through air of 20 °C in one second?"
        ),
        ("question", "", "es"): (
            "¿Cuántos **metros** recorre el sonido en un segundo en aire a 20 °C?"
        ),
        ("correct", "", ""): "343 ± 3",
        ("points", "", ""): "1",
        ("explanation", "", "en"): "About $343$ m/s; in colder air it is slower.",
        ("explanation", "", "es"): "Unos $343$ m/s; en aire más frío va más despacio.",
        ("tags", "", ""): "physics",
        ("format", "", ""): "markdown",
    },
)
