"""Shapes of quizzes in Markdown as public repositories have them, each written from one quiz."""

from collections.abc import Callable, Sequence
from string import ascii_uppercase

QuizQuestion = tuple[str, Sequence[str], frozenset[int]]
QUIZ: tuple[QuizQuestion, ...] = (
    ("Which river is the longest in Spain?", ("Duero", "Tajo", "Ebro", "Segura"), frozenset({1})),
    ("Where does the Danube end?", ("In the Black Sea", "In the Baltic"), frozenset({0})),
    ("Which metal is liquid at room temperature?", ("Iron", "Gold", "Mercury"), frozenset({2})),
    ("What do plants take from the air?", ("Carbon dioxide", "Helium", "Neon"), frozenset({0})),
)
Shape = Callable[[int, QuizQuestion], str]
SHAPES: dict[str, Shape] = {}


def _letters(right: frozenset[int]) -> str:
    return ", ".join(ascii_uppercase[at] for at in sorted(right))


def _build(
    head: str, option: str, foot: str = "", *, right: str | None = None, gap: str = "\n"
) -> Shape:
    """Return a shape: `option` is that of a wrong one, `right` that of a right one."""

    def write(number: int, question: QuizQuestion) -> str:
        prompt, options, keys = question
        fields = {"n": number, "q": prompt}
        lines = []
        for at, text in enumerate(options):
            template = right if right is not None and at in keys else option
            lines.append(
                template.format(
                    t=text, L=ascii_uppercase[at], l=ascii_uppercase[at].lower(), i=at + 1
                )
            )
        answers = {
            "A": _letters(keys),
            "a": _letters(keys).lower(),
            "N": ", ".join(str(at + 1) for at in sorted(keys)),
            "T": ", ".join(options[at] for at in sorted(keys)),
        }
        return head.format(**fields) + gap.join(lines) + foot.format(**answers, **fields) + "\n\n"

    return write


BOX, TICK = "- [ ] {t}", "- [x] {t}"
for name, head in {
    "heading": "### {q}\n\n",
    "heading 2, no blank line": "## {q}\n",
    "heading 4 with number": "#### Q{n}. {q}\n\n",
    "heading with number": "### {n}. {q}\n\n",
    "heading and paragraph": "### Question {n}\n\n{q}\n\n",
    "bold label": "**Question {n}**<br>\n{q}\n",
    "bold label and colon": "**Question {n}:** {q}\n\n",
    "bold label, own line": "**Q{n}:**\n{q}\n\n",
    "number": "{n}. {q}\n\n",
    "number, no blank line": "{n}. {q}\n",
    "number with bracket": "{n}) {q}\n\n",
    "bold number": "**{n}. {q}**\n\n",
    "bold question": "**{q}**\n\n",
    "plain paragraph": "{q}\n\n",
    "plain, no blank line": "{q}\n",
    "label Q": "Q{n}: {q}\n\n",
    "label QUESTION": "QUESTION {n}\n{q}\n\n",
    "label NO.": "Question No. {n}: {q}\n\n",
    "Spanish label": "### Pregunta {n}\n\n{q}\n\n",
    "picture below the question": "### {q}\n\n![map](images/map-{n}.png)\n\n",
    "listing below the question": "### {q}\n\n```python\nprint({n})\n```\n\n",
    "table below the question": "### {q}\n\n| a | b |\n|---|---|\n| 1 | {n} |\n\n",
    "two paragraphs": "### {q}\n\nThink of case {n} before you choose.\n\n",
    "scenario above": "## Question {n}\n\nA company has {n} offices. It needs a map.\n\n{q}\n\n",
    "back link above": "---\n\n### {q}\n\n",
    "quoted question": "> {q}\n\n",
    "heading in italics": "### *{q}*\n\n",
    "anchor above": '<a name="q{n}"></a>\n### {q}\n\n',
}.items():
    SHAPES[f"box: {name}"] = _build(head, BOX, right=TICK)
for name, (wrong, right) in {
    "stars": ("* [ ] {t}", "* [x] {t}"),
    "plus": ("+ [ ] {t}", "+ [x] {t}"),
    "capital X": ("- [ ] {t}", "- [X] {t}"),
    "empty brackets": ("- [] {t}", "- [x] {t}"),
    "spaces within": ("- [ ] {t}", "- [ x ] {t}"),
    "letters within": ("- [ ] {L}. {t}", "- [x] {L}. {t}"),
    "numbers before": ("{i}. [ ] {t}", "{i}. [x] {t}"),
    "indented": ("  - [ ] {t}", "  - [x] {t}"),
    "indented by a tab": ("\t- [ ] {t}", "\t- [x] {t}"),
    "trailing spaces": ("- [ ] {t}  ", "- [x] {t}  "),
    "html breaks": ("- [ ] {t}<br>", "- [x] {t}<br>"),
    "bold ticked": ("- [ ] {t}", "- [x] **{t}**"),
    "no dash": ("[ ] {t}", "[x] {t}"),
    "round": ("- ( ) {t}", "- (x) {t}"),
    "code": ("- [ ] `{t}`", "- [x] `{t}`"),
}.items():
    SHAPES[f"box: {name}"] = _build("### {n}. {q}\n\n", wrong, right=right)
for name, foot in {
    "back to top": "\n\n**[⬆ Back to Top](#contents)**",
    "reference": "\n\n[Reference](https://example.org/{n})",
    "explanation": "\n\n**Explanation:** it is so in case {n}.",
    "reasoning": "\n\n**Reasoning:** it is so in case {n}.",
    "quotation": "\n\n> It is so in case {n}.",
    "details": "\n\n<details><summary>Explanation</summary>\n\nIt is so.\n\n</details>",
    "rule": "\n\n---",
}.items():
    SHAPES[f"box, below: {name}"] = _build("### {q}\n\n", BOX, foot, right=TICK)
SHAPES["box: loose options"] = _build("### {q}\n\n", BOX, right=TICK, gap="\n\n")
SHAPES["box: nested list"] = _build(
    "### {q}\n\n", BOX + "\n  - as {l}", right=TICK + "\n  - as {l}"
)

for name, option in {
    "A.": "{L}. {t}",
    "A)": "{L}) {t}",
    "(A)": "({L}) {t}",
    "a)": "{l}) {t}",
    "a.": "{l}. {t}",
    "(a)": "({l}) {t}",
    "- A.": "- {L}. {t}",
    "- A)": "- {L}) {t}",
    "* (A)": "* ({L}) {t}",
    "- A:": "- {L}: {t}",
    "**A.**": "**{L}.** {t}",
    "**A)**": "**{L})** {t}",
    "- **A.**": "- **{L}.** {t}",
    "- **A**:": "- **{L}**: {t}",
    "A. with breaks": "{L}. {t}<br>",
    "A. indented": "    {L}. {t}",
    "A -": "{L} - {t}",
}.items():
    SHAPES[f"letters {name}"] = _build("{n}. {q}\n\n", option, "\n\nAnswer: {A}")
for name, foot in {
    "**Answer: B**": "\n\n**Answer: {A}**",
    "**Answer:** B": "\n\n**Answer:** {A}",
    "Correct Answer: B": "\n\nCorrect Answer: {A}",
    "Correct answer is B": "\n\nThe correct answer is {A}.",
    "ans:-": "\n\nans:- {A}",
    "Ans: (b)": "\nAns: ({a})",
    "Answer - B": "\n\nAnswer - {A}",
    "> Answer: B": "\n\n> Answer: {A}",
    "### Answer: B": "\n\n### Answer: {A}",
    "*Answer: B*": "\n\n*Answer: {A}*",
    "`Answer: B`": "\n\n`Answer: {A}`",
    "✅ Answer: B": "\n\n✅ Answer: {A}",
    "Respuesta correcta: B": "\n\nRespuesta correcta: {A}",
    "**Respuesta:** b)": "\n\n**Respuesta:** {a})",
    "details": "\n\n<details><summary>Answer</summary>\n\n{A}\n\n</details>",
    "details on one line": "\n\n<details><summary>Answer</summary>{A}</details>",
    "details with text": "\n\n<details>\n<summary>Show</summary>\n\n**Answer:** {A}\n\n</details>",
    "Answer and Explanation": "\n\n**Answer: {A}**\n\n**Explanation:** it is so in case {n}.",
    "answer text": "\n\nAnswer: {T}",
    "answer letter and text": "\n\nAnswer: {A}. {T}",
    "answer bold letter and text": "\n\n**Answer: {A}) {T}**",
}.items():
    SHAPES[f"key {name}"] = _build("**Question {n}:** {q}\n\n", "{L}. {t}", foot)
for name, head in {
    "heading": "### {q}\n\n",
    "heading with number": "## {n}. {q}\n\n",
    "paragraph": "{q}\n\n",
    "no blank line": "{q}\n",
    "bold": "**{q}**\n\n",
    "QUESTION NO": "QUESTION NO: {n}\n{q}\n\n",
    "Q1.": "Q{n}. {q}\n\n",
}.items():
    SHAPES[f"letters below {name}"] = _build(head, "{L}. {t}", "\n\nAnswer: {A}")
SHAPES["numbers and answer"] = _build("### {q}\n\n", "{i}. {t}", "\n\nAnswer: {N}")
SHAPES["numbers with brackets and answer"] = _build(
    "Q{n}. {q}\n\n", "{i}) {t}", "\n\n**Answer: {N}**"
)
SHAPES["bullets and answer text"] = _build("### {q}\n\n", "- {t}", "\n\n**Answer:** {T}")
for name, (wrong, right) in {
    "bold": ("- {t}", "- **{t}**"),
    "bold stars": ("* {t}", "* **{t}**"),
    "bold letters": ("{L}. {t}", "**{L}. {t}**"),
    "bold letters inside": ("{L}. {t}", "{L}. **{t}**"),
    "bold letters in a list": ("- {L}. {t}", "- **{L}. {t}**"),
    "bold numbers": ("{i}. {t}", "{i}. **{t}**"),
    "check at the end": ("- {t}", "- {t} ✅"),
    "check at the start": ("- {t}", "- ✅ {t}"),
    "check and crosses": ("- ❌ {t}", "- ✅ {t}"),
    "check mark": ("- {t}", "- {t} ✔️"),
    "letters and check": ("{L}. {t}", "{L}. {t} ✅"),
    "(correct)": ("- {t}", "- {t} (correct)"),
    "letters and (correct)": ("{L}) {t}", "{L}) {t} **(Correct)**"),
    "letters and (correcta)": ("{l}) {t}", "{l}) {t} (correcta)"),
}.items():
    SHAPES[f"mark {name}"] = _build("### {n}. {q}\n\n", wrong, right=right)
TRANSPORTS: dict[str, Callable[[str], bytes]] = {
    "as it is": str.encode,
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "BOM": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "nbsp": lambda text: text.replace(" is ", "\xa0is\xa0").replace(" the ", "\xa0the ").encode(),
    "no blank lines": lambda text: text.replace("\n\n", "\n").encode(),
    "title above": lambda text: (
        "# A quiz of rivers\n\nSome words of welcome.\n\n" + text
    ).encode(),
}


def write_quiz(shape: Shape) -> str:
    """Return the quiz in a shape."""
    return "".join(shape(number, question) for number, question in enumerate(QUIZ, start=1))
