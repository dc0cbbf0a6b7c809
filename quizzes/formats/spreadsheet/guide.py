"""What is said to those who fill in the template: each sentence in English and in Spanish."""

Both = tuple[str, str]
"""English, Spanish."""

TITLES: Both = ("How to fill in this sheet", "Cómo rellenar esta hoja")

INTRODUCTION: Both = (
    (
        "One row is one question. Write over the three examples. Only the question and its "
        "options are needed; leave empty what you do not need, or delete the column. Columns "
        "may stand in any order. For more options add columns “option E (en)” and so on, up to "
        "J."
    ),
    (
        "Cada fila es una pregunta. Escribe encima de los tres ejemplos. Solo hacen falta la "
        "pregunta y sus opciones; deja vacío lo que no necesites o borra la columna. El orden "
        "de las columnas no importa. Si quieres más opciones, añade columnas «opción E (es)», "
        "etc., hasta la J."
    ),
)

COLUMNS: tuple[Both, tuple[tuple[Both, Both], ...]] = (
    ("Columns", "Columnas"),
    (
        (
            ("kind", "tipo"),
            (
                (
                    "What is asked for; the list below says what each kind needs. Left empty, "
                    "it is found out from the row."
                ),
                (
                    "Qué se pide; la lista de abajo dice qué necesita cada tipo. Si lo dejas "
                    "vacío, se deduce de la fila."
                ),
            ),
        ),
        (
            ("question (en), (es)", "pregunta (en), (es)"),
            (
                "The text of the question, once in each language. One language is enough.",
                "El texto de la pregunta, una vez en cada idioma. Con un idioma basta.",
            ),
        ),
        (
            ("option A, B …", "opción A, B…"),
            ("The options, one a column.", "Las opciones, una en cada columna."),
        ),
        (
            ("correct", "correcta"),
            (
                (
                    "The letters of the right options: “B”, or “A, C”. For “none of these "
                    "applies” write “none”."
                ),
                (
                    "Las letras de las opciones correctas: «B» o «A, C». Para «ninguna de "
                    "estas» escribe «ninguna»."
                ),
            ),
        ),
        (
            ("points", "puntos"),
            ("What the question is worth.", "Cuánto vale la pregunta."),
        ),
        (
            ("weight A, B …", "peso A, B…"),
            (
                "Only where options earn different shares, in per cent: 50, 33.33333, -25.",
                "Solo si las opciones valen partes distintas, en porcentaje: 50; 33,33333; -25.",
            ),
        ),
        (
            ("feedback A, B …", "retroalimentación A, B…"),
            (
                "What a learner reads who chose that option.",
                "Lo que lee quien eligió esa opción.",
            ),
        ),
        (
            ("explanation", "explicación"),
            (
                "Why the answer is right; shown with the result.",
                "Por qué la respuesta es correcta; se muestra con el resultado.",
            ),
        ),
        (
            ("tags", "etiquetas"),
            ("Words to find it by, between commas.", "Palabras para encontrarla, entre comas."),
        ),
        (
            ("format", "formato"),
            (
                (
                    "Empty: every sign shows as you typed it. “markdown”: **bold**, `code` and "
                    "formulas such as $x^2$ are laid out."
                ),
                (
                    "Vacío: cada signo se muestra tal como lo escribes. «markdown»: se aplican "
                    "**negrita**, `código` y fórmulas como $x^2$."
                ),
            ),
        ),
        (
            ("name", "nombre"),
            (
                "A short name of its own, if you mean to send the sheet again after changes.",
                "Un nombre corto y propio, si piensas volver a subir la hoja con cambios.",
            ),
        ),
    ),
)

KINDS: tuple[Both, tuple[tuple[Both, Both], ...]] = (
    ("Kinds", "Tipos"),
    (
        (
            ("single choice", "opción única"),
            ("Options, and one letter in “correct”.", "Opciones y una letra en «correcta»."),
        ),
        (
            ("multiple choice", "opción múltiple"),
            (
                "Options, and one or more letters in “correct”.",
                "Opciones y una o varias letras en «correcta».",
            ),
        ),
        (
            ("true or false", "verdadero o falso"),
            (
                "No options; “true” or “false” in “correct”. Feedback A is for true, B for false.",
                (
                    "Sin opciones; «verdadero» o «falso» en «correcta». La retroalimentación A "
                    "es la de verdadero y la B, la de falso."
                ),
            ),
        ),
        (
            ("short text", "texto corto"),
            (
                (
                    "In “correct” the accepted answers, with semicolons between: Madrid; Villa "
                    "y Corte=50%. A star stands for anything."
                ),
                (
                    "En «correcta», las respuestas aceptadas, separadas por punto y coma: "
                    "Madrid; Villa y Corte=50%. Un asterisco vale por cualquier texto."
                ),
            ),
        ),
        (
            ("number", "número"),
            (
                "In “correct” the number: 3.14, 3.14 ± 0.01, 20 ± 5% or 1..5.",
                (
                    "En «correcta», el número: 3,14; 3,14 ± 0,01; 20 ± 5% o 1..5. Si escribes "
                    "varios, sepáralos con punto y coma."
                ),
            ),
        ),
        (
            ("matching", "emparejar"),
            (
                "In each option a pair: France => Paris. “=> Rome” is a right side too many.",
                "En cada opción, una pareja: Francia => París. «=> Roma» es un distractor.",
            ),
        ),
        (
            ("ordering", "ordenar"),
            ("The items as options, in the right order.", "Los elementos, en el orden correcto."),
        ),
        (
            ("essay", "ensayo"),
            (
                "The question alone; a person marks the answers.",
                "Solo la pregunta; una persona califica las respuestas.",
            ),
        ),
        (
            ("flashcard", "tarjeta"),
            (
                "The front as question, the back as option A.",
                "El anverso como pregunta y el reverso como opción A.",
            ),
        ),
    ),
)
