"""A checklist's sections, parted into questions. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from quizzes.formats.checklist.blocks import Block, Item, says_nothing
from quizzes.formats.checklist.pieces import Piece, What, pieces
from quizzes.formats.checklist.sections import EXPLAINS, Section, asks, is_explanation, sections
from quizzes.formats.contract import Note

_TWO = 2
_DETAILS = re.compile(r"<(/?)details\b", re.IGNORECASE)
_WORDS = frozenset({What.TEXT, What.NUMBER, What.BULLET, What.LABEL})
_EMPTY = frozenset({What.BLANK, What.RULE, What.COMMENT})


@dataclass(slots=True)
class Run:
    """Options that follow each other, and what stands above them at the margin."""

    lead: list[Piece]
    items: list[Item] = field(default_factory=list)

    @property
    def base(self) -> int:
        """Return how far its first option is indented."""
        return self.items[0].piece.indent


def gather(text: str) -> tuple[list[Block], list[Piece]]:
    """Return the questions of a file, and the pieces that belong to none."""
    found = sections(pieces(text))
    explicit = are_explicit(found)
    blocks: list[Block] = []
    left: list[Piece] = []
    for section in found:
        questions, others = parted(section, explicit=explicit)
        blocks += questions
        left += others
    return blocks, left


def title_of(left: Sequence[Piece], text: str) -> Piece | None:
    """Return the heading that is the title of the file."""
    first = next((one for one in left if one.what is What.HEADING), None)
    begins = text.lstrip().startswith("# ") and first is not None and first.mark == "#"
    return first if begins else None


def runs(section: Section) -> tuple[list[Run], list[Piece]]:
    """Return the options of a section in runs, and what stands below the last one."""
    found: list[Run] = []
    lead: list[Piece] = []
    blank = False
    for at, piece in enumerate(section.body):
        is_item = piece.what is What.ITEM or _is_boxless(section.body, at, found, lead, blank=blank)
        if is_item and (not found or not all(one.what is What.BLANK for one in lead)):
            found.append(Run(lead))
            lead = []
        if is_item:
            found[-1].items.append(Item(piece))
            lead = []
        elif found and not lead and _is_attached(piece, found[-1], section.body, at, blank=blank):
            found[-1].items[-1].below.append(piece)
        else:
            lead.append(piece)
        blank = piece.what is What.BLANK
    return found, lead


def _united(found: Sequence[Run]) -> list[Run]:
    """Return runs, those joined between which there are only listings, pictures or quotations."""
    united: list[Run] = []
    for run in found:
        apart = any(one.what in _WORDS or one.what is What.RULE for one in run.lead)
        if apart or not united:
            united.append(run)
        else:
            united[-1].items[-1].below += run.lead
            united[-1].items += run.items
    return united


def _is_boxless(
    body: Sequence[Piece], at: int, found: Sequence[Run], lead: Sequence[Piece], *, blank: bool
) -> bool:
    """Return whether a list item without a box stands where an option should."""
    piece = body[at]
    if piece.what is not What.BULLET or not found or lead or piece.indent > found[-1].base + 1:
        return False
    following = (one.what for one in body[at + 1 : at + 4] if one.what is not What.BLANK)
    return not blank or next(following, None) is What.ITEM


def _is_attached(piece: Piece, run: Run, body: Sequence[Piece], at: int, *, blank: bool) -> bool:
    """Return whether a piece belongs to the option above: indented, or right below it."""
    if piece.what is What.BLANK:
        return True
    if piece.indent > run.base + 1:
        return True
    if blank or piece.what in {What.NUMBER, What.QUOTE, What.RULE, What.COMMENT, What.LABEL}:
        return False
    if is_explanation(piece.text):
        return False
    following = body[at + 1].what if at + 1 < len(body) else None
    return not (asks(piece.text) and following is What.ITEM and len(run.items) >= _TWO)


def parted(section: Section, *, explicit: bool) -> tuple[list[Block], list[Piece]]:
    """Part a section into its questions; also return the pieces that belong to none.

    `explicit`: each heading of the file stands over one question.
    """
    found, tail = runs(section)
    found = _united(found)
    numbered = _is_numbered(section, found, explicit=explicit)
    blocks: list[Block] = []
    left: list[Piece] = []
    explicit = explicit or section.asks or section.ours
    for run in found:
        before = blocks[-1] if blocks else None
        if before is not None and not _begins(before, run, explicit=explicit, numbered=numbered):
            _join(before, run)
            continue
        lead = run.lead
        if before is not None:
            lead = _beyond_explanation(before, lead, numbered=numbered)
            left += _close(before, run.lead[: len(run.lead) - len(lead)], owns=False)
        *earlier, lead = _chunks(lead) if numbered else [lead]
        blocks += [Block(None, is_numbered=True, stem=one) for one in earlier]
        blocks.append(Block(None, section.ours, numbered, stem=lead, items=run.items))
    if not blocks:
        return _without_items(section)
    if numbered:
        tail, *more = _chunks(tail, first=False)
        blocks += [Block(None, is_numbered=True, stem=one) for one in more]
    owner = next(one for one in reversed(blocks) if one.items)
    single = sum(bool(one.items) for one in blocks) == 1 and section.head is not None
    left += _close(owner, tail, owns=(explicit and not numbered) or (single and not numbered))
    if section.head and not numbered and (single or section.asks or section.ours):
        blocks[0].head = section.head
        blocks[0].ours = section.ours
    elif section.head:
        left.insert(0, section.head)
    return blocks, left


def _without_items(section: Section) -> tuple[list[Block], list[Piece]]:
    """Return a question whose options are missing, if its head asks one."""
    pieces = [section.head, *section.body] if section.head else section.body
    if section.asks and not section.ours:
        return [Block(section.head, stem=section.body)], []
    return [], pieces


def _is_numbered(section: Section, found: Sequence[Run], *, explicit: bool) -> bool:
    """Return whether numbered lines begin the questions of a section."""
    if not found or section.ours or section.labelled:
        return False
    numbers = [one for one in found[0].lead if one.what is What.NUMBER]
    first = next((one for one in found[0].lead if one.what not in _EMPTY), None)
    if first is None or first.what is not What.NUMBER or (explicit and section.asks):
        return False
    return len(numbers) == 1 or numbers[1].number != numbers[0].number + 1


def _chunks(pieces: list[Piece], *, first: bool = True) -> list[list[Piece]]:
    """Part pieces before each number that goes on counting; `first`: one may begin them."""
    chunks: list[list[Piece]] = [[]]
    number = listed = 0
    for piece in pieces:
        goes_on = piece.what is What.NUMBER and (not number or piece.number == number + 1)
        if piece.what is What.NUMBER and (not goes_on or piece.number == listed + 1 > 1):
            listed = piece.number  # of a list within a stem
        elif goes_on:
            number, listed = piece.number, 0
            if not (first and says_nothing(chunks[0]) and len(chunks) == 1):
                chunks.append([])
        chunks[-1].append(piece)
    return chunks


def _begins(before: Block, run: Run, *, explicit: bool, numbered: bool) -> bool:
    """Return whether options with something above them begin another question."""
    lead = _beyond_explanation(before, run.lead, numbered=numbered)
    words = [one for one in lead if one.what in _WORDS]
    if not words:
        return not explicit and any(one.what is What.RULE for one in lead)
    if numbered and next(one for one in lead if one.what not in _EMPTY).what is What.NUMBER:
        return True
    if min(len(before.items), len(run.items)) < _TWO:
        return False
    if not explicit:
        return True
    has_key = any(item.piece.right for item in run.items)
    return before.has_key and has_key and any(asks(one.text) for one in words[-2:])


def _join(block: Block, run: Run) -> None:
    """Add options to a question, and what stands above them to the option before."""
    for paragraph in _paragraphs(run.lead):
        words = [one for one in paragraph if one.what in _WORDS]
        if paragraph[0].what is What.QUOTE or (words and EXPLAINS.match(words[0].text)):
            block.below += paragraph
        else:
            block.items[-1].below += paragraph
            if words:
                quote = words[0].lines[0].strip()[:200]
                block.notes.append(Note("text_among_options", words[0].line, quote))
    block.items += run.items


def _paragraphs(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return pieces by paragraphs, each with the blank lines below it; rules are left out."""
    found: list[list[Piece]] = []
    ended = True
    for piece in pieces:
        if piece.what is What.BLANK and found:
            found[-1].append(piece)
        elif piece.what not in {What.BLANK, What.RULE}:
            if ended or piece.what is What.QUOTE:
                found.append([])
            found[-1].append(piece)
        ended = piece.what in {What.BLANK, What.RULE}
    return found


def _beyond_explanation(block: Block, lead: list[Piece], *, numbered: bool) -> list[Piece]:
    """Return what stands above the next options and is not said of a question before."""
    if numbered and (numbers := [at for at, one in enumerate(lead) if one.what is What.NUMBER]):
        return lead[numbers[0] :]
    line = 0
    explains = False
    for paragraph in _paragraphs(lead):
        goes_on = explains and paragraph[0].what is What.LISTING
        explains = _explains(paragraph) or goes_on
        if not (explains or _is_of_option(block, paragraph)):
            break
        line = paragraph[-1].line
    return [one for one in lead if one.line > line]


def _explains(paragraph: Sequence[Piece]) -> bool:
    first = paragraph[0]
    if first.what is What.QUOTE:
        return True
    asked = any(asks(one.text) for one in paragraph)
    return not asked and EXPLAINS.match(first.lines[0].strip()) is not None


def _is_of_option(block: Block, paragraph: Sequence[Piece]) -> bool:
    """Return whether a listing below the last option is its own, as those of its siblings are."""
    if paragraph[0].what is not What.LISTING or block.items[-1].has_listing:
        return False
    return not block.items[-1].piece.text or any(one.has_listing for one in block.items[:-1])


def _close(block: Block, tail: list[Piece], *, owns: bool) -> list[Piece]:
    """Give a question what stands below its options; return what belongs to none."""
    left: list[Piece] = []
    is_open = False
    for paragraph in _paragraphs(tail):
        was_open, is_open = is_open, _leaves_details_open(paragraph, is_open=is_open)
        if _is_of_option(block, paragraph) and not block.below:
            listing, *rest = paragraph
            block.items[-1].below.append(listing)
            block.below += rest if owns or not says_nothing(rest) else []
        elif owns or was_open or _explains(paragraph) or paragraph[0].what is What.LISTING:
            block.below += paragraph
        else:
            left += paragraph
    return left


def _leaves_details_open(paragraph: Sequence[Piece], *, is_open: bool) -> bool:
    """Return whether `<details>` is open below a paragraph."""
    tags = [tag for one in paragraph for line in one.lines for tag in _DETAILS.findall(line)]
    return tags[-1] == "" if tags else is_open


def are_explicit(found: Sequence[Section]) -> bool:
    """Return whether each heading of a file stands over one question."""
    headed = [one for one in found if one.head is not None and one.has_items]
    several = [one for one in headed if not one.asks and _has_several(one)]
    return len(headed) >= _TWO and 2 * len(several) < len(headed)


def _has_several(section: Section) -> bool:
    found, _ = runs(section)
    asked = [one for one in found[1:] if any(piece.what in _WORDS for piece in one.lead)]
    return bool(asked) or (bool(found) and _is_numbered(section, found, explicit=False))
