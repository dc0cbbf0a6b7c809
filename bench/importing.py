"""How long an import of 10,000 questions of Moodle XML takes from the upload to the report.

`python -m bench.importing [QUESTIONS]`: through the job, step by step as the admin takes them, on
SQLite and on a throwaway PostgreSQL, each in a process of its own, so that memory is its own, too.
"""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import postgres
from tools.processes import scratch

QUESTIONS = 10_000
SECRET_KEY = secrets.token_urlsafe(50)


def moodle(count: int) -> bytes:
    """Write a file of single choices, four options with feedback each."""
    return "\n".join(
        ['<?xml version="1.0"?><quiz>', *map(_question, range(count)), "</quiz>"]
    ).encode()


def _question(number: int) -> str:
    answers = "".join(_answer(number, option) for option in range(4))
    return (
        f'<question type="multichoice">\n<name><text>River {number}</text></name>\n'
        f'<questiontext format="html"><text><![CDATA[<p>Which of these is true of river {number}?'
        f" Mind its <b>depth</b> of {number * 7} cm.</p>]]></text></questiontext>\n"
        f'<generalfeedback format="html"><text><![CDATA[<p>See page {number}.</p>]]></text>'
        "</generalfeedback>\n<single>true</single><shuffleanswers>true</shuffleanswers>\n"
        f"{answers}</question>"
    )


def _answer(number: int, option: int) -> str:
    fraction = 100 if option == number % 4 else 0
    return (
        f'<answer fraction="{fraction}" format="html"><text><![CDATA[<p>Answer {option} of'
        f' {number}</p>]]></text><feedback format="html"><text><![CDATA[<p>Because {option} and'
        f" {number}.</p>]]></text></feedback></answer>\n"
    )


def run_in(url: str, folder: Path, words: list[str]) -> str:
    """Run a module on a database, its data in a folder; return what it prints."""
    env = {
        **os.environ,
        "OCHENTA_DATABASE_URL": url,
        "OCHENTA_DATA_DIR": str(folder),
        "OCHENTA_SECRET_KEY": SECRET_KEY,
        "OCHENTA_LOG_LEVEL": "ERROR",
    }
    (folder / "static").mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", *words],
        env=env,
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        check=True,
    )
    return done.stdout


def _measured(url: str, folder: Path, count: int) -> dict[str, float]:
    run_in(url, folder, ["config.deploy"])
    printed = run_in(url, folder, ["bench.one_import", str(count)])
    measurements: dict[str, float] = json.loads(printed.splitlines()[-1])
    return measurements


def _everywhere(count: int) -> Iterator[tuple[str, dict[str, float]]]:
    with scratch("och-bench-") as folder:
        yield "SQLite", _measured(f"sqlite:///{folder}/ochenta.db", folder, count)
    with postgres.throwaway() as server, scratch("och-bench-") as folder:
        yield f"PostgreSQL {server.version}", _measured(server.url, folder, count)


def main(count: int) -> None:
    """Print a table: seconds a step, seconds of CPU in all, and the most memory, in MB.

    An import that did not end well, or a database that is missing, ends it with the reason.
    """
    if count < 1:
        sys.exit("There is nothing to measure in an import of no questions.")
    sys.stdout.write(
        f"| {count} questions | read and plan | a page | bring in | in all | CPU | MB |\n"
        "|---|---|---|---|---|---|---|\n"
    )
    try:
        for where, took in _everywhere(count):
            steps = (took["look"], took["page"], took["run"], took["all"], took["cpu"])
            columns = " | ".join(f"{seconds:.2f}" for seconds in steps)
            sys.stdout.write(f"| {where} | {columns} | {took['memory']:.0f} |\n")
    except postgres.NoPostgresError as reason:
        sys.exit(f"Not measured on PostgreSQL: {reason}")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"Not measured: {' '.join(failed.cmd[1:])} ended with {failed.returncode}.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else QUESTIONS)
