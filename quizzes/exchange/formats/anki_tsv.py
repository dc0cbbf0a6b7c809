"""Cards as Anki exports them: a line a note, columns parted by tabs, headers that begin with #."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO

from quizzes.exchange.contract import About, Found, Loss, Note, Parcel, Verdict, Written
from quizzes.exchange.contract import ParcelQuestion as Question
from quizzes.exchange.reading.building import Head, flashcard
from quizzes.exchange.reading.decoding import decode
from quizzes.exchange.reading.html import to_html, to_markdown
from quizzes.exchange.reading.languages import detect
from quizzes.exchange.reading.naming import Names, slug
from quizzes.exchange.reading.plain import escaped
from quizzes.exchange.reading.taking import Taking, speaks

name = "anki-tsv"
endings = ("txt", "tsv")

COLUMNS = ("Front", "Back", "Hint", "Explanation", "Tags")
_HEADER = re.compile(r"#([a-z ]{1,30}):([^\n]*)")
_CLAIM = re.compile(rb"(?:\xef\xbb\xbf)?#(?:separator|html|notetype|columns)[a-z ]*:")
_SIGNS = {
    "tab": "\t",
    "comma": ",",
    "semicolon": ";",
    "space": " ",
    "pipe": "|",
    "colon": ":",
}
_GAP = re.compile(r"\{\{c\d{1,3}::([^{}]{1,1000})\}\}")
_SOUND = re.compile(r"\[sound:[^\]\n]{1,200}\]")


# A field may be as long as the file: the library's own limit would end the reading.
csv.field_size_limit(64 * 1024 * 1024)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What the headers say of the columns, from 1 as Anki counts them."""

    headers: Mapping[str, str]
    language: str
    names: Names = field(default_factory=Names)

    @property
    def sign(self) -> str:
        said = self.headers.get("separator", "tab").strip()
        return _SIGNS.get(said.lower(), "\t")

    def column(self, kind: str) -> int:
        said = self.headers.get(f"{kind} column", "")
        return int(said) - 1 if re.fullmatch(r"[1-9]\d?", said.strip()) else -1

    def tags(self, row: list[str]) -> tuple[str, ...]:
        at = self.column("tags")
        words = row[at].split() if 0 <= at < len(row) else []
        return tuple(dict.fromkeys(filter(None, map(slug, words))))

    def parts(self, row: list[str]) -> dict[str, str]:
        """Give front, back, hint and explanation; columns beyond these explain."""
        apart = {self.column(kind) for kind in ("tags", "deck", "notetype", "guid")}
        named = [one.strip().lower() for one in self.headers.get("columns", "").split(self.sign)]
        names = dict(enumerate(named))
        held = [(names.get(at, ""), text) for at, text in enumerate(row) if at not in apart]
        parts = dict.fromkeys(("front", "back", "hint", "explanation"), "")
        parts["hint"] = "<br>".join(text for name, text in held if name == "hint")
        others = [text for name, text in held if name != "hint"]
        parts["front"], parts["back"] = [*others[:2], "", ""][:2]
        parts["explanation"] = "<br>".join(text for text in others[2:] if text)
        return parts

    def markdown(self, text: str, line: int, notes: list[Note]) -> str:
        if self.headers.get("html", "true").strip() != "true":
            return escaped(text)
        if found := _SOUND.search(text):
            notes.append(Note("media_elsewhere", line, found[0]))
        made, told = to_markdown(_SOUND.sub("", text), line=line)
        notes += told
        return made


def claims(data: bytes, filename: str) -> bool:
    """Tell an export by the header it begins with."""
    return filename.lower().endswith(endings) and _CLAIM.match(data) is not None


def read(data: bytes, *, language: str = "") -> Parcel:
    """Read a file; its headers say what its columns are."""
    text, notes = decode(data)
    spoken = language or detect(text)
    headers, body, skipped = _headers(text)
    sheet = _Sheet(headers, spoken or "en")
    found = tuple(_found(*row, sheet) for row in _rows(body, sheet.sign, skipped))
    unsure = () if spoken else (Note("language_unknown", 1),)
    return Parcel(found=found, about=About(language=spoken), noise=(*notes, *unsure))


def write(parcel: Parcel, *, language: str) -> Written:
    """Write cards as HTML; questions of other kinds are losses."""
    held, losses = StringIO(), list[Loss]()
    named = "\t".join(COLUMNS)
    held.write(f"#separator:tab\n#html:true\n#tags column:{len(COLUMNS)}\n#columns:{named}\n")
    rows = csv.writer(held, delimiter="\t", lineterminator="\n")
    for question in parcel.questions:
        row, lost = _written(question, language)
        losses += lost
        if row:
            rows.writerow(row)
    return Written(held.getvalue().encode(), tuple(losses))


def _headers(text: str) -> tuple[Mapping[str, str], str, int]:
    """Give the headers, what comes after them, and how many lines they are."""
    headers, lines = {}, 0
    while found := _HEADER.match(text):
        headers[found[1]] = found[2]
        text, lines = text[found.end() + 1 :], lines + 1
    return headers, text, lines


def _rows(body: str, sign: str, skipped: int) -> Iterator[tuple[int, int, list[str]]]:
    rows, line = csv.reader(StringIO(body), delimiter=sign), skipped + 1
    for row in rows:
        last = skipped + rows.line_num
        if row:
            yield line, last, row
        line = last + 1


def _found(line: int, last: int, row: list[str], sheet: _Sheet) -> Found:
    notes: list[Note] = []
    parts = sheet.parts(row)
    if found := _GAP.search(parts["front"]):
        notes.append(Note("cloze_as_card", line, found[0][:200]))
        parts["back"] = f"{_GAP.sub(_filled, parts['front'])}<br>{parts['back']}"
        parts["front"] = _GAP.sub("[…]", parts["front"])
    said = {part: sheet.markdown(text, line, notes) for part, text in parts.items()}
    called = sheet.names.name(said["front"])
    if not said["front"] or not said["back"]:
        code = "back_missing" if said["front"] else "prompt_missing"
        notes.append(Note(code, line, "\t".join(row)[:200]))
    head = Head(line, called, sheet.language, said["front"], said["explanation"], sheet.tags(row))
    question = flashcard(head, said["back"], said["hint"])
    verdict = Verdict.REPAIRED if notes else Verdict.IMPORTED
    if not said["front"] or not said["back"]:
        verdict = Verdict.REVIEW
    return Found(line, last, called, "flashcard", verdict, question, tuple(notes))


def _filled(found: re.Match[str]) -> str:
    return found[1].partition("::")[0]


def _written(question: Question, language: str) -> tuple[list[str], tuple[Loss, ...]]:
    if question.kind != "flashcard":
        return [], (Loss(question.name, "kind_not_held", {"kind": question.kind}),)
    if not speaks(question, language):
        return [], (Loss(question.name, "language_missing"),)
    taking = Taking(question, language, tags=True)
    texts = (
        taking.text("prompt"),
        taking.text("back", told=True),
        taking.text("hint"),
        taking.text("explanation", told=True),
    )
    row = [*(to_html(text) for text in texts), " ".join(question.tags)]
    return row, taking.losses("study")
