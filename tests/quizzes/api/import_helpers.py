"""Programs that send files: a bank to send to, and the steps from upload to commit."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from quizzes.bank.models import Bank
from tests.quizzes.api.programs import ROOT, Program
from tests.quizzes.formats.test_ochenta import GOOD

GIFT = "::river::Which river is the longest? {=Volga ~Danube ~Rhine}\n\n"


def gift(many: int) -> str:
    """Give a file of so many questions."""
    return "".join(f"::q{n}::What is {n} + 1? {{={n + 1} ~{n + 2}}}\n\n" for n in range(many))


def send(
    program: Program, into: Bank | str, text: str = GOOD, name: str = "rivers.yaml", **more: Any
) -> Any:
    """Send a file; headers are those of `more` whose names are written with capitals."""
    headers = {name: more.pop(name) for name in list(more) if name[0].isupper()}
    file = SimpleUploadedFile(name, text.encode())
    body: dict[str, Any] = {"file": file, "bank": getattr(into, "uuid", into), **more}
    return program.client.post(f"{ROOT}imports", body, headers=headers)


def sent(
    program: Program, into: Bank | str, text: str = GOOD, name: str = "rivers.yaml", **more: Any
) -> Any:
    """Send a file; give the import."""
    answer = send(program, into, text, name, **more)
    assert answer.status_code == 202, answer.content
    return answer.json()


def commit(program: Program, job: dict[str, Any], **body: Any) -> Any:
    return program.post(f"imports/{job['id']}/commit", body)


def report(program: Program, job: dict[str, Any], **query: Any) -> Any:
    return program.get(f"imports/{job['id']}/report", **query).json()
