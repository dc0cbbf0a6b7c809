"""A real mouse: pressed where its target is seen, let go where the page has it by then."""

from playwright.sync_api import Locator, Route

STILL = 1
"""How many pixels a target may move while it is pressed: what rounding explains."""

AIM = """(target) => {
    const seen = () => {
        const { x, y, width, height } = target.getBoundingClientRect();
        const point = { x: x + width / 2, y: y + height / 2, width, height };
        return { point, open: target.contains(document.elementFromPoint(point.x, point.y)) };
    };
    if (!seen().open) target.scrollIntoView({ block: "center", behavior: "instant" });
    return seen();
}"""
"""Where a target is, and whether it can be pressed; it is scrolled to if it is out of sight."""

STANDS = """(target) => {
    const { x, y, width, height } = target.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2, width, height };
}"""

REMEMBER = """() => addEventListener(
    "pointerdown", ({ target }) => { window.pressed = target; }, { capture: true, once: true },
)"""
"""Remember which element gets the press: a page that is alive has another a moment before."""

PAINTED = """(target) => new Promise((painted) => {
    requestAnimationFrame(() => requestAnimationFrame(() => painted(target)));
})"""


def press(target: Locator) -> None:
    """Press the mouse on a target, and insist that the press and the release meet the same element.

    Playwright's own `click` waits and tries again; a person's hand does not.
    """
    page = target.page
    seen = target.evaluate(AIM)
    assert seen["open"], f"something covers {target}"
    aimed = seen["point"]
    page.mouse.move(aimed["x"], aimed["y"])
    page.evaluate(REMEMBER)
    page.mouse.down()
    pressed = page.evaluate_handle("window.pressed")
    pressed.evaluate(PAINTED)
    now = target.evaluate(STANDS)
    moved = {
        side: now[side] - aimed[side] for side in aimed if abs(now[side] - aimed[side]) > STILL
    }
    assert not moved, f"{target} moved under the mouse: {moved}"
    same = pressed.evaluate(
        "(element, { x, y }) => element === document.elementFromPoint(x, y)", aimed
    )
    assert same, f"another element than {target} is under the mouse when it is let go"
    page.mouse.up()


def write(field: Locator, text: str) -> None:
    """Press the mouse into a field and put a text in place of what it holds, as pasting does."""
    press(field)
    field.page.keyboard.press("ControlOrMeta+a")
    field.page.keyboard.insert_text(text)


def press_twice(target: Locator) -> None:
    """Press what sends a form, press it again while that is on its way; insist on one request."""
    page = target.page
    point = target.evaluate(AIM)["point"]
    sent: list[Route] = []
    page.route("**", lambda route: sent.append(route) if _is_post(route) else route.continue_())
    with page.expect_request(lambda request: request.method == "POST"):
        page.mouse.click(point["x"], point["y"])
    page.mouse.click(point["x"], point["y"])
    with page.expect_navigation():
        sent[-1].continue_()
    assert len(sent) == 1, f"{target} sends its form {len(sent)} times"
    page.unroute("**")


def _is_post(route: Route) -> bool:
    return route.request.method == "POST"


def drag(handle: Locator, onto: Locator) -> None:
    """Drag a handle to where another one is; the browser tells of a drag by its later moves."""
    page = handle.page
    onto.evaluate(AIM)
    begin = handle.evaluate(AIM)["point"]
    end = onto.evaluate(STANDS)
    page.mouse.move(begin["x"], begin["y"])
    page.mouse.down()
    page.mouse.move(end["x"], end["y"], steps=8)
    for nearer in (1, 0):
        handle.evaluate(PAINTED)
        page.mouse.move(end["x"], end["y"] + nearer)
    page.mouse.up()
