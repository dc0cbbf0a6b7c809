"""The headings of a list of people, in English and Spanish."""

import unicodedata
from collections.abc import Mapping, Sequence

EMAIL, NAME, GIVEN, FAMILY, SCHOOL_ID = "email", "name", "given", "family", "school_id"
_WORDS: Mapping[str, Sequence[str]] = {
    EMAIL: (
        *("e-mail", "mail", "e-mail address", "mail address", "school e-mail", "student e-mail"),
        *("correo", "correo electrónico", "correo-e", "dirección de correo", "correo del alumno"),
        *("dirección de correo electrónico", "correo institucional", "e-mail institucional"),
    ),
    NAME: (
        *("name", "full name", "student", "student name", "display name", "participant", "learner"),
        *("nombre completo", "nombre y apellidos", "nombres y apellidos", "apellidos y nombre"),
        *("apellidos y nombres", "alumno", "alumna", "estudiante", "participante", "nombre"),
        "apellidos, nombre",
    ),
    GIVEN: ("first name", "first", "given name", "given names", "forename", "nombres"),
    FAMILY: (
        *("last name", "last", "family name", "surname", "surnames", "apellido", "apellidos"),
        *("primer apellido", "segundo apellido", "middle name", "apellido paterno"),
        "apellido materno",
    ),
    SCHOOL_ID: (
        *("school id", "student id", "id", "id number", "student number", "number", "identifier"),
        *("SIS id", "SIS user id", "user id", "no.", "student no.", "matriculation number"),
        *("matrícula", "número de matrícula", "n.º de matrícula", "legajo", "código", "número"),
        *("identificador", "identificador de la escuela", "identificación", "expediente"),
        *("número de expediente", "n.º de expediente", "carné", "carnet", "boleta", "NIA", "NIP"),
        *("número de cuenta", "código de estudiante", "id de estudiante", "id del alumno"),
        *("número de alumno", "padrón", "registro académico"),
    ),
}


def fold_heading(text: str) -> str:
    """Return a heading without case, accents and whatever is no letter or digit."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in decomposed if letter.isalnum())


_COLUMNS = {fold_heading(word): column for column, words in _WORDS.items() for word in words}


def count_headings(cells: Sequence[str]) -> int:
    """Return how many headings are known, if a row can be the header: one names the address."""
    if any("@" in cell for cell in cells):
        return 0
    columns = find_columns(cells)
    return len(columns) if EMAIL in columns.values() else 0


def find_columns(cells: Sequence[str]) -> Mapping[int, str]:
    """Return what the columns hold, by their place; "nombre" beside "apellidos" is a given name."""
    columns = {
        place: _COLUMNS[fold_heading(cell)]
        for place, cell in enumerate(cells)
        if fold_heading(cell) in _COLUMNS
    }
    if FAMILY in columns.values():
        columns = {place: GIVEN if column == NAME else column for place, column in columns.items()}
    return columns
