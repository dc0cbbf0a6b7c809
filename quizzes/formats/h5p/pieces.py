"""What stands in a content: sets and columns are taken apart into pieces, each an item. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from quizzes.formats.contract import Note
from quizzes.formats.h5p.package import Box
from quizzes.formats.parsing.json_tree import Value

SET = "H5P.QuestionSet"
COLUMN = "H5P.Column"
CHOICES = "H5P.SingleChoiceSet"
_TAG = re.compile(r"<[^<>]*>|&#?\w{1,10};|\*")
ASKED = ("question", "text", "questions")
SAID = (*ASKED, "answers")
"""Where the words of a piece stand; its other texts are for buttons."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece: its library, what its author set, its title, the part of the file that it is."""

    library: str
    params: Value
    title: str
    whole: Value

    def words(self, *names: str) -> str:
        """Give what it says to learners under these names, without markup."""
        texts = (one.text() for name in names for one in self.params.get(name).walk())
        return " ".join(_TAG.sub(" ", " ".join(texts)).split())


def pieces(box: Box) -> Iterator[Piece | Note]:
    """Give all pieces in their order, and notes on what was set for several of them at once."""
    library = box.about.get("mainLibrary").text()
    return _within(Piece(library, box.content, box.about.get("title").text(), box.content))


def _within(piece: Piece) -> Iterator[Piece | Note]:
    if piece.library == SET:
        yield from _of_set(piece.params)
        for part in piece.params.get("questions").items:
            yield from _within(_piece(part, part))
    elif piece.library == COLUMN:
        for one in piece.params.get("content").items:
            yield from _within(_piece(one.get("content"), one))
    elif piece.library == CHOICES:
        yield from _feedback(piece.params.get("overallFeedback"))
        for one in piece.params.get("choices").items:
            yield Piece(CHOICES, one, "", one)
    else:
        yield piece


def _piece(one: Value, whole: Value) -> Piece:
    title = one.get("metadata", "title").text()
    return Piece(one.get("library").text().partition(" ")[0], one.get("params"), title, whole)


def _of_set(params: Value) -> Iterator[Note]:
    intro = params.get("introPage")
    if intro.get("showIntroPage").flag(default=False) and intro.get("introduction").text():
        yield _left_out(intro)
    if params.get("poolSize").number():
        yield Note("group_draws", params.get("poolSize").line, params.get("poolSize").where)
    yield from _feedback(params.get("endGame", "overallFeedback"))


def _feedback(at: Value) -> Iterator[Note]:
    if any(part.get("feedback").text() for part in at.items):
        yield _left_out(at)


def _left_out(at: Value) -> Note:
    return Note("setting_left_out", at.line, at.where)
