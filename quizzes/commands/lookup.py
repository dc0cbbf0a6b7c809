"""What a command line names; where it is missing, the command ends with status 2."""

from pathlib import Path
from uuid import UUID

from django.core.management.base import CommandError

from accounts.addresses import normalize
from accounts.models import User
from quizzes.bank.models import Bank, Question
from quizzes.formats.contract import ParsedFile
from quizzes.imports.sandbox import reading_process
from quizzes.imports.sandbox.file_codec import decode_reading
from quizzes.lib.errors import Invalid
from quizzes.presentation.messages.imports import describe_import_error
from quizzes.publishing.models import Quiz


def get_bank(slug: str) -> Bank:
    """Return the bank with this short name."""
    bank = Bank.objects.filter(slug=slug).first()
    if bank is None:
        raise CommandError(f"There is no bank called {slug!r}.", returncode=2)
    return bank


def get_quiz(slug: str) -> Quiz:
    """Return the quiz with this short name."""
    quiz = Quiz.objects.filter(slug=slug).first()
    if quiz is None:
        raise CommandError(f"There is no quiz called {slug!r}.", returncode=2)
    return quiz


def get_question(place: str) -> Question:
    """Return a question by the short name of its bank and its own name: `bank/name`."""
    bank, _, name = place.partition("/")
    question = Question.objects.filter(bank__slug=bank, name=name).select_related("current").first()
    if question is None:
        raise CommandError(f"There is no question {place!r}.", returncode=2)
    return question


def get_person(name: str) -> User:
    """Return the person with this e-mail address or UUID."""
    try:
        person = User.objects.filter(uuid=UUID(name)).first()
    except ValueError:
        person = User.objects.filter(email=normalize(name)).first()
    if person is None:
        raise CommandError(f"There is nobody called {name!r}.", returncode=2)
    return person


def parse_file(path: Path, format_: str = "", language: str = "") -> ParsedFile:
    """Return a parsed file; its errors end the command, each on a line."""
    try:
        data = path.read_bytes()
        name, frames = reading_process.detect_and_read(
            data, path.name, format_=format_, language=language
        )
        file = (
            decode_reading(frames)
            if frames
            else reading_process.read(data, path.name, format_=name, language=language)[0]
        )
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=2) from None
    except Invalid as error:
        raise CommandError(f"{path}: {describe_import_error(error)}", returncode=2) from None
    parsed_file = file.parsed_file
    if parsed_file.errors:
        lines = "\n".join(
            f"{path.name}:{error.line}: {error.message}" for error in parsed_file.errors
        )
        raise CommandError(f"{path}: nothing of it can be used.\n{lines}", returncode=2)
    return parsed_file
