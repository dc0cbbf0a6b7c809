"""The words that stand above columns of questions, in English and Spanish."""

from collections.abc import Mapping

_ENGLISH = {
    "name": "name id code question-id question-name",
    "kind": "kind type question-type kind-of-question",
    "question": "question prompt stem question-text front",
    "option": "option answer choice alternative answer-option",
    "correct": "correct correct-answer correct-answers correct-answer-s correct-option"
    " correct-options correct-option-s right right-answer right-answers answer answers answer-key"
    " key solution",
    "points": "points point score marks mark",
    "weight": "weight",
    "feedback": "feedback comment",
    "unchosen": "if-not-chosen",
    "explanation": "explanation rationale general-feedback feedback",
    "otherwise": "any-other-answer",
    "tags": "tags tag topic topics category",
    "hint": "hint",
    "scoring_method": "scoring scoring_method",
    "settings": "settings",
    "format": "format text-format",
}
_SPANISH = {
    "name": "nombre codigo identificador",
    "kind": "tipo tipo-de-pregunta clase",
    "question": "pregunta enunciado texto-de-la-pregunta anverso",
    "option": "opcion respuesta alternativa",
    "correct": "correcta correctas correcto correctos respuesta-correcta respuestas-correctas"
    " respuesta-s-correcta-s opcion-correcta opciones-correctas respuesta respuestas clave"
    " solucion",
    "points": "puntos punto puntuacion puntaje valor",
    "weight": "peso",
    "feedback": "retroalimentacion comentario",
    "unchosen": "si-no-se-elige",
    "explanation": "explicacion justificacion retroalimentacion-general retroalimentacion",
    "otherwise": "cualquier-otra-respuesta",
    "tags": "etiquetas etiqueta tema temas categoria",
    "hint": "pista",
    "scoring_method": "calificacion esquema",
    "settings": "ajustes",
    "format": "formato formato-de-texto",
}
COLUMN_ALIASES: Mapping[str, tuple[str, str]] = {
    part: (words, _SPANISH[part]) for part, words in _ENGLISH.items()
}
"""Part → the words for it in English and in Spanish; the first is the one that we write."""
