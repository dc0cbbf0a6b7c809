"""Quizzes in blocks of other tools, with keys in odd places: each found, its key right."""

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import ImportStatus
from quizzes.formats.parsing.answer_names import find_named_options
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
PROMPTS = ("Which river is the longest in Spain?", "Where does the Danube end?")
OPTIONS = (("Duero", "Tajo", "Ebro"), ("In the Black Sea", "In the Baltic"))
RIGHT = (1, 0)

SHAPES = {
    "a sign on a line of its own": (
        "1. {0}\n\n- Duero\n- Tajo\n\n    **(Correct)**\n- Ebro\n\n"
        "2. {1}\n\n- In the Black Sea\n\n    (Correct)\n- In the Baltic\n"
    ),
    "an x at the end": (
        "### {0}\n\n- Duero\n- Tajo x\n- Ebro\n\n### {1}\n\n- In the Black Sea X\n- In the Baltic\n"
    ),
    "ticks without bullets": (
        "**{0}**\n\nDuero  \nTajo ✔  \nEbro\n\n{1}\nIn the Black Sea ✔\nIn the Baltic\n"
    ),
    "ticks below a listing": (
        "**{0}**\n\n```\nx = 1\n```\n\nDuero\nTajo ✓\nEbro\n\n**{1}**\n\nIn the Black Sea ✓\n"
        "In the Baltic\n"
    ),
    "fences of a tool": (
        "```{{mcq}}\n{0}\n- [ ] Duero\n- [x] Tajo\n- [ ] Ebro\n```\n\n"
        "```{{mcq}}\n{1}\n- [x] In the Black Sea\n- [ ] In the Baltic\n```\n"
    ),
    "solutions in a box": (
        "1. {0}\n   - A) Duero\n   - B) Tajo\n   - C) Ebro\n\n"
        "   ```{{admonition}} Solution\n   :class: tip, dropdown\n   **Answer: B**\n"
        "   It is.\n   ```\n\n"
        "2. {1}\n   - A) In the Black Sea\n   - B) In the Baltic\n\n"
        "   ```{{admonition}} Solution\n   :class: tip, dropdown\n   **Answer: A**\n"
        "   It does.\n   ```\n"
    ),
    "blocks of colons": (
        "::: {{.question}}\n\n{0}\n\n::: {{.choices}}\n\n::: {{.choice}}\nDuero\n:::\n\n"
        "::: {{.choice .correct-choice}}\nTajo\n:::\n\n::: {{.choice}}\nEbro\n:::\n\n:::\n:::\n\n"
        "::: {{.question}}\n\n{1}\n\n::: {{.choices}}\n\n::: {{.choice .correct-choice}}\n"
        "In the Black Sea\n:::\n\n::: {{.choice}}\nIn the Baltic\n:::\n\n:::\n:::\n"
    ),
    "a key in the heading": (
        "### Question 1 (Answer: B)\n\n{0}\n\n- A) Duero\n- B) Tajo\n- C) Ebro\n\n"
        "### Question 2 [Answer: A]\n\n{1}\n\n- A) In the Black Sea\n- B) In the Baltic\n"
    ),
    "a letter at the end of the question": (
        "1. {0} ( B )\n\nA. Duero\nB. Tajo\nC. Ebro\n\n2. {1}（ A ）\n\nA. In the Black Sea\n"
        "B. In the Baltic\n"
    ),
    "breaks after options": (
        "**Q1. {0}**<br>\nA. Duero<br>\nB. Tajo<br>\nC. Ebro<br>\n**Answer: B**\n\n"
        "**Q2. {1}**<br>\nA. In the Black Sea<br>\nB. In the Baltic<br>\n**Answer: A**\n"
    ),
    "stars against dashes": (
        "**1. {0}**\n\n- Duero\n* Tajo\n- Ebro\n\n**2. {1}**\n\n* In the Black Sea\n"
        "- In the Baltic\n"
    ),
    "a table without a head": (
        "### 1. {0}\n\n| A | Duero |\n| B | Tajo |\n| C | Ebro |\n\n**Answer:** B\n\n"
        "### 2. {1}\n\n| A | In the Black Sea |\n| B | In the Baltic |\n\n**Answer:** A\n"
    ),
    "a table of two rows": (
        "### 1. {0}\n\n| A | Duero |\n|---|---|\n| B | Tajo |\n| C | Ebro |\n\n**Answer:** B\n\n"
        "### 2. {1}\n\n| A | In the Black Sea |\n|---|---|\n| B | In the Baltic |\n\n"
        "**Answer:** A\n"
    ),
    "signs of Chinese": (
        "1．{0}\n\nA．Duero\nB．Tajo\nC．Ebro\n\n答案：B\n\n2、{1}\n\nA、In the Black Sea\n"
        "B、In the Baltic\n\n答案：A\n"
    ),
    "a tick and a letter": (
        "1. {0}\n\n   A. Duero\n   B. Tajo\n   C. Ebro\n\n   ✔ **B** — It is.\n\n"
        "2. {1}\n\n   A. In the Black Sea\n   B. In the Baltic\n\n   ✔ **A** — It does.\n"
    ),
    "keys under a template's title": (
        "**1.- {0}**\n\na) Duero  \nb) Tajo  \nc) Ebro\n\n**2.- {1}**\n\na) In the Black Sea  \n"
        "b) In the Baltic\n\n## Plantilla de respuestas\n\n1-B  2-A\n"
    ),
    "keys below numbers at the end": (
        "### Q1\n{0}\n\nA. Duero\nB. Tajo\nC. Ebro\n\n### Q2\n{1}\n\nA. In the Black Sea\n"
        "B. In the Baltic\n\n"
        "---\n\n## Answers and Rationales\n\n### Q1\n**Answer: B**\n\n**Rationale:** It is.\n\n"
        "### Q2\n**Answer: A**\n\n**Rationale:** It does.\n"
    ),
    "reasons at the end": (
        "**Q1.** {0}\n\n- A) Duero\n- B) Tajo\n- C) Ebro\n\n**Q2.** {1}\n\n- A) In the Black Sea\n"
        "- B) In the Baltic\n\n## Answer key\n\n<details>\n<summary>Answers</summary>\n\n"
        "1. **B** — it is; option A is not.\n\n2. **A** — it does.\n\n</details>\n"
    ),
    "boxes without bullets": (
        "## Question 1\n\n{0}\n\n[ ] Duero\n\n[ ] **Tajo**\n\n[ ] Ebro\n\n"
        "**Correct Answer:** ✅ **Tajo**\n\n"
        "## Question 2\n\n{1}\n\n[ ] **In the Black Sea**\n\n[ ] In the Baltic\n\n"
        "**Correct Answer:** ✅ **In the Black Sea**\n"
    ),
    "boxes with feedback below": (
        "### Frage 1\n**{0}**\n\n- [ ] A) Duero\n- [x] B) Tajo\n- [ ] C) Ebro\n\n**Feedback:**\n"
        "- ✅ **Richtig!** Ja.\n- ❌ **A) Falsch:** Nein\n\n"
        "### Frage 2\n**{1}**\n\n- [x] A) In the Black Sea\n- [ ] B) In the Baltic\n\n"
        "**Feedback:**\n"
        "- ✅ **Richtig!** Ja.\n- ❌ **B) Falsch:** Nein\n"
    ),
    "a list that names what is right": (
        "__Practice Question__\n\n{0}\n\nA. Duero\nB. Tajo\nC. Ebro\n\n"
        "__Suggested Answers__\n\n- A\n- B - Correct\n- C\n\n"
        "__Practice Question__\n\n{1}\n\nA. In the Black Sea\nB. In the Baltic\n\n"
        "__Suggested Answers__\n\n- A - Correct\n- B\n"
    ),
    "all in bold and italics": (
        "### {0}\n\n* Duero\n* ***Tajo***\n* Ebro\n\n### {1}\n\n* ***In the Black Sea***\n"
        "* In the Baltic\n"
    ),
    "a word after a dash": (
        "1. {0}\n\n- Duero\n- Tajo - **Correct**\n- Ebro\n\n2. {1}\n\n"
        "- In the Black Sea // correct\n- In the Baltic\n"
    ),
    "quoted labels": (
        "> **Question 1:** {0}\n\n> A. Duero\n>\n> B. Tajo\n>\n> C. Ebro\n\n**Answer: B**\n\n"
        "> **Question 2:** {1}\n\n> A. In the Black Sea\n>\n> B. In the Baltic\n\n**Answer: A**\n"
    ),
    "keys in a box at the end": (
        "### Question 1\n{0}\n\n- A) Duero\n- B) Tajo\n- C) Ebro\n\n### Question 2\n{1}\n\n"
        "- A) In the Black Sea\n"
        "- B) In the Baltic\n\n<details>\n<summary>Click to see the answers</summary>\n\n"
        "1. B\n2. A\n\n</details>\n"
    ),
    "an answer in a box on one line": (
        "**1.** {0}\n\n- a. Duero\n- b. Tajo\n- c. Ebro\n\n"
        "<details><summary>Solution</summary><p>Answer: <b>b</b></p><p>It is.</p></details>\n\n"
        "**2.** {1}\n\n- a. In the Black Sea\n- b. In the Baltic\n\n"
        "<details><summary>Solution</summary><p>Answer: <b>a</b></p><p>It does.</p></details>\n"
    ),
    "a key in the title of a box": (
        "### 1. {0}\n\n- A. Duero\n- B. Tajo\n- C. Ebro\n\n"
        "<details><summary>Answer: B</summary>\nIt is.\n</details>\n\n"
        "### 2. {1}\n\n- A. In the Black Sea\n- B. In the Baltic\n\n"
        "<details><summary>Answer: A</summary>\nIt does.\n</details>\n"
    ),
    "questions in boxes": (
        "<details>\n<summary>1. {0}</summary>\n\n- A. Duero\n- B. Tajo\n- C. Ebro\n\n"
        "**Answer: B**\n\n</details>\n\n"
        "<details>\n<summary>2. {1}</summary>\n\n- A. In the Black Sea\n"
        "- B. In the Baltic\n\n**Answer: A**\n\n</details>\n"
    ),
    "a table of reasons": (
        "### Q1: {0}\n\nA) Duero\nB) Tajo\nC) Ebro\n\n**Correct: B**\n\n| Option | Why |\n"
        "|---|---|\n| A | short |\n| B | long |\n\n"
        "### Q2: {1}\n\nA) In the Black Sea\nB) In the Baltic\n\n**Correct: A**\n\n"
        "| Option | Why |\n|---|---|\n| A | east |\n| B | north |\n"
    ),
    "Q: and A:": (
        "Q1: {0}\nA) Duero\nB) Tajo\nC) Ebro\nA: B) Tajo\n\nQ2: {1}\nA) In the Black Sea\n"
        "B) In the Baltic\nA: A) In the Black Sea\n"
    ),
    "pictures before labels": (
        "❓ **Question 1:** {0}\n\n🔹 A) Duero\n🔹 B) Tajo\n🔹 C) Ebro\n\n"
        "✅ **Correct Answer:** B\n\n"
        "❓ **Question 2:** {1}\n\n🔹 A) In the Black Sea\n🔹 B) In the Baltic\n\n"
        "✅ **Correct Answer:** A\n"
    ),
    "circles with a margin": (
        "1. {0}\n\n   ( ) Duero\n   (x) Tajo\n   ( ) Ebro\n\n2. {1}\n\n"
        "   (x) In the Black Sea\n   ( ) In the Baltic\n"
    ),
    "keys in a row": (
        "1. {0}\na) Duero\nb) Tajo\nc) Ebro\n\n2. {1}\na) In the Black Sea\n"
        "b) In the Baltic\n\n**Respuestas:** 1b 2a\n"
    ),
    "blanks that do not break": (
        "**1.**\u00a0{0}\n\nA.\u00a0Duero\nB.\u00a0Tajo\nC.\u00a0Ebro\n\n**Answer:**\u00a0B\n\n"
        "**2.**\u00a0{1}\n\nA.\u00a0In the Black Sea\nB.\u00a0In the Baltic\n\n**Answer:**\u00a0A\n"
    ),
    "small letters on one line": (
        "**1. {0}**\n\n(a) Duero   (b) Tajo   (c) Ebro\n\n**Ans: (b)**\n\n**2. {1}**\n\n"
        "(a) In the Black Sea   (b) In the Baltic\n\n**Ans: (a)**\n"
    ),
    "boxes below a bullet": (
        "- **{0}**\n\n    - [ ] Duero\n    - [x] Tajo\n    - [ ] Ebro\n\n- **{1}**\n\n"
        "    - [x] In the Black Sea\n    - [ ] In the Baltic\n"
    ),
    "boxes without a blank": (
        "1. {0}\n\n   -[ ] Duero\n   -[x] Tajo\n   -[ ] Ebro\n\n2. {1}\n\n"
        "   -[x] In the Black Sea\n   -[ ] In the Baltic\n"
    ),
    "a callout with a margin": (
        "1. {0}\n\n   - a) Duero\n   - b) Tajo\n   - c) Ebro\n\n   > [!answer]- Answer\n"
        "   > b) Tajo\n   > It is.\n\n"
        "2. {1}\n\n   - a) In the Black Sea\n   - b) In the Baltic\n\n"
        "   > [!answer]- Answer\n   > a) In the Black Sea\n   > It does.\n"
    ),
    "a reason above the key": (
        "1. {0}\n\n   A. Duero\n   B. Tajo\n   C. Ebro\n\n   *Rationale:* It is.\n\n   *Key:* B\n\n"
        "2. {1}\n\n   A. In the Black Sea\n   B. In the Baltic\n\n"
        "   *Rationale:* It does.\n\n   *Key:* A\n"
    ),
    "an option repeated with a tick": (
        "1. {0}\n\n   - A. Duero\n   - B. Tajo\n   - C. Ebro\n\n   ✅ B. Tajo\n\n"
        "2. {1}\n\n   - A. In the Black Sea\n   - B. In the Baltic\n\n   ✅ A. In the Black Sea\n"
    ),
    "Italian": (
        "1. {0}\n\n   A. Duero\n   B. Tajo\n   C. Ebro\n\n   **Risposta corretta:** B\n\n"
        "2. {1}\n\n   A. In the Black Sea\n   B. In the Baltic\n\n   **Risposta corretta:** A\n"
    ),
    "round boxes without a blank": (
        "1. {0}\n   - () Duero\n   - (x) Tajo\n   - () Ebro\n\n"
        "2. {1}\n   - (x) In the Black Sea\n   - () In the Baltic\n"
    ),
    "wide round boxes": (
        "**Question 1**: {0}\n\n(   ) Duero\n( X ) Tajo\n(   ) Ebro\n\n"
        "**Question 2**: {1}\n\n( X ) In the Black Sea\n(   ) In the Baltic\n"
    ),
    "boxes with signs of escape": (
        "1\\. {0}\n\n\\[ \\] Duero\\\n\\[x\\] Tajo\\\n\\[ \\] Ebro\n\n"
        "2\\. {1}\n\n\\[x\\] In the Black Sea\\\n\\[ \\] In the Baltic\n"
    ),
    "choices on one line": (
        "**1. {0}**\n\nChoices: Duero; Tajo; Ebro\n\nAnswer: Tajo\n\n"
        "**2. {1}**\n\n*Options:* In the Black Sea / In the Baltic\n\nAnswer: In the Black Sea\n"
    ),
    "boxes in blocks of MkDocs": (
        '!!! question "Question 1"\n    {0}\n\n    - [ ] Duero\n    - [x] Tajo\n    - [ ] Ebro\n\n'
        '    ??? success "Explanation"\n        It is.\n\n'
        '!!! question "Question 2"\n    {1}\n\n    - [x] In the Black Sea\n'
        "    - [ ] In the Baltic\n"
    ),
    "keys in a template's box": (
        "---\ntitle: Rivers\ntags: [maps]\n---\n\n### 1. {0}\n\n- A. Duero\n- B. Tajo\n"
        "- C. Ebro\n\n"
        '{{{{< expand "Answer" >}}}}\n**B**\n{{{{< /expand >}}}}\n\n'
        "### 2. {1}\n\n- A. In the Black Sea\n- B. In the Baltic\n\n"
        '{{{{< expand "Answer" >}}}}\n**A**\n{{{{< /expand >}}}}\n'
    ),
    "examples of Pandoc below settings": (
        "---\ntitle: Rivers\nauthor: A. Teacher\n---\n\n(@) {0}\n\n    A.  Duero\n"
        "    B.  Tajo\n    C.  Ebro\n\n"
        "    *Solution:* B\n\n(@second) {1}\n\n    A.  In the Black Sea\n    B.  In the Baltic\n\n"
        "    *Solution:* A\n"
    ),
    "a box with a title of its own": (
        "## 1. {0}\n\n- (A) Duero\n- (B) Tajo\n- (C) Ebro\n\n<details>\n"
        "  <summary>Reveal</summary>\n\n"
        "  The correct answer is **(B)**.\n\n</details>\n\n"
        "## 2. {1}\n\n- (A) In the Black Sea\n- (B) In the Baltic\n\n<details>\n"
        "  <summary>Reveal</summary>\n\n  The correct answer is **(A)**.\n\n</details>\n"
    ),
    "a highlighted option with its letter": (
        "1. {0}\n    - a. Duero\n    - ==**b. Tajo**==\n    - c. Ebro\n\n"
        "2. {1}\n    - ==a. In the Black Sea==\n    - b. In the Baltic\n"
    ),
    "questions with boxes of their own": (
        "1. [ ] {0}\n    - [ ] Duero\n    - [x] Tajo\n    - [ ] Ebro\n\n"
        "2. [ ] {1}\n    - [x] In the Black Sea\n    - [ ] In the Baltic\n"
    ),
    "cards that turn at a question mark": (
        "#flashcards\n\n{0}\n- A) Duero\n- B) Tajo\n- C) Ebro\n\n?\nB) Tajo\n\n"
        "{1}\n- A) In the Black Sea\n- B) In the Baltic\n\n?\nA\n"
    ),
    "a box and its title on one line": (
        "1. {0}\n    - A. Duero\n    - B. Tajo\n    - C. Ebro\n\n"
        "    <details markdown=1><summary markdown='span'>Answer</summary>\n\n"
        "      Correct answer: B\n\n    </details>\n\n"
        "2. {1}\n    - A. In the Black Sea\n    - B. In the Baltic\n\n"
        "    <details markdown=1><summary markdown='span'>Answer</summary>\n\n"
        "      Correct answer: A\n\n    </details>\n"
    ),
    "bold with a star": (
        "**1. {0}**\n\n* Duero\n* **Tajo ***\n* Ebro\n\n"
        "**2. {1}**\n\n* **In the Black Sea ***\n* In the Baltic\n"
    ),
    "quoted boxes in a page": (
        "Some words.\n\nMore words.\n\n> **1. {0}**\n>\n> - [ ] Duero\n> - [x] Tajo\n"
        "> - [ ] Ebro\n\nWords in between.\n\n"
        "> **2. {1}**\n>\n> - [x] In the Black Sea\n> - [ ] In the Baltic\n"
    ),
    "boxes in code": (
        "1. {0}\n\n   - `[ ]` Duero\n   - `[x]` Tajo\n   - `[ ]` Ebro\n\n"
        "2. {1}\n\n   - `[x]` In the Black Sea\n   - `[ ]` In the Baltic\n"
    ),
    "words before each part": (
        "**Question:** {0}\n\n**Options:**\n- A. Duero\n- B. Tajo\n- C. Ebro\n\n"
        "**Answer:** B\n\n**Difficulty:** Easy\n\n**Question:** {1}\n\n**Options:**\n"
        "- A. In the Black Sea\n- B. In the Baltic\n\n**Answer:** A\n\n**Difficulty:** Hard\n"
    ),
    "a star at the end": (
        "1. {0}\n\n   a. Duero\n   b. Tajo*\n   c. Ebro\n\n"
        "2. {1}\n\n   a. In the Black Sea*\n   b. In the Baltic\n"
    ),
    "numbers in another bracket": (
        "1. {0}\n\n1) Duero\n2) Tajo ✓\n3) Ebro\n\n"
        "4. {1}\n\n1) In the Black Sea ✓\n2) In the Baltic\n"
    ),
    "a block of MkDocs with a list of letters": (
        "## Question 1\n\n{0}\n\n- **A.** Duero\n- **B.** Tajo\n- **C.** Ebro\n\n"
        '??? success "Reveal answer"\n    **Correct Answer: B**\n\n    B. Tajo 9\n\n---\n\n'
        "## Question 2\n\n{1}\n\n- **A.** In the Black Sea\n- **B.** In the Baltic\n\n"
        '??? success "Reveal answer"\n    **Correct Answer: A**\n\n    It is delta.\n'
    ),
    "names of options in bold": (
        "## Question 1: {0}\n\n- **Option A**: Duero\n- **Option B**: Tajo\n- **Option C**: Ebro"
        "\n\n---\n\n#### **Correct Answer: Option B — Tajo**\n\n"
        "## Question 2: {1}\n\n- **Option A**: In the Black Sea\n- **Option B**: In the Baltic\n\n"
        "---\n\n#### **Correct Answer: Option A — In the Black Sea**\n"
    ),
    "the key in a paragraph of HTML": (
        "**1.** {0}\n\nA) Duero<br>\nB) Tajo<br>\nC) Ebro\n\n<details><summary><b>Answer</b>"
        "</summary>\n<p>\n\n**B**. It is long.\n\n</p>\n</details>\n\n"
        "**2.** {1}\n\nA) In the Black Sea<br>\nB) In the Baltic\n\n<details><summary><b>Answer"
        "</b></summary>\n<p>\n\n**A**. It is warm.\n\n</p>\n</details>\n"
    ),
    "the right option again in bold": (
        "1) {0}\n\nA) Duero\nB) Tajo\nC) Ebro\n\n**B) Tajo**\n\n"
        "2) {1}\n\nA) In the Black Sea\nB) In the Baltic\n\n**A) In the Black Sea**\n"
    ),
    "answers with the numbers of questions": (
        "Q1) {0}\na) Duero\nb) Tajo\nc) Ebro\nA1) b\n\n"
        "Q2) {1}\na) In the Black Sea\nb) In the Baltic\nA2) a\n"
    ),
    "a tick, and a line with the letter": (
        "1. {0}\n\na) Duero\nb) Tajo ✅\nc) Ebro\n\nAnswer: b\n\n"
        "2. {1}\n\na) In the Black Sea (correct)\nb) In the Baltic\n\nAnswer: a\n"
    ),
    "the right option in italics, and a line with the letter": (
        "1. {0}\na) Duero\n*b) Tajo*\nc) Ebro\n\nAnswer: b\n\n"
        "2. {1}\n*a) In the Black Sea*\nb) In the Baltic\n\nAnswer: a\n"
    ),
    "incorrect behind a dash": (
        "1. {0}\n\n- A) Duero — Incorrect\n- B) Tajo — Correct\n- C) Ebro — Incorrect\n\n"
        "2. {1}\n\n- A) In the Black Sea — Correct\n- B) In the Baltic — Incorrect\n"
    ),
    **{
        f"the word {word}": (
            f"**1.** {{0}}\n\nA) Duero\nB) Tajo\nC) Ebro\n\n**{word}: B**\n\n"
            f"**2.** {{1}}\n\nA) In the Black Sea\nB) In the Baltic\n\n**{word}: A**\n"
        )
        for word in (
            "Resposta correcta",
            "Cevap",
            "Doğru cevap",
            "Đáp án",
            "Poprawna odpowiedź",
            "Svar",
            "Antwoord",
            "Správná odpověď",
            "Відповідь",
            "Răspuns corect",
            "Jawaban",
            "正解",
            "정답",
        )
    },
    "letters in brackets at the end of questions": (
        "1. {0} **[B]**\n   A. Duero\n   B. Tajo\n   C. Ebro\n\n"
        "2. {1} **[A]**\n   A. In the Black Sea\n   B. In the Baltic\n"
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_question_has_its_options_and_its_key(shape):
    items = parse_upload(SHAPES[shape].format(*PROMPTS).encode(), "quiz.md", language="en").items
    assert [(item.status in CLEAN, item.remainder) for item in items] == [(True, ())] * 2
    for item, prompt, options, right in zip(items, PROMPTS, OPTIONS, RIGHT, strict=True):
        assert prompt in get_text(item)
        texts = [text.removeprefix("A) ").strip("*") for text, _ in list_options(item)]
        assert [text[-len(o) :] for text, o in zip(texts, options, strict=True)] == list(options)
        assert [key for _, key in list_options(item)] == [
            place == right for place in range(len(options))
        ]


@pytest.mark.parametrize(
    ("shape", "code"),
    [
        ("an x at the end", "x_as_key"),
        ("a star at the end", "star_as_key"),
        ("stars against dashes", "bullet_as_key"),
    ],
)
def test_a_weak_mark_is_told(shape, code):
    items = parse_upload(SHAPES[shape].format(*PROMPTS).encode(), "quiz.md", language="en").items
    assert [list_codes(item) for item in items] == [[code]] * 2


@pytest.mark.parametrize(
    "text",
    [
        (
            "### Solve for which letter?\n\n- for y\n- for x\n\n### Who?\n\n- Ana\n- Eva\n\n"
            "### When?\n\n- 1\n- 2\n"
        ),
        "**1. Who?**\n\n- Ana\n* Eva\n\n**2. When?**\n\n- 1\n- 2\n",
        "Phase 1 done ✔\nPhase 2 done ✔\n\nStatus:\nall is well ✔\nall else is well ✔\n",
    ],
)
def test_what_may_be_no_mark_makes_no_key(text):
    items = FORMATS["letter_key"].read(text.encode(), language="en").items
    assert not [item for item in items if item.status in CLEAN]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a\n```py\nx\n```\nb", [2, 3, 4]),
        ("```\na\n~~~\nb\n```\nc", [1, 2, 3, 4, 5]),
        ("````\n```\n````\nc", [1, 2, 3]),
        ("```py\na\n\nb", []),
        ("```py\na\n```js\nb\n```\nc", [3, 4, 5]),
        ("a `x` ```y``` b", []),
    ],
)
def test_listings_are_between_fences_that_fit(text, code):
    is_code = find_code_lines(text.split("\n"))
    assert [number for number, each in enumerate(is_code, start=1) if each] == code


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (
            "1. Which two?\n\n   1. y\n   2. x ✅\n\n2. Who?\n\n   1. Ana ✅\n   2. Eva\n",
            [[1], [0]],
        ),
        (
            (
                "### Which?\n\n- 0\n- 1\n- 2\n\n### Correct answer(s)\n\n- 2\n\n"
                "### Who?\n\n- Ana\n- Eva\n\n### Correct answer(s)\n\n- Ana\n"
            ),
            [[2], [0]],
        ),
        (
            (
                "**Q1.** Who?\n\n- A) Ana\n- B) Eva\n- C) Leo\n\n**Q2.** When?\n\n- A) now\n"
                "- B) then\n\n# Answers\n\n**Q1.** B) Eva, C) Leo\n\nBoth are.\n\n"
                "**Q2.** A) now\n\nIt is.\n"
            ),
            [[1, 2], [0]],
        ),
    ],
)
def test_numbers_and_names_are_not_mistaken_for_others(text, keys):
    items = [item for item in parse_upload(text.encode(), "quiz.md").items if item.question]
    rights = [[at for at, (_, right) in enumerate(list_options(item)) if right] for item in items]
    assert rights == keys


def test_a_further_option_with_its_text_is_no_reason():
    options = [("a", "Ana"), ("b", "Eva"), ("c", "Leo")]
    assert find_named_options(options, "B) Eva, C) Leo because") == (frozenset(), "")
    assert find_named_options(options, "B. see; option A is not") == (
        frozenset({1}),
        "see; option A is not",
    )


def test_what_a_generator_of_sites_reads_is_no_question_and_is_told():
    text = SHAPES["examples of Pandoc below settings"].format(*PROMPTS)
    parsed_file = parse_upload(text.encode(), "quiz.md", language="en")
    assert [get_text(item) for item in parsed_file.items] == list(PROMPTS)
    quotes = [note.quote for note in parsed_file.ignored_lines]
    assert ["Rivers" in "".join(quotes), "Teacher" in "".join(quotes)] == [True, True]


def test_a_function_in_an_option_is_no_box():
    text = "1. Which?\n   - (x) one\n   - () => 1\n   - ( ) two\n"
    item = FORMATS["checklist"].read(text.encode(), language="en").items[0]
    assert [text for text, _ in list_options(item)] == ["one", "() => 1", "two"]


def test_a_tag_in_code_is_no_line_break():
    text = "Which tag breaks a line?<br>Say.\n\n- [ ] `<p>`\n- [x] `<br>`\n"
    item = FORMATS["checklist"].read(text.encode(), language="en").items[0]
    assert get_text(item) == "Which tag breaks a line?\\\nSay."
    assert [text for text, _ in list_options(item)] == ["`<p>`", "`<br>`"]


@pytest.mark.parametrize(
    "shape",
    ["words before each part", "questions with boxes of their own", "quoted boxes in a page"],
)
def test_no_word_around_a_question_becomes_part_of_it(shape):
    items = parse_upload(SHAPES[shape].format(*PROMPTS).encode(), "quiz.md", language="en").items
    assert [get_text(item).strip("*") for item in items] == list(PROMPTS)


def test_a_page_of_notes_before_its_check_is_not_in_the_prompt():
    text = "".join(
        f"## {number}. Lecture\n\nRivers flow.\n\n1. first term\n2. second term\n\n"
        f"### Quick check\n\n**{prompt}**\n\n- [x] yes\n- [ ] no\n\n"
        for number, prompt in enumerate(PROMPTS, start=1)
    )
    items = FORMATS["checklist"].read(text.encode(), language="en").items
    prompts = [get_text(item) for item in items]
    assert ["Rivers flow" in prompt for prompt in prompts] == [False, False]
    assert [asks in prompt for asks, prompt in zip(PROMPTS, prompts, strict=True)] == [True, True]


def test_a_hint_that_folds_is_words_below_its_title():
    text = (
        "### Who?\n\n<details>\n<summary>Hint</summary>\n\nThink.\n\n</details>\n\n- [x] Ana\n"
        "- [ ] Eva\n\n<details><summary><b>Explanation</b></summary>It is `<details>`.</details>\n"
    )
    item = FORMATS["checklist"].read(text.encode(), language="en").items[0]
    assert get_text(item).split() == ["Who?", "**Hint**", "Think."]
    assert get_text(item, "explanation") == "It is `<details>`."


def test_numbered_questions_are_no_options_of_one():
    text = (
        "# Reading\n\nA text.\n\n## Questions\n\n1. {0}\n\n   A) Duero\n   B) Tajo\n   C) Ebro\n\n"
        "2. {1}\n\n   A) In the Black Sea\n   B) In the Baltic\n\n## Answers\n\n1. B\n2. A\n\n"
        "## Further reading\n\n- [a book](https://example.org)\n"
    )
    items = parse_upload(text.format(*PROMPTS).encode(), "quiz.md", language="en").items
    assert [(item.status in CLEAN, item.remainder) for item in items] == [(True, ())] * 2
    keys = [[at for at, (_, right) in enumerate(list_options(item)) if right] for item in items]
    assert keys == [[1], [0]]
    assert [prompt in get_text(item) for prompt, item in zip(PROMPTS, items, strict=True)] == [
        True,
        True,
    ]
