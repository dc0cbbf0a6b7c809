"""Quizzes in Markdown in the odder shapes of public repositories, each written from one quiz."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from string import ascii_uppercase


@dataclass(frozen=True)
class OddQuestion:
    """A question of the quiz: `right` are the places of its right options."""

    prompt: str
    options: tuple[str, ...]
    right: tuple[int, ...]
    explanation: str
    listing: str = ""


ODD_QUIZ = (
    OddQuestion(
        "Which river is the longest in Spain?",
        ("Duero", "Tajo", "Ebro", "Segura"),
        (1,),
        "It is 1007 km long.",
    ),
    OddQuestion(
        "Which cities lie on the Danube?",
        ("Vienna", "Madrid", "Budapest", "Oslo"),
        (0, 2),
        "The others do not.",
    ),
    OddQuestion(
        "What does this program print?",
        ("`0`", "`[1, 2]`", "`-1`", "Nothing: it fails"),
        (2,),
        "See the manual.",
        "x = [1, 2]\nfor i in x:\n    print(i)  # here",
    ),
    OddQuestion(
        "What do plants take from the air?",
        ("Carbon dioxide", "Helium", "Neon gas"),
        (0,),
        "They need it to grow.",
    ),
    OddQuestion(
        "Which statement about HTTP is true?",
        ("It is stateless by design", "It needs a session on the server", "It only carries text"),
        (0,),
        "Cookies were added for that.",
    ),
)


@dataclass(frozen=True)
class OddShape:
    """How questions are written; `right` is the line of a right option, `foot` is below them."""

    head: str
    option: str
    foot: str = ""
    right: str = ""
    gap: str = "\n"
    between: str = "\n\n"
    before: str = ""
    after: str = ""
    has_listing: bool = True

    def write(self) -> str:
        """Return the quiz."""
        questions = (self._write(number, each) for number, each in enumerate(ODD_QUIZ, start=1))
        return f"{self.before}{self.between.join(questions)}\n{self.after}"

    def _write(self, number: int, question: OddQuestion) -> str:
        lines = self.gap.join(self._write_options(question))
        listing = f"```py\n{question.listing}\n```\n\n" if question.listing else ""
        head = self.head.format(n=number, prompt=question.prompt)
        foot = self.foot.format(n=number, explanation=question.explanation, **list_keys(question))
        return f"{head}{listing if self.has_listing else ''}{lines}{foot}"

    def _write_options(self, question: OddQuestion) -> Iterator[str]:
        for place, text in enumerate(question.options):
            is_right = place in question.right
            line = self.right if self.right and is_right else self.option
            name = ascii_uppercase[place]
            yield line.format(text=text, name=name, small_name=name.lower(), number=place + 1)


def list_keys(question: OddQuestion) -> dict[str, str]:
    """Return the key of a question in the ways that shapes write it."""
    names = [ascii_uppercase[place] for place in question.right]
    texts = [question.options[place] for place in question.right]
    pairs = list(zip(names, texts, strict=True))
    joins = {
        "names": ", ",
        "joined": " and ",
        "amp": " & ",
        "run": "",
        "slash": "/",
        "blank": " ",
        "semicolon": "; ",
        "spanish": " y ",
    }
    return {
        **{way: by.join(names) for way, by in joins.items()},
        "small": ", ".join(names).lower(),
        "texts": ", ".join(texts),
        "named": ", ".join(f"{name}) {text}" for name, text in pairs),
        "dotted": ", ".join(f"{name}. {text}" for name, text in pairs),
        "small_named": ", ".join(f"{name.lower()}) {text}" for name, text in pairs),
        "numbers": ", ".join(str(place + 1) for place in question.right),
        "options": ", ".join(f"Option {name}" for name in names),
    }


ODD_SHAPES: dict[str, OddShape] = {
    "li: Q + ref": OddShape(
        head="#### Q{n}. {prompt}\n\n",
        option="- [ ] {text}",
        foot="\n\n[Reference](https://example.org/a_(b)?q={n})",
        right="- [x] {text}",
    ),
    "li: Q + ref no blank": OddShape(
        head="#### Q{n}. {prompt}\n\n",
        option="- [ ] {text}",
        foot="\n[Reference](https://example.org/{n})",
        right="- [x] {text}",
    ),
    "li: explanation para": OddShape(
        head="#### Q{n}. {prompt}\n\n",
        option="- [ ] {text}",
        foot="\n\n**Explanation:** {explanation}",
        right="- [x] {text}",
    ),
    "li: plain explanation para": OddShape(
        head="#### Q{n}. {prompt}\n\n",
        option="- [ ] {text}",
        foot="\n\n{explanation}",
        right="- [x] {text}",
    ),
    "li: note + footnote": OddShape(
        head="#### Q{n}. {prompt}[^{n}]\n\n",
        option="- [ ] {text}",
        right="- [x] {text}",
        after="\n[^1]: Source one.\n[^2]: Source two.\n",
    ),
    "li: front matter": OddShape(
        head="#### Q{n}. {prompt}\n\n",
        option="- [ ] {text}",
        right="- [x] {text}",
        before="---\ntitle: Rivers\ntags: [a, b]\nlang: en\n---\n\n# Rivers\n\n",
    ),
    "li: toc": OddShape(
        head="### {prompt}\n\n",
        option="- [ ] {text}",
        foot="\n\n**[⬆ Back to Top](#contents)**",
        right="- [x] {text}",
        before=(
            "# Rivers\n\n## Contents\n\n| No. | Questions |\n| --- | --- |\n| 1"
            " | [Which river is the longest in Spain?](#q1) |\n| 2 | [Whic"
            "h cities lie on the Danube?](#q2) |\n\n"
        ),
    ),
    "li: lettered boxes": OddShape(
        head="### {n}\n\n{prompt}\n\n", option="- [ ] {name}. {text}", right="- [x] {name}. {text}"
    ),
    "li: capital X tight": OddShape(
        head="### {prompt}\n", option="- [ ] {text}", right="- [X] {text}"
    ),
    "li: no space after box": OddShape(
        head="### {prompt}\n\n", option="- [ ]{text}", right="- [x]{text}"
    ),
    "li: double space": OddShape(
        head="### {prompt}\n\n", option="-  [ ]  {text}", right="-  [x]  {text}"
    ),
    "li: tabs": OddShape(head="### {prompt}\n\n", option="-\t[ ]\t{text}", right="-\t[x]\t{text}"),
    "li: star boxes num head": OddShape(
        head="## {n}\n{prompt}\n\n", option="* [ ] {text}", right="* [x] {text}"
    ),
    "li: numbered list boxes": OddShape(
        head="{n}. {prompt}\n", option="   - [ ] {text}", right="   - [x] {text}", has_listing=False
    ),
    "li: boxes ✔ instead of x": OddShape(
        head="### {prompt}\n\n", option="- [ ] {text}", right="- [✔] {text}"
    ),
    "li: boxes * instead of x": OddShape(
        head="### {prompt}\n\n", option="- [ ] {text}", right="- [*] {text}"
    ),
    "li: boxes ✓": OddShape(head="### {prompt}\n\n", option="- [ ] {text}", right="- [✓] {text}"),
    "li: boxes no bullet": OddShape(
        head="### {prompt}\n\n", option="[ ] {text}", right="[x] {text}"
    ),
    "li: boxes no bullet br": OddShape(
        head="**{n}. {prompt}**\n\n", option="[ ] {text}  ", right="[x] {text}  "
    ),
    "li: - ☐ ☑": OddShape(head="### {prompt}\n\n", option="- ☐ {text}", right="- ☑ {text}"),
    "li: ⬜ ✅": OddShape(head="### {prompt}\n\n", option="- ⬜ {text}", right="- ✅ {text}"),
    "li: radio no bullet": OddShape(
        head="**{n}. {prompt}**\n\n", option="( ) {text}", right="(x) {text}"
    ),
    "li: radio star": OddShape(head="{n}. {prompt}\n\n", option="( ) {text}", right="(*) {text}"),
    "li: radio big": OddShape(
        head="**Q{n}: {prompt}**\n\n", option="- ( ) {text}", right="- (X) {text}"
    ),
    "li: blockquote all": OddShape(
        head="> **Q{n}. {prompt}**\n>\n",
        option="> - [ ] {text}",
        right="> - [x] {text}",
        has_listing=False,
    ),
    "li: setext heading": OddShape(
        head="{prompt}\n---\n\n", option="- [ ] {text}", right="- [x] {text}"
    ),
    "li: setext heading =": OddShape(
        head="Question {n}\n===========\n\n{prompt}\n\n",
        option="- [ ] {text}",
        right="- [x] {text}",
    ),
    "li: heading link": OddShape(
        head="### [{prompt}](#q{n})\n\n", option="- [ ] {text}", right="- [x] {text}"
    ),
    "li: heading anchor end": OddShape(
        head="### {prompt} <a id='q{n}'></a>\n\n", option="- [ ] {text}", right="- [x] {text}"
    ),
    "li: multiple choice hint": OddShape(
        head="### Q{n}: {prompt} (Choose all that apply.)\n\n",
        option="- [ ] {text}",
        right="- [x] {text}",
    ),
    "li: type line": OddShape(
        head="### Question {n}\n\n**Type:** single\n\n{prompt}\n\n",
        option="- [ ] {text}",
        right="- [x] {text}",
    ),
    "li: spanish": OddShape(
        head="### Pregunta {n}\n\n¿{prompt}\n\n",
        option="- [ ] {text}",
        foot="\n\n**Explicación:** {explanation}",
        right="- [x] {text}",
    ),
    "li: spanish heading inline": OddShape(
        head="### Pregunta {n}: {prompt}\n\n",
        option="- [ ] {text}",
        foot="\n\n**Explicación:** {explanation}",
        right="- [x] {text}",
    ),
    "li: feedback under options": OddShape(
        head="### {prompt}\n\n",
        option="- [ ] {text}\n  > no, because of {small_name}",
        right="- [x] {text}\n  > yes",
    ),
    "li: wrapped": OddShape(head="### {prompt}\n\n", option="- [ ] {text}", right="- [x] {text}"),
    "li: dup numbering": OddShape(
        head="1. {prompt}\n\n", option="- [ ] {text}", right="- [x] {text}"
    ),
    "li: Question n of N": OddShape(
        head="#### Question {n} of 5\n\n{prompt}\n\n", option="- [ ] {text}", right="- [x] {text}"
    ),
    "li: Q bold own br": OddShape(
        head="**Q{n}.** {prompt}<br/>\n", option="- [ ] {text}", right="- [x] {text}"
    ),
    "li: hr between": OddShape(
        head="### {prompt}\n\n", option="- [ ] {text}", right="- [x] {text}", between="\n\n---\n\n"
    ),
    "li: details around options": OddShape(
        head="### {prompt}\n\n<details><summary>Options</summary>\n\n",
        option="- [ ] {text}",
        foot="\n\n</details>",
        right="- [x] {text}",
    ),
    "li: answer box ticked + details": OddShape(
        head="### {prompt}\n\n",
        option="- [ ] {text}",
        foot="\n\n<details><summary>Answer</summary>\n\n{named}\n\n{explanation}\n</details>",
        right="- [x] {text}",
    ),
    "li: comment markers": OddShape(
        head="<!-- question {n} -->\n### {prompt}\n\n",
        option="- [ ] {text}",
        foot="\n<!-- end -->",
        right="- [x] {text}",
    ),
    "li: points": OddShape(
        head="### {prompt} (2 points)\n\n", option="- [ ] {text}", right="- [x] {text}"
    ),
    "js: A: details h4": OddShape(
        head="###### {n}. {prompt}\n\n",
        option="- {name}: {text}",
        foot=(
            "\n\n<details><summary><b>Answer</b></summary>\n<p>\n\n#### Answer"
            ": {names}\n\n{explanation}\n\n</p>\n</details>\n\n---"
        ),
    ),
    "js: A: details AND": OddShape(
        head="###### {n}. {prompt}\n\n",
        option="- {name}: {text}",
        foot=(
            "\n\n<details><summary><b>Answer</b></summary>\n<p>\n\n#### Answer"
            ": {joined}\n\n{explanation}\n\n</p>\n</details>\n\n---"
        ),
    ),
    "js: es": OddShape(
        head="###### {n}. {prompt}\n\n",
        option="- {name}: {text}",
        foot=(
            "\n\n<details><summary><b>Respuesta</b></summary>\n<p>\n\n#### Res"
            "puesta: {names}\n\n{explanation}\n\n</p>\n</details>\n\n---"
        ),
    ),
    "js: solución": OddShape(
        head="###### {n}. {prompt}\n\n",
        option="- {name}: {text}",
        foot=(
            "\n\n<details><summary><b>Solución</b></summary>\n<p>\n\n#### Resp"
            "uesta Correcta: {names}\n\n{explanation}\n\n</p>\n</details>\n\n---"
        ),
    ),
    "gpt: num bold + indented letters": OddShape(
        head="{n}. **{prompt}**\n",
        option="   - {name}) {text}",
        foot="\n   - **Answer: {named}**",
        has_listing=False,
    ),
    "gpt: num bold + indented letters, answer line": OddShape(
        head="{n}. **{prompt}**\n",
        option="   - {name}) {text}",
        foot="\n\n   **Correct Answer:** {named}",
        has_listing=False,
    ),
    "gpt: num plain + 3sp letters": OddShape(
        head="{n}. {prompt}\n",
        option="   {small_name}) {text}",
        foot="\n   **Answer:** {small_named}",
        has_listing=False,
    ),
    "gpt: h3 Question": OddShape(
        head="### Question {n}\n**{prompt}**\n\n",
        option="{name}) {text}  ",
        foot="\n\n**Correct Answer:** {named}\n\n**Explanation:** {explanation}",
    ),
    "gpt: check answer": OddShape(
        head="### {n}. {prompt}\n\n",
        option="- {name}) {text}",
        foot="\n\n✅ **Correct Answer:** {names}\n💡 **Explanation:** {explanation}",
    ),
    "gpt: **Answer: B**": OddShape(
        head="**{n}. {prompt}**\n\n",
        option="{name}. {text}  ",
        foot="\n\n**Answer: {dotted}**  \n*Explanation: {explanation}*",
    ),
    "gpt: Correct option": OddShape(
        head="**Q{n}. {prompt}**\n\n",
        option="- ({small_name}) {text}",
        foot="\n\n**Correct option:** ({small})",
    ),
    "gpt: Correct Option: B": OddShape(
        head="**Q{n}. {prompt}**\n\n", option="({name}) {text}", foot="\n\nCorrect Option: {names}"
    ),
    "gpt: Correct Choice": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nCorrect choice: {names}"
    ),
    "gpt: Right option": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\n**Right answer**: {names}"
    ),
    "gpt: Solution:": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\n**Solution**: {named}"
    ),
    "gpt: Answer arrow": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\n👉 Answer: {names}"
    ),
    "gpt: Answer → B": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nAnswer → {names}"
    ),
    "gpt: => B": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nAns => {names}"
    ),
    "gpt: Option B": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nAnswer: {options}"
    ),
    "gpt: Answer: (B)": OddShape(
        head="Q{n}. {prompt}\n\n", option="({name}) {text}", foot="\n\nAnswer: ({names})"
    ),
    "gpt: Answer: [B]": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nAnswer: [{names}]"
    ),
    "gpt: Answer: **B**": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nAnswer: **{names}**"
    ),
    "gpt: Answer is: B": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nAnswer is: {names}"
    ),
    "gpt: The answer is B": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nThe answer is {joined}."
    ),
    "gpt: Correct: B": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nCorrect: {names}"
    ),
    "gpt: **Correct:** B": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}) {text}", foot="\n\n**Correct:** {names}"
    ),
    "gpt: Key: B": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}) {text}", foot="\n\nKey: {names}"
    ),
    "dump: BD": OddShape(
        head="## Question {n}\n{prompt}\n\n",
        option="- {name}. {text}",
        foot="\n\n**Correct Answer:** {run}",
    ),
    "dump: B and D": OddShape(
        head="## Question {n}\n{prompt}\n\n",
        option="- {name}. {text}",
        foot="\n\n**Correct Answer:** {joined}",
    ),
    "dump: B & D": OddShape(
        head="## Question {n}\n{prompt}\n\n", option="{name}. {text}", foot="\n\nAnswer: {amp}"
    ),
    "dump: B/D": OddShape(
        head="## Question {n}\n{prompt}\n\n", option="{name}. {text}", foot="\n\nAnswer: {slash}"
    ),
    "dump: B D": OddShape(
        head="## Question {n}\n{prompt}\n\n", option="{name}. {text}", foot="\n\nAnswers: {blank}"
    ),
    "dump: B; D": OddShape(
        head="## Question {n}\n{prompt}\n\n",
        option="{name}. {text}",
        foot="\n\nAnswers: {semicolon}",
    ),
    "dump: B, and D": OddShape(
        head="## Question {n}\n{prompt}\n\n",
        option="{name}. {text}",
        foot="\n\nThe correct answers are {names}.",
    ),
    "dump: y": OddShape(
        head="## Pregunta {n}\n{prompt}\n\n",
        option="{small_name}) {text}",
        foot="\n\nRespuestas correctas: {spanish}",
    ),
    "dump: NEW QUESTION": OddShape(
        head="NEW QUESTION {n}\n{prompt}\n\n",
        option="{name}. {text}",
        foot="\n\nAnswer: {run}\n\nExplanation:\n{explanation}",
    ),
    "dump: QUESTION n topic": OddShape(
        head="QUESTION {n} (Topic 1)\n\n{prompt}\n\n",
        option="{name}. {text}",
        foot="\n\nCorrect Answer: {run}\nSection: (none)\nExplanation\n\n{explanation}",
    ),
    "dump: Q no blank": OddShape(
        head="Q{n}) {prompt}\n", option="{name}) {text}", foot="\nAns: {names}"
    ),
    "dump: Answer(s): B": OddShape(
        head="Q{n}) {prompt}\n", option="{name}) {text}", foot="\nAnswer(s): {names}"
    ),
    "dump: most voted": OddShape(
        head="## Question {n}\n{prompt}\n\n",
        option="- {name}. {text}",
        foot="\n\n**Answer:** {names}",
        right="- {name}. {text} **Most Voted**",
    ),
    "num: options 1) Answer 2": OddShape(
        head="### {prompt}\n\n", option="{number}) {text}", foot="\n\nAnswer: {numbers}"
    ),
    "num: options 1. in Q": OddShape(
        head="Q{n}. {prompt}\n\n",
        option="{number}. {text}",
        foot="\n\n**Correct answer:** {numbers}",
    ),
    "num: options (1)": OddShape(
        head="Q{n}. {prompt}\n\n", option="({number}) {text}", foot="\n\nAns: ({numbers})"
    ),
    "num: options [1]": OddShape(
        head="Q{n}. {prompt}\n\n", option="[{number}] {text}", foot="\n\nAns: {numbers}"
    ),
    "num: Option 2": OddShape(
        head="Q{n}. {prompt}\n\n", option="{number}. {text}", foot="\n\nAnswer: Option {numbers}"
    ),
    "let: [A]": OddShape(
        head="Q{n}. {prompt}\n\n", option="[{name}] {text}", foot="\n\nAnswer: {names}"
    ),
    "let: **(A)**": OddShape(
        head="Q{n}. {prompt}\n\n", option="**({name})** {text}", foot="\n\nAnswer: {names}"
    ),
    "let: A tight": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}.{text}", foot="\n\nAnswer: {names}"
    ),
    "let: A) tight": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}){text}", foot="\n\nAnswer: {names}"
    ),
    "let: a: ": OddShape(
        head="Q{n}. {prompt}\n\n", option="{small_name}: {text}", foot="\n\nAnswer: {small}"
    ),
    "let: `A`": OddShape(
        head="Q{n}. {prompt}\n\n", option="`{name}` {text}", foot="\n\nAnswer: {names}"
    ),
    "let: `A.`": OddShape(
        head="Q{n}. {prompt}\n\n", option="`{name}.` {text}", foot="\n\nAnswer: {names}"
    ),
    "let: - `A)`": OddShape(
        head="Q{n}. {prompt}\n\n", option="- `{name})` {text}", foot="\n\nAnswer: `{names}`"
    ),
    "let: A | ": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name} | {text}", foot="\n\nAnswer: {names}"
    ),
    "let: Option A:": OddShape(
        head="Q{n}. {prompt}\n\n", option="Option {name}: {text}", foot="\n\nAnswer: Option {names}"
    ),
    "let: blank between": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nAnswer: {names}", gap="\n\n"
    ),
    "let: one line": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nAnswer: {names}", gap="   "
    ),
    "let: br one line": OddShape(
        head="Q{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\nAnswer: {names}", gap="<br>"
    ),
    "let: escaped": OddShape(
        head="Q{n}\\. {prompt}\n\n", option="{name}\\. {text}", foot="\n\nAnswer: {names}"
    ),
    "let: escaped paren": OddShape(
        head="{n}\\) {prompt}\n\n", option="{small_name}\\) {text}", foot="\n\nAnswer: {small}"
    ),
    "let: &nbsp;": OddShape(
        head="Q{n}. {prompt}\n\n",
        option="&nbsp;&nbsp;{name}. {text}<br>",
        foot="\n\nAnswer: {names}",
    ),
    "let: nested list": OddShape(
        head="- {prompt}\n",
        option="  - {name}. {text}",
        foot="\n  - Answer: {names}",
        has_listing=False,
    ),
    "let: crossed ❌ ✅ letters": OddShape(
        head="### {n}. {prompt}\n\n", option="- ❌ {name}. {text}", right="- ✅ {name}. {text}"
    ),
    "let: end ✔": OddShape(
        head="### {n}. {prompt}\n\n", option="{name}) {text}", right="{name}) {text} ✔"
    ),
    "let: end ✓": OddShape(
        head="### {n}. {prompt}\n\n", option="{small_name}. {text}", right="{small_name}. {text} ✓"
    ),
    "let: end (Correct Answer)": OddShape(
        head="### {n}. {prompt}\n\n",
        option="{name}) {text}",
        right="{name}) {text} (Correct Answer)",
    ),
    "let: end *correct*": OddShape(
        head="### {n}. {prompt}\n\n", option="- {text}", right="- {text} *(correct)*"
    ),
    "let: end <-- correct": OddShape(
        head="### {n}. {prompt}\n\n", option="{name}) {text}", right="{name}) {text} <-- correct"
    ),
    "let: end [x]": OddShape(
        head="### {n}. {prompt}\n\n", option="{name}) {text}", right="{name}) {text} [x]"
    ),
    "let: star after": OddShape(
        head="{n}. {prompt}\n\n", option="{name}) {text}", right="{name}) {text} *"
    ),
    "let: ** after": OddShape(
        head="{n}. {prompt}\n\n", option="{name}) {text}", right="{name}) {text} **"
    ),
    "let: italics key": OddShape(head="### {prompt}\n\n", option="- {text}", right="- *{text}*"),
    "let: underline key": OddShape(
        head="### {prompt}\n\n", option="- {text}", right="- <u>{text}</u>"
    ),
    "let: <b> key": OddShape(head="### {prompt}\n\n", option="- {text}", right="- <b>{text}</b>"),
    "let: <strong> letters": OddShape(
        head="{n}. {prompt}\n\n", option="{name}) {text}", right="<strong>{name}) {text}</strong>"
    ),
    "let: mark key": OddShape(head="### {prompt}\n\n", option="- {text}", right="- =={text}=="),
    "let: mark html": OddShape(
        head="### {prompt}\n\n", option="- {text}", right="- <mark>{text}</mark>"
    ),
    "let: bold letter only": OddShape(
        head="{n}. {prompt}\n\n", option="{name}) {text}", right="**{name})** {text}"
    ),
    "let: bold with tick letter list": OddShape(
        head="{n}. {prompt}\n\n",
        option="   {name}. {text}",
        right="   **{name}. {text}** ✅",
        has_listing=False,
    ),
    "det: summary bold": OddShape(
        head="**{n}. {prompt}**\n\n",
        option="{name}. {text}",
        foot=(
            "\n\n<details>\n<summary><strong>Show Answer</strong></summary>\n"
            "\n**{dotted}**\n\n{explanation}\n</details>"
        ),
    ),
    "det: click": OddShape(
        head="**{n}. {prompt}**\n\n",
        option="{name}. {text}",
        foot=(
            "\n\n<details>\n  <summary>Click to see the answer</summary>\n\n  "
            "Correct: {names}\n\n</details>"
        ),
    ),
    "det: view answer inline": OddShape(
        head="{n}. {prompt}\n\n",
        option="{name}. {text}",
        foot=(
            "\n\n<details><summary>View Answer</summary>Answer: {names}<br>"
            "Explanation: {explanation}</details>"
        ),
    ),
    "det: p b": OddShape(
        head="{n}. {prompt}\n\n",
        option="{name}. {text}",
        foot="\n\n<details>\n<summary>Answer</summary>\n<p><b>{names}</b></p>\n</details>",
    ),
    "det: ✅": OddShape(
        head="{n}. {prompt}\n\n",
        option="- {name}) {text}",
        foot="\n\n<details>\n<summary>✅ Answer</summary>\n\n**{named}**\n</details>",
    ),
    "det: spoiler text": OddShape(
        head="### {prompt}\n\n",
        option="- {text}",
        foot="\n\n<details><summary>Answer</summary>\n\n{texts}\n\n</details>",
    ),
    "det: ||spoiler||": OddShape(
        head="{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\n||Answer: {names}||"
    ),
    "det: quote Answer": OddShape(
        head="{n}. {prompt}\n\n",
        option="{name}. {text}",
        foot="\n\n> **Answer:** {names}\n> {explanation}",
    ),
    "det: callout": OddShape(
        head="{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\n> [!NOTE]\n> Answer: {names}"
    ),
    "det: ??? admonition": OddShape(
        head="{n}. {prompt}\n\n",
        option="{name}. {text}",
        foot='\n\n??? success "Answer"\n    {names}',
    ),
    "det: fenced answer": OddShape(
        head="{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\n```\nAnswer: {names}\n```"
    ),
    "det: html comment key": OddShape(
        head="{n}. {prompt}\n\n", option="{name}. {text}", foot="\n\n<!-- Answer: {names} -->"
    ),
}
_PLAIN = OddShape("{n}. {prompt}\n\n", "{name}. {text}")
_HEADED = OddShape("### Question {n}\n\n{prompt}\n\n", "- {name}) {text}")
_SMALL = OddShape("Q{n}. {prompt}\n\n", "{small_name}) {text}")


def _list_end_keys(line: str, by: str = "\n") -> str:
    return by.join(
        line.format(n=number, explanation=question.explanation, **list_keys(question))
        for number, question in enumerate(ODD_QUIZ, start=1)
    )


END_KEYS: dict[str, Callable[[], str]] = {
    "list": lambda: f"{_PLAIN.write()}\n## Answers\n\n{_list_end_keys('{n}. {names}')}\n",
    "dashes": lambda: f"{_HEADED.write()}\n### Answers\n\n{_list_end_keys('{n}-{run}')}\n",
    "bullets": lambda: f"{_SMALL.write()}\n**Answer Key**\n\n{_list_end_keys('- Q{n}: {small}')}\n",
    "texts": lambda: f"{_SMALL.write()}\nAnswers:\n\n{_list_end_keys('{n}) {small_named}')}\n",
    "one line": lambda: f"{_PLAIN.write()}\nAnswers: {_list_end_keys('{n}-{run}', ', ')}\n",
    "bold": lambda: f"{_HEADED.write()}\n# Solutions\n\n{_list_end_keys('**{n}.** {names}')}\n",
    "Spanish": lambda: f"{_SMALL.write()}\n## Respuestas\n\n{_list_end_keys('{n}. {small})')}\n",
    "table": lambda: (
        f"{_PLAIN.write()}\n## Answer Key\n\n| Question | Answer |\n|---|---|\n"
        f"{_list_end_keys('| {n} | {names} |')}\n"
    ),
    "details": lambda: (
        f"{_PLAIN.write()}\n<details>\n<summary>Answer key</summary>\n\n"
        f"{_list_end_keys('{n}. **{names}** – {explanation}')}\n\n</details>\n"
    ),
}
"""Quizzes whose keys stand together at the end."""


def _write_listings(label: str, *, foot: str = "", indent: str = "") -> str:
    """Return the quiz with a listing for each option, below its label."""
    parts = []
    for number, question in enumerate(ODD_QUIZ, start=1):
        parts.append(f"#### Q{number}. {question.prompt}\n\n")
        for place, text in enumerate(question.options):
            box = "x" if place in question.right else " "
            line = label.format(box=box, name=ascii_uppercase[place])
            code = f"print({place}, {number})\n# {text}".replace("\n", f"\n{indent}")
            parts.append(f"{line}\n\n{indent}```py\n{indent}{code}\n{indent}```\n\n")
        parts.append(foot.format(**list_keys(question)))
    return "".join(parts)


LISTINGS: dict[str, Callable[[], str]] = {
    "boxes": lambda: _write_listings("- [{box}]"),
    "boxes and letters": lambda: _write_listings("- [{box}] {name}"),
    "indented by two": lambda: _write_listings("- [{box}] {name}", indent="  "),
    "indented by four": lambda: _write_listings("- [{box}] {name}", indent="    "),
    "letters": lambda: _write_listings("- {name}:", foot="**Answer:** {names}\n\n"),
}
"""Quizzes whose options are listings."""

ALL_ODD: dict[str, Callable[[], str]] = {
    **{name: shape.write for name, shape in ODD_SHAPES.items()},
    **{f"keys at the end: {name}": write for name, write in END_KEYS.items()},
    **{f"listings: {name}": write for name, write in LISTINGS.items()},
}
