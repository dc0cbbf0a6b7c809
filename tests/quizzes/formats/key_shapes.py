"""Keys and options as public repositories of quizzes write them, in two invented quizzes."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase


@dataclass(frozen=True)
class KeyQuestion:
    """A question of a quiz: `right` are the places of its right options."""

    prompt: str
    options: tuple[str, ...]
    right: tuple[int, ...]
    explanation: str
    listing: str = ""


ENGLISH = (
    KeyQuestion(
        "Which pigment gives leaves their green colour?",
        ("Carotene", "Chlorophyll a", "Melanin", "Haemoglobin"),
        (1,),
        "It absorbs red and blue light.",
    ),
    KeyQuestion(
        "Which of these are prime numbers? (Choose two)",
        ("21", "23", "27", "29"),
        (1, 3),
        "Both have no divisor between $2$ and $\\sqrt{29}$.",
    ),
    KeyQuestion(
        "What does this function return for `f([])`?",
        ("`None`", "`0`", "`[]`", "It raises `IndexError`"),
        (3,),
        "An empty list has no element 0.",
        "def f(xs):\n    # first element\n    return xs[0] * 2",
    ),
    KeyQuestion(
        "What is the derivative of $x^2 + 3x$?",
        ("$2x$", "$2x + 3$", "$x + 3$"),
        (1,),
        "Term by term: $2x$ and $3$.\n\nSee any textbook on calculus.",
    ),
    KeyQuestion(
        "Which statements about TCP are correct?",
        (
            "It retransmits lost segments",
            "It keeps no state at either end",
            "It orders bytes with sequence numbers",
            "It needs a multicast address",
            "It begins with a three-way handshake",
        ),
        (0, 2, 4),
        "The other two describe other protocols.",
    ),
)
SPANISH = (
    KeyQuestion(
        "¿Qué órgano bombea la sangre?",
        ("El hígado", "El corazón", "El riñón", "El bazo"),
        (1,),
        "Late unas 70 veces por minuto.",
    ),
    KeyQuestion(
        "¿Cuáles de estos países limitan con Perú?",
        ("Ecuador", "Paraguay", "Bolivia", "Venezuela"),
        (0, 2),
        "Los demás están más lejos.",
    ),
    KeyQuestion(
        "¿Qué imprime este programa?",
        ("`3`", "`[1, 2, 3]`", "`6`", "Nada"),
        (2,),
        "`sum` suma la lista.",
        "xs = [1, 2, 3]\n# suma\nprint(sum(xs))",
    ),
    KeyQuestion(
        "¿Cuánto vale $\\int_0^1 2x\\,dx$?", ("$0$", "$1$", "$2$"), (1,), "La primitiva es $x^2$."
    ),
    KeyQuestion(
        "¿Qué afirmación sobre HTTP es verdadera?",
        (
            "No guarda estado entre peticiones",
            "Solo transporta texto plano",
            "Necesita siempre cifrado",
        ),
        (0,),
        "Por eso existen las cookies.",
    ),
)


@dataclass(frozen=True)
class KeyShape:
    """How questions are written; `right` is the line of a right option, `foot` is below them."""

    head: str
    option: str
    foot: str = ""
    right: str = ""
    gap: str = "\n"
    between: str = "\n\n"
    before: str = ""
    after: str | Callable[[Sequence[KeyQuestion]], str] = ""
    has_listing: bool = True
    is_spanish: bool = False
    rewrite: Callable[[str], str] = str

    @property
    def quiz(self) -> Sequence[KeyQuestion]:
        """Return the questions that it writes."""
        return SPANISH if self.is_spanish else ENGLISH

    def write(self) -> str:
        """Return the quiz."""
        questions = (self._write(number, each) for number, each in enumerate(self.quiz, start=1))
        after = self.after if isinstance(self.after, str) else self.after(self.quiz)
        return self.rewrite(f"{self.before}{self.between.join(questions)}\n{after}")

    def _write(self, number: int, question: KeyQuestion) -> str:
        has_listing = self.has_listing and question.listing
        listing = f"```python\n{question.listing}\n```\n\n" if has_listing else ""
        words = {"q": question.prompt, "n": number, "why": question.explanation}
        words |= list_keys(question)
        options = self.gap.join(
            (self.right if self.right and at in question.right else self.option).format(
                t=text,
                L=ascii_uppercase[at],
                l=ascii_uppercase[at].lower(),
                i=at + 1,
                n=number,
                why=question.explanation.split("\n")[0],
                c="🅰🅱🅲🅳🅴"[at] + "\ufe0f",
                e=f"{at + 1}\ufe0f\u20e3",
                R=("i", "ii", "iii", "iv", "v")[at],
            )
            for at, text in enumerate(question.options)
        )
        return f"{self.head.format(**words)}{listing}{options}{self.foot.format(**words)}"


def list_keys(question: KeyQuestion) -> dict[str, str | int]:
    """Return the key of a question in the ways that shapes write it."""
    letters = ascii_uppercase[: len(question.options)]
    names = [letters[at] for at in question.right]
    texts = [question.options[at] for at in question.right]
    pairs = list(zip(names, texts, strict=True))
    return {
        "K": ", ".join(names),
        "Kand": " and ".join(names),
        "Ky": " y ".join(names),
        "k": ", ".join(names).lower(),
        "KK": "".join(names),
        "Kp": ", ".join(f"({name})" for name in names),
        "kp": ", ".join(f"{name.lower()})" for name in names),
        "N": ", ".join(str(at + 1) for at in question.right),
        "T": ", ".join(texts),
        "Tand": " and ".join(texts),
        "Tn": "\n".join(f"- {text}" for text in texts),
        "LT": ", ".join(f"{name}. {text}" for name, text in pairs),
        "LP": ", ".join(f"{name}) {text}" for name, text in pairs),
        "LD": "; ".join(f"{name} - {text}" for name, text in pairs),
        "LTn": "\n".join(f"- {name}. {text}" for name, text in pairs),
        "sug": "\n".join(f"- {n} - Correct" if n in names else f"- {n}" for n in letters),
        "kind": "Multiple" if len(names) > 1 else "Single",
        "cnt": len(names),
        "ana": "\n".join(
            f"- **{n}:** {'Correct' if n in names else 'Incorrect'} because of it." for n in letters
        ),
        "anaes": "\n".join(
            f"- **{n}:** {'Correcta' if n in names else 'Incorrecta'} por eso." for n in letters
        ),
        "others": "\n".join(f"- {n} is wrong because of it." for n in letters if n not in names),
    }


def write_keys(title: str, line: str = "| {n} | {K} |") -> Callable[[Sequence[KeyQuestion]], str]:
    """Return what writes a title, and below it the key of each question."""

    def write(quiz: Sequence[KeyQuestion]) -> str:
        keys = (
            line.format(n=n, why=each.explanation.split("\n")[0], **list_keys(each))
            for n, each in enumerate(quiz, start=1)
        )
        return title + "\n".join(keys) + "\n"

    return write


def join_keys(title: str, key: str, by: str, end: str) -> Callable[[Sequence[KeyQuestion]], str]:
    """Return what writes all keys on one line."""

    def write(quiz: Sequence[KeyQuestion]) -> str:
        keys = (
            key.format(n=n, run=str(list_keys(each)["KK"]).lower(), **list_keys(each))
            for n, each in enumerate(quiz, start=1)
        )
        return title + by.join(keys) + end

    return write


def write_rows(head: str, quiz: Sequence[KeyQuestion], columns: int) -> Callable[[str], str]:
    """Return what writes a quiz as a table with a row a question."""
    rows = (
        f"| {n} | {each.prompt} | "
        + " | ".join([*each.options, *[""] * columns][:columns])
        + f" | {list_keys(each)['K']} |"
        for n, each in enumerate(quiz, start=1)
    )
    table = head + "\n".join(rows) + "\n"
    return lambda _: table


def add_head(head: str) -> Callable[[str], str]:
    """Return what writes the head of a table above the first of its rows."""
    return lambda text: re.sub(r"(?m)(?<=\n)\n(\| )", lambda row: f"\n{head}{row[1]}", text)


def quote(text: str) -> str:
    """Return a page as one quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


KEY_SHAPES: dict[str, KeyShape] = {
    "symfony typed boxes+answers": KeyShape(
        "### Q{n}: {q}\n**Type:** {kind} answer\n",
        "- [ ] {L}) {t}",
        "\n\n**Correct Answer(s):** {K}\n**Explanation:** {why}\n**Reference:** https://example.org/doc.html\n\n---",
    ),
    "fields Question/Options/Correct": KeyShape(
        "**Question:** [00{n}]\n{q}\n\n",
        "{L}. {t}",
        "\n\n**Correct Answer(s):** {K}\n\n**Explanation:**\n{why}\n\n**Source:**\n[Docs](https://example.org/{n})",
        between="\n\n---\n\n",
    ),
    "suggested answers": KeyShape(
        "__Practice Question__\n\n{q}\n\n",
        "{L}. {t}",
        "\n\n__Suggested Answers__\n\n{sug}",
        before="__Type__\n\nMultiple Choice\n\n",
    ),
    "prompt/options headings": KeyShape(
        "# prompt\n{q}\n\n",
        "- [ ] {t}",
        "\n\n# hint\nThink again.\n\n# explanation\n{why}",
        right="- [x] {t}",
    ),
    "quiz tags": KeyShape("<quiz>\n{q}\n", "- [ ] {t}", "\n\n{why}\n</quiz>", right="- [x] {t}"),
    "numbered nested round": KeyShape("{n}. {q}\n\n", "    - ( ) {t}", right="    - (x) {t}"),
    "quoted with details": KeyShape(
        "**Q{n}. {q}**\n\n",
        "- {L}. {t}",
        "\n\n<details>\n<summary>Show Answer</summary>\n\n**{K}** — {why}\n\n</details>",
        rewrite=quote,
    ),
    "details + key table too": KeyShape(
        "**{n}. {q}**\n\n",
        "- {L}) {t}",
        "\n\n<details>\n<summary>Reveal Answer</summary>\n\n**Correct Answer: {K}**"
        "\n\n**Explanation**: {why}\n\n</details>\n\n---",
        after=write_keys(
            "\n## Answer Key\n\n| Q# | Answer | Difficulty |\n|----|--------|------------|\n",
            "| {n} | {K} | Easy |",
        ),
    ),
    "key list in details with reasons": KeyShape(
        "**{n}.** {q}\n\n",
        "- {L}) {t}",
        after=write_keys(
            "\n## Answer key\n\n<details>\n<summary>Click to reveal answers</summary>\n\n",
            "{n}. **{K}** — {why}",
        ),
    ),
    "key bold Question n": KeyShape(
        "**{n}. {q}**\n\n",
        "{L}. {t}",
        after=write_keys("\n### Answer Key\n\n", "**Question {n}:** {K}"),
    ),
    "es letra+texto": KeyShape(
        "**{n}. {q}**\n\n",
        "- {l}. {t}",
        "\n\n**Respuesta correcta:** {k} — {T}\n\n**Explicación:** {why}\n\n---",
        is_spanish=True,
    ),
    "es enunciado": KeyShape(
        "### Pregunta {n} — Tema\n**Enunciado:** {q}\n\n",
        "- {L}: {t}",
        "\n\n**Respuesta correcta:** {K}\n**Justificación:** {why}",
        is_spanish=True,
    ),
    "es analisis": KeyShape(
        "**Pregunta {n}:** {q}\n\n",
        "{L}. {t}",
        "\n\n## Respuesta\n\n**Respuesta correcta:** {K}\n\n**Análisis de opciones:**\n{anaes}",
        is_spanish=True,
        between="\n\n---\n\n",
    ),
    "options table": KeyShape(
        "### {n}. {q}\n\n",
        "| {L} | {t} |",
        "\n\n**Answer:** {K}",
        rewrite=add_head("| Option | Text |\n|---|---|\n"),
    ),
    "options table ticks": KeyShape(
        "### {n}. {q}\n\n",
        "| {t} | |",
        right="| {t} | ✓ |",
        rewrite=add_head("| Option | Correct |\n|---|---|\n"),
    ),
    "options table yes/no": KeyShape(
        "### {n}. {q}\n\n",
        "| {L} | {t} | ❌ |",
        right="| {L} | {t} | ✅ |",
        rewrite=add_head("| # | Answer | Correct? |\n|:-:|---|:-:|\n"),
    ),
    "options table bold right": KeyShape(
        "### {n}. {q}\n\n",
        "| {L} | {t} |",
        right="| **{L}** | **{t}** |",
        rewrite=add_head("|   | Choice |\n|---|---|\n"),
    ),
    "row each": KeyShape(
        "",
        "",
        rewrite=write_rows(
            "| # | Question | A | B | C | D | E | Answer |\n|---|---|---|---|---|---|---|---|\n",
            ENGLISH,
            5,
        ),
    ),
    "boxes ☐ ☑ bare": KeyShape("**{n}. {q}**\n\n", "☐ {t}  ", right="☑ {t}  "),
    "boxes ☐ ✅ bare": KeyShape("### {q}\n", "☐ {t}", right="✅ {t}", gap="\n\n"),
    "radios ○ ● bare": KeyShape("{n}. {q}\n\n", "○ {t}", right="● {t}"),
    "ticks ✓ ✗ bare": KeyShape("{n}. {q}\n\n", "✗ {t}", right="✓ {t}"),
    "ticks ✔️ ❌ bare": KeyShape("### Question {n}\n{q}\n\n", "❌ {t}  ", right="✔️ {t}  "),
    "☐ with letters": KeyShape("### {q}\n\n", "☐ {L}. {t}", right="☒ {L}. {t}", is_spanish=True),
    "struck list": KeyShape("### {n}. {q}\n\n", "- ~~{t}~~", right="- {t}"),
    "struck letters": KeyShape("**Q{n}:** {q}\n\n", "- ~~{l}) {t}~~", right="- {l}) {t}"),
    "struck bare letters": KeyShape("{n}. {q}\n\n", "~~{L}. {t}~~  ", right="**{L}. {t}**  "),
    "struck del": KeyShape("{n}. {q}\n\n", "* <del>{t}</del>", right="* {t}", is_spanish=True),
    "struck inside letters": KeyShape("### {q}\n\n", "{L}. ~~{t}~~", right="{L}. {t}"),
    "struck <s>, bold tick": KeyShape("### {q}\n\n", "- <s>{L}) {t}</s>", right="- ✅ {L}) {t}"),
    "checkbox html": KeyShape(
        "### {q}\n\n",
        '<input type="checkbox"> {t}<br>',
        right='<input type="checkbox" checked> {t}<br>',
    ),
    "radio html": KeyShape(
        "<p>{n}. {q}</p>\n\n",
        '<label><input type="radio" name="q{n}"> {t}</label><br/>',
        right='<label><input type="radio" name="q{n}" checked="checked"> {t}</label><br/>',
        has_listing=False,
    ),
    "li checkbox html": KeyShape(
        "### {q}\n\n<ul>\n",
        '<li><input type="checkbox" disabled /> {t}</li>',
        "\n</ul>",
        right='<li><input type="checkbox" disabled checked /> {t}</li>',
    ),
    "ol type A": KeyShape(
        '### {n}. {q}\n\n<ol type="A">\n',
        "  <li>{t}</li>",
        "\n</ol>\n\n<p><strong>Answer: {K}</strong></p>",
    ),
    "li bold": KeyShape(
        "### {n}. {q}\n\n<ul>\n", "<li>{t}</li>", "\n</ul>", right="<li><b>{t}</b></li>"
    ),
    "emoji letters": KeyShape("**{n}. {q}**\n\n", "{c} {t}", "\n\n✅ **Answer:** {K}"),
    "keycaps": KeyShape("**{n}. {q}**\n\n", "{e} {t}", "\n\n**Answer:** {N}"),
    "roman": KeyShape("{n}. {q}\n\n", "   ({R}) {t}", "\n\n   **Answer:** {T}"),
    "answer text only": KeyShape("### {n}. {q}\n\n", "- {t}", "\n\n**Answer:** {T}"),
    "answers text list": KeyShape("### {n}. {q}\n\n", "- {t}", "\n\n**Correct answers:**\n{Tn}"),
    "answer letter-list": KeyShape(
        "### {n}. {q}\n\n", "{L}. {t}", "\n\n**Correct Answer:**\n{LTn}\n\n**Explanation:** {why}"
    ),
    "answer before options": KeyShape("### {n}. {q}\n\n**Answer: {K}**\n\n", "- {L}. {t}"),
    "correct suffix ✅ Correct": KeyShape(
        "#### {n}. {q}\n\n", "- {L}. {t}", right="- {L}. {t} ✅ **Correct**"
    ),
    "suffix ❌/✅ all": KeyShape("#### {n}. {q}\n\n", "- {t} ❌", right="- {t} ✅"),
    "suffix shortcodes": KeyShape(
        "#### {n}. {q}\n\n", "- {t} :x:", right="- {t} :white_check_mark:"
    ),
    "prefix shortcodes": KeyShape(
        "#### {n}. {q}\n\n", "- :black_square_button: {t}", right="- :ballot_box_with_check: {t}"
    ),
    "prefix heavy_check": KeyShape("#### {n}. {q}\n\n", "- {t}", right="- :heavy_check_mark: {t}"),
    "suffix [correct]": KeyShape("#### {n}. {q}\n\n", "{l}) {t}", right="{l}) {t} **[correct]**"),
    "suffix arrow": KeyShape(
        "{n}) {q}\n", "   {l}) {t}", right="   {l}) {t}  ← correcta", is_spanish=True
    ),
    "suffix (V)/(F)": KeyShape("**{n}.** {q}\n\n", "- {t} (F)", right="- {t} (V)", is_spanish=True),
    "suffix correcta": KeyShape(
        "{n}.- {q}\n\n", "{l}.- {t}", right="{l}.- {t} (CORRECTA)", is_spanish=True
    ),
    "prefix asterisk": KeyShape("{n}. {q}\n", "{l}) {t}", right="*{l}) {t}"),
    "prefix double arrow": KeyShape("{n}. {q}\n\n", "   {L}. {t}", right=">> {L}. {t}"),
    "prefix ->": KeyShape("{n}. {q}\n\n", "- {t}", right="- -> {t}"),
    "plus minus": KeyShape("### {q}\n\n", "- {t}", right="+ {t}"),
    "callout question": KeyShape(
        "> [!question] Question {n}\n> {q}\n>\n",
        "> - [ ] {t}",
        "\n\n> [!success]- Answer\n> {why}",
        right="> - [x] {t}",
        has_listing=False,
    ),
    "docusaurus": KeyShape(
        "## {n}. {q}\n\n", "- {L}. {t}", "\n\n:::tip Answer\n\n{K}\n\n{why}\n\n:::"
    ),
    "details body letter text": KeyShape(
        "### {n}. {q}\n\n",
        "- {L}) {t}",
        "\n\n<details>\n  <summary>Answer</summary>\n\n  {LP}\n\n  {why}\n</details>",
    ),
    "details summary with Ans": KeyShape(
        "### {n}. {q}\n\n", "- {t}", "\n\n<details><summary>💡 Answer</summary>{T}</details>"
    ),
    "ans paren": KeyShape("Q.{n} {q}\n", "({l}) {t}", "\nAns: {kp} {why}", has_listing=False),
    "ans dot": KeyShape("Q{n}) {q}\n\n", "{l}. {t}", "\n\nAns. {k}"),
    "correct answer is": KeyShape(
        "{n}. {q}\n\n", "{L}. {t}", "\n\nThe correct answer is {Kand}. {why}"
    ),
    "correct answers are": KeyShape(
        "**Question {n}**\n\n{q}\n\n", "- {L}. {t}", "\n\nThe correct answers are: **{Kand}**"
    ),
    "answer italic": KeyShape("{n}. {q}\n\n", "- {L}. {t}", "\n\n*Answer: {K}*"),
    "emoji answer": KeyShape(
        "### ❓ Question {n}\n\n{q}\n\n",
        "- **{L}.** {t}",
        "\n\n✅ Correct Answer: **{K}**\n\n💡 Explanation: {why}\n\n---",
    ),
    "bold option names": KeyShape(
        "## Question {n}: {q}\n\n", "**{L}:** {t}  ", "\n\n**Answer:** {LD}"
    ),
    "es rpta": KeyShape("{n}. {q}\n\n", "{l}) {t}", "\n\nRpta.: {k}", is_spanish=True),
    "es clave": KeyShape("{n}.- {q}\n\n", "{L}) {t}", "\n\n**CLAVE: {K}**", is_spanish=True),
    "es opcion correcta": KeyShape(
        "#### {n}. {q}\n\n",
        "- {l}) {t}",
        "\n\n*Opción correcta: {k}*\n\n*Explicación: {why}*",
        is_spanish=True,
    ),
    "es la respuesta correcta es": KeyShape(
        "#### {n}. {q}\n\n",
        "{l}) {t}",
        "\n\nLa respuesta correcta es la {Ky}. {why}",
        is_spanish=True,
    ),
    "es solucionario": KeyShape(
        "**{n}.** {q}\n\n",
        "{l}) {t}",
        is_spanish=True,
        after=write_keys("\n## Solucionario\n\n", "{n}. {k}"),
    ),
    "es tabla soluciones": KeyShape(
        "**{n}.** {q}\n\n",
        "{l}) {t}",
        is_spanish=True,
        after=write_keys(
            "\n## Soluciones\n\n| Pregunta | Respuesta |\n|---|---|\n", "| {n} | {k} |"
        ),
    ),
    "es details": KeyShape(
        "### {n}. {q}\n\n",
        "- {l}) {t}",
        "\n\n<details>\n<summary>Ver respuesta</summary>\n\n**{k})** {why}\n\n</details>",
        is_spanish=True,
    ),
    "wide key table": KeyShape(
        "{n}. {q}\n\n",
        "   {L}. {t}",
        after=join_keys(
            "\n## Answers\n\n| 1 | 2 | 3 | 4 | 5 |\n|---|---|---|---|---|\n| ", "{K}", " | ", " |\n"
        ),
    ),
    "key one line letters": KeyShape(
        "{n}. {q}\n\n", "   {l}) {t}", after=join_keys("\n**Answers:** ", "{n}) {run}", ", ", "\n")
    ),
    "key with texts": KeyShape(
        "{n}. {q}\n\n", "   - {L}. {t}", after=write_keys("\n## Answer Key\n\n", "{n}. {LT}")
    ),
    "key with explanation bullets": KeyShape(
        "### Question {n}\n\n{q}\n\n",
        "{L}. {t}",
        after=write_keys("\n---\n\n## Answers and explanations\n\n", "- **{n}: {K}** - {why}"),
    ),
    "option explained below each": KeyShape(
        "### {q}\n\n", "- [ ] {t}\n  - Wrong: {why}", right="- [x] {t}\n  - Right: {why}"
    ),
    "option quote below each": KeyShape(
        "### {q}\n\n", "- [ ] {t}\n  > No.", right="- [x] {t}\n  > Yes: {why}"
    ),
    "why others wrong": KeyShape(
        "### Question {n}\n\n{q}\n\n",
        "- {L}. {t}",
        "\n\n**Correct answer:** {K}\n\n**Why the others are wrong:**\n{others}",
    ),
    "option analysis": KeyShape(
        "### Question {n}\n\n{q}\n\n", "- {L}. {t}", "\n\n**Answer: {K}**\n\n{ana}"
    ),
    "two paragraphs option": KeyShape(
        "### {n}. {q}\n\n",
        "- [ ] {t}\n\n  More about option {i}.\n",
        right="- [x] {t}\n\n  More about option {i}.\n",
    ),
    "image options": KeyShape(
        "### {n}. {q}\n\n",
        "- [ ] ![{t}](https://example.org/{n}-{i}.png)",
        right="- [x] ![{t}](https://example.org/{n}-{i}.png)",
    ),
    "setext": KeyShape("Question {n}\n----------\n\n{q}\n\n", "* {L}. {t}", "\n\n**Ans: {K}**"),
    "escaped dots": KeyShape("{n}\\. {q}\n\n", "{L}\\. {t}", "\n\nAnswer: {K}"),
    "crlf bom tabs": KeyShape(
        "{n}.\t{q}\n",
        "\t{L}.\t{t}",
        "\n\tAnswer:\t{K}",
        rewrite=lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    ),
    "aws jayendra": KeyShape("{n}. {q}\n", "    1. {t}", right="    1. **{t}**"),
    "k8s dump": KeyShape(
        "## QUESTION {n}\n{q}\n\n",
        "{L}. {t}\n",
        "\n**Answer: {KK}**\n\nExplanation/Reference:\n{why}\n",
    ),
    "details full answer": KeyShape(
        "#### {n}. {q}\n\n",
        "{L}. {t}\n",
        "\n<details markdown=1><summary markdown='span'>Answer</summary>"
        "\n  Correct answer: {K}\n</details>",
    ),
    "js quiz jeopardy": KeyShape(
        "<h3>{n}. {q}</h3>\n\n", "- [ ] {t}", right="- [x] {t}", has_listing=False
    ),
    "right/wrong words": KeyShape("### {q}\n\n", "- Wrong: {t}", right="- Right: {t}"),
    "tick in letters list": KeyShape("{n}. {q}\n", "   - {L}. {t}", right="   - ✅ {L}. {t}"),
    "green/red": KeyShape("{n}. {q}\n", "   - 🔴 {t}", right="   - 🟢 {t}"),
    "li es numbers hint": KeyShape(
        "#### P{n}. {q}\n\n",
        "- [ ] {t}",
        "\n\n[Referencia](https://example.org/{n})\n\n**Explicación:** {why}",
        right="- [X] {t}",
        is_spanish=True,
    ),
    "bold question + boxes + rule": KeyShape(
        "**{n}. {q}**\n\n", "- [ ] {t}", "\n\n---", right="- [x] {t}"
    ),
    "html comment answers": KeyShape("## {q}\n\n", "- {L}. {t}", "\n\n<!-- Answer: {K} -->"),
    "answers collapsed all": KeyShape(
        "### {n}) {q}\n\n",
        "{l}) {t}",
        after=write_keys("\n<details>\n<summary><b>Answers</b></summary>\n\n", "{n}) {k}"),
    ),
    "answers per section ###": KeyShape(
        "### Question {n}\n\n{q}\n\n",
        "- {L}) {t}",
        "\n\n#### Answer\n\n{K}\n\n#### Explanation\n\n{why}",
    ),
    "tick at line end lettered dot": KeyShape("{n}. {q}\n", "   {l}. {t}", right="   {l}. {t} ✔️"),
    "☑ in bullets lettered": KeyShape("{n}. {q}\n", "   - ☐ {L}) {t}", right="   - ☑ {L}) {t}"),
    "❌ only wrong marked": KeyShape("### {q}\n\n", "- ❌ {t}", right="- {t}"),
    "bold answer sentence": KeyShape(
        "### Q{n}: {q}\n\n", "{L}) {t}  ", "\n\n**The correct answer is {Kand}.** {why}"
    ),
    "respuesta en cita": KeyShape(
        "**{n}) {q}**\n\n", "- {L}) {t}", "\n\n> Respuesta: {K}. {why}", is_spanish=True
    ),
    "respuestas correctas plural": KeyShape(
        "## {n}. {q}\n\n", "{L}. {t}", "\n\n**Respuestas correctas:** {Ky}\n", is_spanish=True
    ),
    "soluciones one line dash": KeyShape(
        "{n}. {q}\n\n",
        "   {l}) {t}",
        is_spanish=True,
        after=join_keys("\n**Soluciones:** ", "{n}-{run}", "; ", "\n"),
    ),
    "table of letters in cells with header option": KeyShape(
        "**Question {n}:** {q}\n\n",
        "| {L}) | {t} |",
        "\n\n**Correct: {K}**",
        rewrite=add_head("| | |\n|---|---|\n"),
    ),
    "table with X column": KeyShape(
        "### {n}. {q}\n\n",
        "| {t} |  |",
        right="| {t} | X |",
        rewrite=add_head("| Answer | Correct |\n|---|:-:|\n"),
    ),
    "table verdict first col": KeyShape(
        "### {n}. {q}\n\n",
        "| ❌ | {t} |",
        right="| ✅ | {t} |",
        rewrite=add_head("| | Option |\n|---|---|\n"),
    ),
    "table row each es": KeyShape(
        "",
        "",
        is_spanish=True,
        rewrite=write_rows(
            "| N.º | Pregunta | a | b | c | d | Respuesta |\n|---|---|---|---|---|---|---|\n",
            SPANISH,
            4,
        ),
    ),
    "options with feedback after dash": KeyShape(
        "### {q}\n\n",
        "- [ ] {t}\n    - Incorrect. Read it again.",
        right="- [x] {t}\n    - Correct! Well done.",
    ),
    "options feedback in italics": KeyShape(
        "### {q}\n\n", "- [ ] {t}  \n  *Not so.*", right="- [x] {t}  \n  *Yes.*"
    ),
    "obsidian foldable": KeyShape(
        "### {n}. {q}\n", "- {L}: {t}", "\n\n> [!answer]- Answer\n> {K}: {why}"
    ),
    "spoiler reddit": KeyShape("{n}. {q}\n\n", "   {L}. {t}", "\n\n   >! Answer: {K} !<"),
    "answer right aligned": KeyShape(
        "{n}. {q}\n\n", "   {l}) {t}", '\n\n<p align="right"><b>Answer: {k}</b></p>'
    ),
    "ans colon parentheses text": KeyShape("Q{n}. {q}\n\n", "({L}) {t}", "\n\nAnswer: ({K}) {T}"),
    "correct ans": KeyShape("{n}) {q}\n", "{L}. {t}", "\nCorrect Ans: {K}"),
    "topic + question": KeyShape(
        "Topic {n} - Question #{n}\n\n{q}\n\n",
        "{L}. {t}",
        "\n\nReveal Solution\n\nCorrect Answer: {KK} 🗳️\n\n{why}\n\n---",
    ),
    "checkbox nested under numbered": KeyShape(
        "{n}. **{q}**\n\n",
        "   - [ ] {L}. {t}",
        "\n\n   <details><summary>Explanation</summary>{why}</details>",
        right="   - [x] {L}. {t}",
    ),
    "double bracket star": KeyShape("{n}. {q}\n", "[ ] {t}", right="[*] {t}"),
    "equals prefix": KeyShape("### {q}\n\n", "- {t}", right="- **→ {t}**"),
    "italic underscore correct": KeyShape(
        "{n}. {q}\n", "{l}) {t}", right="{l}) {t} _(correct answer)_"
    ),
    "comment correct": KeyShape("### {q}\n\n", "- {t}", right="- {t} <!-- correct -->"),
    "bold + (X)": KeyShape("### {q}\n\n", "- ( ) {t}", "\n\n*{why}*", right="- (X) **{t}**"),
    "lettered with type hint line": KeyShape(
        "### Question {n} (2 points)\n\n*Select {cnt}*\n\n{q}\n\n",
        "- **{L})** {t}",
        "\n\n**Answer(s):** {Kand}\n\n**Rationale:** {why}",
    ),
    "latex style": KeyShape("**Q{n}.** {q}\n\n", "({l}) {t} \\\\", "\n\n**Sol.** ({k})"),
    "long explanation w list": KeyShape(
        "### {n}. {q}\n\n",
        "- {L}. {t}",
        "\n\n**Answer: {K}**\n\n**Explanation:**\n\n1. First, read it."
        "\n2. Then think: {why}\n\n```bash\necho done\n```",
    ),
    "answer list of bold texts": KeyShape("### {n}. {q}\n\n", "* {t}", "\n\n**Answer:** {Tand}"),
    "setext equals title and numbers": KeyShape(
        "{n}. {q}\n\n",
        "    - [ ] {t}",
        right="    - [x] {t}",
        before="Unit test\n=========\n\nAnswer all. Good luck!\n\n## Part 1\n\n",
    ),
    "yaml front + h2 + +boxes": KeyShape(
        "## {q}\n\n",
        "+ [ ] {t}",
        "\n\n> {why}",
        right="+ [x] {t}",
        before="---\ntitle: Test\ntags: [a, b]\n---\n\n",
    ),
    "radio ◯ ◉ spaced": KeyShape("{n}. {q}\n\n", "   ◯  {t}", right="   ◉  {t}", is_spanish=True),
    "squares ▢ ✔": KeyShape("### {q}\n\n", "▢ {t}<br>", right="✔ {t}<br>"),
    "struck dollar": KeyShape("Q{n}. {q}\n\n", "1. ~~{t}~~", right="1. {t}"),
}
