"""Sends a file of thousands of questions to a running site, as a program does over REST.

On a production site the worker reads what the web was sent, twice; it takes longer than a request
waits for it.
"""

import base64
import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.importing import moodle

QUESTIONS = 2000
PATIENCE = 120
"""Seconds that reading, and then bringing in, may take on a busy machine."""
BOUNDARY = "ochenta-stack-check"
# What the worker counts after a large import: both halves of it were done there.
TASKS = ("quizzes.imports.tasks.read_import", "quizzes.imports.tasks.run_import")


# One pixel, in the first question: the worker keeps it beside what authors upload.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def written(count: int) -> bytes:
    """Return a file of so many questions, with a picture in the first one."""
    picture = base64.b64encode(PICTURE).decode()
    file = f'<file name="p.png" path="/" encoding="base64">{picture}</file></questiontext>'
    image = '<img src="@@PLUGINFILE@@/p.png" alt="A pixel"></p>]]></text>'
    content = moodle(count).decode()
    return content.replace("</p>]]></text>", image, 1).replace("</questiontext>", file, 1).encode()


class ImportFailedError(Exception):
    """The import did not arrive; the text says how far it came."""


@dataclass(frozen=True)
class Author:
    """Somebody who may bring questions into a bank."""

    port: int
    token: str
    bank: str

    def ask(
        self, method: str, path: str, body: bytes | None = None, form: str = "application/json"
    ) -> Any:
        """Ask the API once and return its JSON. Another status than 200 or 202: an error."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": form}
        try:
            connection.request(method, f"/api/v1/{path}", body, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if answer.status not in {http.client.OK, http.client.ACCEPTED}:
            raise ImportFailedError(f"{method} {path}: {answer.status} {content[:400]!r}")
        return json.loads(content)

    def send(self, content: bytes) -> str:
        """Send a file for the bank; return the id of its import."""
        form = {"bank": self.bank, 'file"; filename="large.xml': content.decode()}
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        return str(self.ask("POST", "imports", _multipart(form), kind)["id"])

    def wait_for(self, job: str, state: str) -> Mapping[str, Any]:
        """Ask until the import has this state; return it. Another end, or too long: an error."""
        until = time.monotonic() + PATIENCE
        while True:
            import_status: Mapping[str, Any] = self.ask("GET", f"imports/{job}")
            if import_status["state"] == state:
                return import_status
            if import_status["state"] in {"failed", "cancelled"} or time.monotonic() > until:
                raise ImportFailedError(
                    f"the import is {import_status['state']}, not {state}: {import_status['code']}"
                    f" {import_status['progress']} {import_status['errors'][:3]}"
                )
            time.sleep(0.2)


def _multipart(fields: Mapping[str, str]) -> bytes:
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'
        for name, text in fields.items()
    ]
    return "".join([*parts, f"--{BOUNDARY}--\r\n"]).encode()


def bring_in(author: Author, count: int = QUESTIONS) -> None:
    """Send, commit and see every question arrive. Whatever falls short: ImportFailedError."""
    job = author.send(written(count))
    plans = author.wait_for(job, "ready")["action_counts"]
    if plans["new"] != count:
        raise ImportFailedError(f"of {count} questions {plans['new']} would be new")
    author.ask("POST", f"imports/{job}/commit", b"{}")
    author.wait_for(job, "done")
    author.ask("GET", f"imports/{job}/report")
    banks = author.ask("GET", "banks")["items"]
    arrived = [bank["counts"]["questions"] for bank in banks if bank["id"] == author.bank]
    if arrived != [count]:
        raise ImportFailedError(f"of {count} questions {arrived} arrived")
