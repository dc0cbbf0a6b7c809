r"""Lists of LaTeX in a page of Markdown, as those of Markdown, line by line. Pure.

`\begin{enumerate}` within another, or with letters, has options; so have the `choices` of the
class exam, of which `\CorrectChoice` is right. Others number questions.
"""

import re
from collections.abc import Sequence
from string import ascii_uppercase

_BEGIN = re.compile(
    r"[ \t]*\\begin\{(?P<name>enumerate|itemize|choices|oneparchoices|checkboxes|questions)\}"
    r"(?P<label>(?:\[[^\]]*\])?)[ \t]*"
)
_END = re.compile(
    r"[ \t]*\\end\{(?:enumerate|itemize|choices|oneparchoices|checkboxes|questions)\}[ \t]*"
)
_ITEM = re.compile(
    r"[ \t]*\\(?P<word>item|choice|CorrectChoice|question)(?![A-Za-z])"
    r"[ \t]*(?:\[[^\]]{0,20}\])?[ \t]*(?P<text>\S.*)"
)
_LETTERS = re.compile(r"\[(?:[^\]]*\\[Aa]lph|\(?[Aa][.)\]])")
_LAYOUT = re.compile(
    r"[ \t]*\\(?:(?:small|med|big)skip|newpage|clearpage|vspace\*?\{[^{}]*\}|noindent)[ \t]*"
)
_CHOICES = frozenset({"choices", "oneparchoices", "checkboxes"})


def spell_latex_lists(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Write the lists of LaTeX of a page as questions with numbers and options with letters."""
    if not any(map(_BEGIN.fullmatch, lines)):
        return
    names: list[str] = []  # of the lists that are open: their sorts
    counts: list[int] = []
    for place, line in enumerate(lines):
        if code_lines[place] or "\\" not in line:
            continue
        if begin := _BEGIN.fullmatch(line):
            names.append(_name_sort(begin, is_within=bool(names)))
            counts.append(0)
            lines[place] = ""
        elif _END.fullmatch(line):
            names, counts = names[:-1], counts[:-1]
            lines[place] = ""
        elif names and (item := _ITEM.fullmatch(line)):
            counts[-1] += 1
            lines[place] = f"{_write_label(names[-1], counts[-1])} {item['text'].rstrip()}"
            lines[place] += " ✅" if item["word"] == "CorrectChoice" else ""
        elif _LAYOUT.fullmatch(line):
            lines[place] = ""


def _name_sort(begin: re.Match[str], *, is_within: bool) -> str:
    """Return what the entries of a list have: "letters", "numbers" or "bullets"."""
    has_letters = begin["name"] in _CHOICES or _LETTERS.match(begin["label"])
    if has_letters or (is_within and begin["name"] == "enumerate"):
        return "letters"
    return "bullets" if begin["name"] == "itemize" else "numbers"


def _write_label(sort: str, count: int) -> str:
    if sort == "letters" and count <= len(ascii_uppercase):
        return f"{ascii_uppercase[count - 1]})"
    return "-" if sort == "bullets" else f"{count}."
