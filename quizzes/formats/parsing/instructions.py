"""Whether words ask for all that apply, or for an answer in own words, in five languages. Pure."""

import re

_ALL_THAT = re.compile(
    r"\b(?:all|any) (?:that|which|of the)\b[^.?)]{0,40}(?:apply|true|correct)"
    r"|\btod[ao]s (?:l[ao]s|as|os) que\b|\btod[ao]s (?:l[ao]s|as|os) (?:respuestas|respostas)"
    r"|\btoutes les (?:réponses|options)|\btous ceux qui|\balle zutreffenden|\balle richtigen"
    r"|\bselecciona tod[ao]s|\bmarque todas|\bwählen sie alle",
    re.IGNORECASE,
)

_ASKS_FOR_WORDS = re.compile(
    r"[\W_]{0,6}(?:(?:briefly|shortly|please|brevemente)[ ])?"
    r"(?:explain|describe|define|discuss|outline|summari[sz]e|derive|prove|justify|compare|contrast"
    r"|expli(?:ca|que|quez|quem)|descri(?:be|ba|va)|defin[ae]|discut[ae]|resum[ae]|enumer[ae]"
    r"|menciona|mencione|justifi(?:ca|que|quez)|compar[ae]|comparez|décrivez|définissez|résumez"
    r"|erklären?(?:[ ]sie)?|erkläre|beschreiben?(?:[ ]sie)?|beschreibe|definieren?(?:[ ]sie)?"
    r"|definiere|begründen?(?:[ ]sie)?|begründe)"
    r"(?:[ ](?!(?:as|by|above|below)\b)[^:\n]{2,300})[^:：]$",
    re.IGNORECASE,
)


def asks_for_words(line: str) -> bool:
    """Return whether a line tells to answer in own words: "Explain work."."""
    return _ASKS_FOR_WORDS.match(line.rstrip("*_ \t\\")) is not None


def asks_for_all(text: str) -> bool:
    """Return whether a question asks to choose all options that are right."""
    return _ALL_THAT.search(text) is not None
