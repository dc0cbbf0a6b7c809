"""`python -m bench.slow_page`: a page of 40 questions on a slow phone, as a browser sees it.

Starts the production set-up (gunicorn, collected static files, a throwaway PostgreSQL) and opens an
attempt in Chromium at 400 kbit/s, 400 ms a round trip and a sixth of this machine's speed, nothing
cached. Prints a Markdown table: the largest contentful paint, when answers begin to be kept on the
device, and the bytes that came over the network. Speed is not judged; a page on which either never
happens ends it with 1. `--page landing` opens the first page of a stranger instead, with the
question of the demonstration, in their `--language`.
"""

import argparse
import secrets
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench.sites import ROOT, environment, module, served, strings
from tools import postgres
from tools.processes import scratch
from tools.run_tests import find_chromium

BYTES_PER_SECOND, ROUND_TRIP_MS, CPU_FACTOR = 50_000, 400, 6
PHONE = {"width": 360, "height": 740}
PATIENCE_MS = 60_000
MODES = {
    "embedded": {},
    "production": {
        "OCHENTA_MODE": "production",
        "OCHENTA_SIGNING_KEY": secrets.token_urlsafe(32),
        "OCHENTA_HTTPS": "false",
        "OCHENTA_ALLOWED_HOSTS": "localhost",
    },
}
OBSERVE = """
window.largestPaint = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.largestPaint = entry.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
new MutationObserver(() => {
  const form = document.querySelector("form[data-autosave]");
  if (form && !window.keptFrom) window.keptFrom = performance.now();
}).observe(document, { attributes: true, childList: true, subtree: true });
"""


@dataclass(frozen=True)
class Load:
    """One loading of the page: milliseconds since navigation, and bytes by type of resource."""

    largest_paint: float
    kept_from: float
    sizes: dict[str, int]


def main() -> int:
    """Start everything, load the page, print the table; return 1 if nothing was seen."""
    parser = argparse.ArgumentParser(prog="python -m bench.slow_page")
    parser.add_argument("--loads", type=int, default=3)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--mode", choices=("embedded", "production"), default="production")
    parser.add_argument("--page", choices=("attempt", "landing"), default="attempt")
    parser.add_argument("--language", choices=("en", "es"), default="en")
    options = parser.parse_args()
    print("| formulas | LCP s | answers kept from s | page kB | scripts kB | styles kB | font kB |")
    print("|---|---|---|---|---|---|---|")
    complete = [
        _print_row(loads, formulas=formulas, keeps=options.page == "attempt")
        for formulas in ((False,) if options.page == "landing" else (False, True))
        for loads in [
            _measure_landing(options)
            if options.page == "landing"
            else _measure(options, formulas=formulas)
        ]
    ]
    return 0 if all(complete) else 1


def _measure_landing(options: argparse.Namespace) -> list[Load]:
    with postgres.throwaway() as server, scratch("och-slow-") as folder:
        env = {**environment(server.url, folder), **MODES[options.mode]}
        deploy = [sys.executable, "-m", "config.deploy", "--static", "--demo"]
        subprocess.run(deploy, env=env, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        with (
            served("config.wsgi", env, folder / "web.log", server.pid) as web,
            _open_browser() as browser,
        ):
            address = f"http://localhost:{web.port}"
            return [
                _load(
                    browser, address, "", "/", ready=".landing-question", language=options.language
                )
                for _ in range(options.loads)
            ]


def _measure(options: argparse.Namespace, *, formulas: bool) -> list[Load]:
    seeds = ["1", "--questions", str(options.questions), *(["--formulas"] if formulas else [])]
    with postgres.throwaway() as server, scratch("och-slow-") as folder:
        env = {**environment(server.url, folder), **MODES[options.mode]}
        deploy = [sys.executable, "-m", "config.deploy", "--static"]
        subprocess.run(deploy, env=env, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        seeded = module("bench.seed", env, *seeds)
        session, quiz = strings(seeded["sessions"])[0], str(seeded["quiz"])
        with (
            served("config.wsgi", env, folder / "web.log", server.pid) as web,
            _open_browser() as browser,
        ):
            address = f"http://localhost:{web.port}"
            page_url = _start_attempt(browser, address, session, quiz)
            return [_load(browser, address, session, page_url) for _ in range(options.loads)]


@contextmanager
def _open_browser() -> Iterator[Browser]:
    chromium = find_chromium()
    if chromium is None:
        sys.exit("There is no Chromium here; apt-get install chromium, or name it in CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def _open_page(browser: Browser, address: str, session: str, language: str = "en") -> Page:
    context = browser.new_context(base_url=address, viewport=PHONE, locale=language)  # type: ignore[arg-type]  # a TypedDict in all but name
    if session:
        context.add_cookies([{"name": "session", "value": session, "url": address}])
    return context.new_page()


def _start_attempt(browser: Browser, address: str, session: str, quiz: str) -> str:
    page = _open_page(browser, address, session)
    page.goto(f"/quizzes/{quiz}/")
    page.click("form[action$=start] button")
    page.wait_for_url("**/attempts/**")
    page.context.close()
    return page.url


def _load(  # noqa: PLR0913  what is opened, and how
    browser: Browser,
    address: str,
    session: str,
    url: str,
    *,
    ready: str = "form[data-autosave]",
    language: str = "en",
) -> Load:
    page = _open_page(browser, address, session, language)
    page.add_init_script(OBSERVE)
    protocol = page.context.new_cdp_session(page)
    sizes = _count_bytes(protocol)
    _slow_down(protocol)
    page.goto(url, wait_until="load", timeout=PATIENCE_MS)
    page.locator(ready).wait_for(state="attached", timeout=PATIENCE_MS)
    page.evaluate("document.fonts.ready.then(() => null)")
    time.sleep(0.5)  # seconds: a font that swaps in may be the largest paint
    seen = page.evaluate("[window.largestPaint, window.keptFrom]")
    page.context.close()
    return Load(largest_paint=seen[0], kept_from=seen[1] or 0, sizes=sizes)


def _slow_down(protocol: CDPSession) -> None:
    protocol.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": ROUND_TRIP_MS,
            "downloadThroughput": BYTES_PER_SECOND,
            "uploadThroughput": BYTES_PER_SECOND,
        },
    )
    protocol.send("Emulation.setCPUThrottlingRate", {"rate": CPU_FACTOR})


def _count_bytes(protocol: CDPSession) -> dict[str, int]:
    """Return bytes on the network by type of resource, filled as responses end."""
    sizes: dict[str, int] = {}
    types: dict[str, str] = {}
    protocol.send("Network.enable")
    protocol.on(
        "Network.responseReceived",
        lambda event: types.update({event["requestId"]: event["type"]}),
    )

    def add(event: dict[str, object]) -> None:
        kind = types.get(str(event["requestId"]), "Other")
        sizes[kind] = sizes.get(kind, 0) + int(str(event["encodedDataLength"]).split(".")[0])

    protocol.on("Network.loadingFinished", add)
    return sizes


def _print_row(loads: list[Load], *, formulas: bool, keeps: bool) -> bool:
    paint = statistics.median(load.largest_paint for load in loads) / 1000
    kept_from = statistics.median(load.kept_from for load in loads) / 1000
    kilobytes = [
        f"{loads[-1].sizes.get(kind, 0) / 1000:.0f}"
        for kind in ("Document", "Script", "Stylesheet", "Font")
    ]
    cells = ["yes" if formulas else "no", f"{paint:.1f}", f"{kept_from:.1f}", *kilobytes]
    print(f"| {' | '.join(cells)} |")
    return paint > 0 and (kept_from > 0 or not keeps)


if __name__ == "__main__":
    sys.exit(main())
