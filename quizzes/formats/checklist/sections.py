"""The lines of a checklist as sections: what is below one heading or label. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile

from quizzes.formats.checklist.line_types import ChecklistLine, LineType
from quizzes.formats.parsing.item_metadata import is_metadata_line
from quizzes.formats.parsing.open_answers import has_key

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
EXPLAINS = re.compile(
    r"[\W_]{0,6}(?:Explanation|Explication|Explicación|Explicação|Spiegazione|Erklärung|Reference"
    r"|Referencia|Referência|Référence|Riferimento|Referenz|Ref|Source|Fuente|Fonte|Quelle|Answer"
    r"|Respuesta|Resposta|Réponse|Risposta|Antwort|Reason|Reasoning|Rationale|Why|Razón|Razonamiento"
    r"|Razão|Comment|Comentario|Solution|Solución|Lösung|Note|Nota|Hint|Pista"
    r"|See also|Read more|Back to|Explained|Justification|Justificación|Begründung|Justificativa"
    r"|Motivazione|Correction|Corrigé|Uitleg|Toelichting|Antwoord|Förklaring|Svar|Wyjaśnienie"
    r"|Odpowiedź|Vysvětlení|Odpověď|Magyarázat|Válasz|Explicație|Răspuns|Εξήγηση|Απάντηση"
    r"|Açıklama|Cevap|Penjelasan|Pembahasan|Jawaban|Giải thích|Đáp án|Пояснение|Объяснение|Ответ"
    r"|Пояснення|Відповідь|व्याख्या|स्पष्टीकरण|उत्तर|التفسير|الشرح|الإجابة"
    r"|(?:答案)?解析|解释|解釋|说明|說明|答案|解説|解答|해설|설명|정답)s?(?!\w)"
    r"|[^\w!]{0,3}\[[^\]]*\] ?\(|<?https?://|</?(?:details|summary)",
    re.IGNORECASE,
)
"""How an explanation of the answer, below the options, begins."""

_EXPLANATION_TITLE = re.compile(
    r"[\W_]{0,6}(?:(?:short|brief|detailed|full|correct|right|answer|sample)[ ]){0,2}"
    r"(?P<noun>explanation|explication|explicación|explicação|spiegazione|erklärung|erläuterung"
    r"|reasoning|rationale|razonamiento|razonamento|justification|justificación|justificativa"
    r"|justificatif|begründung|motivazione|discussion|discusión|uitleg|toelichting)s?"
    r"(?!\w)(?P<set_off>[ ][-–—][ ]|[.]?(?:\*\*|__)[.]?[ ])?"
    r"(?:[^.:?!\n()]{0,30}(?:\([^()\n]{1,40}\))?)"
    r"|[\W_]{0,6}\*\*¿?(?:why|por[ ]qué|warum|pourquoi|perché)[.?]{0,2}(?P<bold>\*\*[ ])"
    r"|[\W_]{0,6}(?:why(?!\w)(?![ ](?:do|does|did|is|are|was|were|can|should|would)\b[^:]*\?)"
    r"[^.:!\n]{0,60}"
    r"|(?:key[ ](?:points?|takeaways?|insight)|takeaways?|discussion|feedback|remarks?|because"
    r"|clarification|further[ ]reading|learn[ ]more|reason[ ][^.:?!\n]{1,30}"
    r"|discusión|retroalimentación|observación|aclaración|por[ ]?qué[^.:!\n]{0,60}|porque"
    r"|comentarios?"
    r"|pourquoi|raison|justificatif|remarque|commentaire|comentário|observação|motivo"
    r"|warum|grund|anmerkung|hinweis|kommentar|perché|commento|waarom|opmerking)(?!\w))",
    re.IGNORECASE,
)
"""How an explanation begins that has a colon behind these words, or a dash, or bold around them."""
_REASON = re.compile(r"[\W_]{0,6}(?:reason|why|razón|because)s?\b", re.IGNORECASE)
_COLON = re.compile(r"[*_ ]{0,4}[:：]")
_LINK_ALONE = re.compile(r"(?:[^\w!]|_){0,6}\[[^\]]*\] ?\([^()]*\)[\W_]{0,6}|<a\b[^<>]*> ?</a>")


_BOLD_TITLE = re.compile(r"(?:[-*+][ ]+)?(\*\*|__)[^*_]{1,60}(?:[:：]\1|\1[:：])")
"""A line that is a bold title: "**Solution step by step:**"."""


def is_explanation(text: str) -> bool:
    """Return whether a line explains the answer beyond doubt: a word and a colon, or `<details>`.

    So does a line that is a link, or a place that links lead to, and nothing else.

    An option that goes on in the next line may begin that with such a word, too.
    """
    if is_link(text) or _is_named(text) or is_metadata_line(text):
        return True
    start = EXPLAINS.match(text)
    if start is None:
        return False
    if _BOLD_TITLE.fullmatch(text.strip()):
        return True
    return text.startswith("<") or text[start.end() :].lstrip("*_ ").startswith((":", "："))


def is_link(text: str) -> bool:
    """Return whether a line is a link, or a place that links lead to, and nothing else."""
    return _LINK_ALONE.fullmatch(text.strip()) is not None


def _is_named(text: str) -> bool:
    """Return whether a line begins with a title of an explanation that is set off from it."""
    named = _EXPLANATION_TITLE.match(text)
    if named is None:
        return False
    return bool(named["set_off"] or named["bold"] or _COLON.match(text, named.end()))


def is_title(text: str) -> bool:
    """Return whether a line is a word such as "**Explanation**:" and nothing else."""
    starts = (EXPLAINS.match(text), _EXPLANATION_TITLE.match(text))
    return any(start and not text[start.end() :].strip(" *_:：") for start in starts)


def is_explaining_heading(text: str) -> bool:
    """Return whether a heading is a title such as "Reasoning" and nothing else."""
    named = _EXPLANATION_TITLE.match(text) or _REASON.match(text)
    return named is not None and is_title(text)


def is_question_text(text: str) -> bool:
    """Return whether words end as a question does."""
    return text.rstrip(" *_`)\"'»”\\").endswith(("?", ":", "？", "："))


@dataclass(slots=True)
class ChecklistSection:
    """A heading or label with all up to the next; `heading` is None above the first."""

    heading: ChecklistLine | None
    body: list[ChecklistLine] = field(default_factory=list)

    @property
    def has_options(self) -> bool:
        """Return whether it has options."""
        return any(line.type is LineType.OPTION for line in self.body)

    @property
    def own(self) -> bool:
        """Return whether its heading is a name, as we write them."""
        heading = self.heading
        if heading is None or heading.type is not LineType.HEADING:
            return False
        return _NAME.fullmatch(heading.text) is not None

    @property
    def labelled(self) -> bool:
        """Return whether its heading counts questions."""
        return self.heading is not None and self.heading.labelled

    @property
    def level(self) -> int:
        """Return the level of its heading; that of a label is below all headings."""
        return len(self.heading.mark) or 7 if self.heading else 0

    @property
    def is_question(self) -> bool:
        """Return whether its heading is a question by itself."""
        heading = self.heading
        return heading is not None and (heading.labelled or is_question_text(heading.text))


def split_sections(lines: Iterable[ChecklistLine]) -> list[ChecklistSection]:
    """Return the sections, those that are a part of the question before them joined to it."""
    sections: list[ChecklistSection] = []
    counted = 0
    for section in _split_at_headings(lines):
        before = sections[-1] if sections else None
        counted += section.labelled
        if before is not None and section.heading and _is_part(before, section.heading, section):
            if counted > 1 and _is_above(before, section):
                before.body += map(_leave_out, [section.heading, *section.body])
                continue
            text = section.heading.lines[0].lstrip("# \t").rstrip() or "#"
            heading = replace(section.heading, type=LineType.TEXT, lines=(text,))
            if before.has_options and is_explaining_heading(section.heading.text):
                text = f"**{text.strip('*_:： ')}:**"
                heading = replace(heading, text=text, lines=(text,))
            before.body += [heading, *section.body]
        else:
            sections.append(section)
    return sections


def _is_above(before: ChecklistSection, section: ChecklistSection) -> bool:
    """Return whether a heading stands above those of questions: it explains none of them."""
    is_below = before.labelled and before.has_options and not section.has_options
    return is_below and section.level < before.level


def _leave_out(line: ChecklistLine) -> ChecklistLine:
    """Return a line of words as a comment."""
    return line if line.is_empty else replace(line, type=LineType.COMMENT)


def _split_at_headings(lines: Iterable[ChecklistLine]) -> Iterator[ChecklistSection]:
    section = ChecklistSection(None)
    for line in lines:
        is_label = line.type is LineType.LABEL and (not section.own or section.has_options)
        if not is_label and line.type is not LineType.HEADING:
            section.body.append(line)
            continue
        if section.heading or section.body:
            yield section
        section = ChecklistSection(line)
    yield section


def _is_part(before: ChecklistSection, heading: ChecklistLine, section: ChecklistSection) -> bool:
    """Return whether a heading stands within the question before it."""
    if before.has_options and is_explaining_heading(heading.text):
        return True
    if section.labelled or before.heading is None or section.own:
        return False
    if before.has_options:
        deeper = section.level > before.level and before.is_question
        return not section.has_options and (deeper or EXPLAINS.match(heading.text) is not None)
    is_bare = not before.heading.text and all(line.type is LineType.BLANK for line in before.body)
    if section.level == before.level and section.has_options:
        is_bare = is_bare or not before.body  # a prompt of two headings
    if not before.labelled or section.level == 1:
        return False
    if section.level < before.level and any(has_key(line.text) for line in before.body):
        return False
    return is_bare or (section.level != before.level and not _asks_below(before, section))


def _asks_below(before: ChecklistSection, section: ChecklistSection) -> bool:
    """Return whether a section asks by itself, below a heading whose number may be a chapter's."""
    if before.heading is None or before.heading.counted or section.is_question:
        return False
    above = list(takewhile(lambda line: line.type is not LineType.OPTION, section.body))
    words = [line for line in above if line.has_words]
    return section.has_options and bool(words) and is_question_text(words[-1].text)
