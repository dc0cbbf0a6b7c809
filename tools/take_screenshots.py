"""Takes the README's two pictures: `take_screenshots.py PORT CHROMIUM FOLDER` (screenshots.py)."""

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

SIZE = {"width": 1280, "height": 860}
QUIZ = "parallelism-in-machine-learning"
PEOPLE = {"en": "learner@ochenta.example", "es": "maria@ochenta.example"}
PASSWORD = "quiz-and-learn"


def opened(browser: Browser, port: str, language: str, scheme: str) -> Page:
    """Sign in, in a language and a colour scheme, and start the quiz."""
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{port}",
        viewport=SIZE,  # type: ignore[arg-type]  # a TypedDict in all but name
        locale=language,
        color_scheme=scheme,  # type: ignore[arg-type]  # a Literal in all but name
        device_scale_factor=1.5,
    )
    page = context.new_page()
    page.goto("/accounts/login/")
    page.fill("input[name=login]", PEOPLE[language])
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url("**/")
    page.goto(f"/quizzes/{QUIZ}/")
    page.click("form[action$=start] button")
    page.wait_for_url("**/attempts/**")
    return page


def answer(page: Page) -> None:
    """Choose something in each question: the second option, and two where many may be right."""
    for question in page.locator("fieldset.question").all():
        options = question.locator(".options input")
        options.nth(1).check()
        if options.nth(0).get_attribute("type") == "checkbox":
            options.nth(0).check()


def main(port: str, chromium: str, folder: str) -> None:
    """Take the pictures: the attempt in English, light, and the result in Spanish, dark."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = opened(browser, port, "en", "light")
        for question, option in ((0, 1), (1, 0), (1, 2), (2, 0)):
            page.locator("fieldset.question").nth(question).locator(".options input").nth(
                option
            ).check()
        page.get_by_text("Saved").first.wait_for()
        page.evaluate("window.scrollTo(0, 0)")
        page.wait_for_timeout(400)
        page.screenshot(path=target / "taking-en-light.png")
        page = opened(browser, port, "es", "dark")
        answer(page)
        page.locator("button[value=review]").last.click()
        page.wait_for_url("**/review")
        page.locator("form[action$=submit] button").last.click()
        page.wait_for_url("**/result")
        page.wait_for_timeout(400)
        page.screenshot(path=target / "result-es-dark.png")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
