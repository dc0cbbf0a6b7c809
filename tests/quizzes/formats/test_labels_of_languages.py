"""Labels of questions and of explanations in languages that number and explain by other words."""

import pytest

from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.formats.parsing.labels import strip_label
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_options

WORDS = {
    "zh": ("问题{n}：", "哪条河流经过巴格达？", "正确答案：", "解析："),
    "zh-number": ("第{n}题：", "哪条河流经过巴格达？", "答案：", "答案解析："),
    "ja": ("問題{n}：", "バグダッドを流れる川はどれですか？", "正解：", "解説："),
    "ko": ("질문 {n}:", "바그다드를 지나는 강은?", "정답:", "해설:"),
    "vi": ("Câu {n}:", "Sông nào chảy qua Baghdad?", "Đáp án:", "Giải thích:"),
    "hi": ("प्रश्न {n}:", "बगदाद से कौन सी नदी बहती है?", "उत्तर:", "व्याख्या:"),
    "ru": ("Вопрос {n}:", "Какая река течёт через Багдад?", "Ответ:", "Пояснение:"),
    "pl": ("Pytanie {n}:", "Jaka rzeka płynie przez Bagdad?", "Odpowiedź:", "Wyjaśnienie:"),
    "tr": ("Soru {n}:", "Bağdat'tan hangi nehir geçer?", "Cevap:", "Açıklama:"),
    "de": ("Frage {n}:", "Welcher Fluss fließt durch Bagdad?", "Antwort:", "Begründung:"),
}
OPTIONS = [("Ebro", False), ("Tigris", True), ("Duero", False)]


def read(text: str) -> ParsedFile:
    return parse_upload(text.encode(), "quiz.md", language="en")


def assert_clean(parsed_file: ParsedFile, ask: str, why: str) -> None:
    """Hold that two questions have the words that ask, the options and the reason, and no label."""
    assert len(parsed_file.items) == 2
    for item in parsed_file.items:
        assert item.status in {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
        assert get_text(item).strip("*") == ask
        assert [(text.strip(), right) for text, right in list_options(item)] == OPTIONS
        assert why in get_text(item, "explanation")


@pytest.mark.parametrize("language", [*WORDS])
def test_a_number_and_its_word_are_no_part_of_a_prompt_above_boxes(language):
    label, ask, _, explains = WORDS[language]
    text = "".join(
        f"**{label.format(n=n)}{ask}**\n- [ ] Ebro\n- [x] Tigris\n- [ ] Duero\n\n"
        f"{explains} 930 km.\n\n"
        for n in (1, 2)
    )
    assert_clean(read(text), ask, "930 km.")


@pytest.mark.parametrize("language", ["zh", "zh-number", "vi", "de"])
def test_a_reason_below_a_key_is_no_part_of_the_next_prompt(language):
    label, ask, key, explains = WORDS[language]
    text = "".join(
        f"**{label.format(n=n)}{ask}**\nA) Ebro\nB) Tigris\nC) Duero\n\n**{key}B**\n"
        f"{explains} 930 km.\n\n"
        for n in (1, 2)
    )
    assert_clean(read(text), ask, "930 km.")


@pytest.mark.parametrize(
    "text", ["问题1如何", "题海", "第二题：", "解析度", "Câu chuyện 3", "题 a 3："]
)
def test_words_that_begin_so_are_no_labels(text):
    assert strip_label(text, heading=False) is None
