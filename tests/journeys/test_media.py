"""A picture and a sound: from an author's disk into a learner's question, by browser."""

import pytest
from playwright.sync_api import expect

from quizzes.bank.models import Media
from tests import media_files
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import start
from tests.media_files import media_markdown
from tests.quizzes.results.test_media_access import with_texts

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("store")]

SENT = [
    {"name": "cat.png", "mimeType": "text/html", "buffer": media_files.png()},
    {"name": "drawing.svg", "mimeType": "image/svg+xml", "buffer": media_files.svg()},
    {"name": "meow.wav", "mimeType": "audio/wav", "buffer": media_files.wav()},
]
LOADED = "async one => { await one.decode(); return one.naturalWidth }"
HEARD = """one => new Promise((done, failed) => {
  one.addEventListener("loadedmetadata", () => done(one.duration));
  one.addEventListener("error", () => failed(one.error.message));
  one.preload = "metadata"; one.load();
})"""


@pytest.mark.parametrize("scripts", [True, False])
def test_what_an_author_uploads_a_learner_sees_and_hears(
    visit, transactional_db, users, accessible, scripts
):
    into = create_bank(users)
    author = visit(users.instructor, java_script_enabled=scripts)
    author.goto(f"/admin/bank/bank/{into.pk}/files/")
    author.locator("input[type=file]").set_input_files(SENT)
    author.locator("form[enctype] button[type=submit]").click()
    expect(author.locator(".snippet")).to_have_count(3)
    if scripts:
        accessible(author, "files")
    media_by_name = {media.name: media for media in Media.objects.all()}
    words = " ".join(
        media_markdown(media, f"This is {name}") for name, media in media_by_name.items()
    )
    create_quiz(users, [with_texts(create_question(into, "many"), prompt=f"What is it? {words}")])
    learner = visit(users.learner)
    start(learner)
    for name, width in (("cat.png", 2), ("drawing.svg", None)):
        picture = learner.get_by_role("img", name=f"This is {name}")
        loaded = picture.evaluate(LOADED)
        assert loaded == width or (width is None and loaded > 0)
    sound = learner.get_by_label("This is meow.wav")
    assert sound.evaluate(HEARD) > 0
    expect(learner.locator(".media-words")).to_have_text("This is meow.wav")
    accessible(learner, "taking")
