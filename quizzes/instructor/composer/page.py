"""The composer's page: what its buttons do to the rows, and saving them in one go.

Whatever is pressed, the whole form is sent, so that the page works without JavaScript; with it, the
same answers are put in place of parts of the page. Nothing is stored before "Save".
"""

from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.models import User
from quizzes.attempts.quiz_composition import save_composition
from quizzes.instructor.assignments import is_unassigned
from quizzes.instructor.composer.enemy_rows import (
    drop_unusable,
    list_remaining,
    load_enemy_rows,
    read_enemies,
)
from quizzes.instructor.composer.evaluation import evaluate_rows
from quizzes.instructor.composer.question_picker import (
    HERE,
    PickerFilters,
    list_pickable,
    load_picker_page,
    read_filters,
)
from quizzes.instructor.composer.rows import (
    Row,
    SectionRow,
    SlotRow,
    build_sections,
    copy_section,
    drop_removed,
    find_errors,
    insert_rows,
    iter_new_keys,
    list_sections,
    list_stored_rows,
    move_row,
    read_rows,
)
from quizzes.instructor.permissions import current_user
from quizzes.instructor.publication import publish_quiz
from quizzes.instructor.quiz_tabs import build_quiz_tabs
from quizzes.instructor.translated_field import language_names
from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.lib.number_parsing import parse_count
from quizzes.lib.translated_texts import choose_title
from quizzes.publishing.composition import (
    MAX_SLOTS,
    ComposedSection,
    compute_composition_digest,
    load_composition,
)
from quizzes.publishing.enemies import merge_enemies
from quizzes.publishing.models import Quiz
from quizzes.publishing.selectors import list_outdated_questions

SAVE, PUBLISH, OVERWRITE = "save", "publish", "overwrite"
STEPS = {"up": -1, "down": 1}


@dataclass(slots=True)
class ComposerState:
    """The page between two requests: its rows, what they were begun from, what is open."""

    rows: list[Row]
    digest: str
    enemies: list[list[int]]
    has_unusable_enemies: bool = False
    filters: PickerFilters | None = None
    picked: list[int] = field(default_factory=list)
    focus: str = ""
    conflict: bool = False
    status: int = 200


def show_composer(admin: Any, request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Show what a quiz is composed of; on POST do what was pressed."""
    stored = load_composition(quiz)
    digest = compute_composition_digest(stored, quiz.enemies)
    may_edit = admin.has_change_permission(request, quiz)
    state = ComposerState(list_stored_rows(stored), digest, quiz.enemies)
    if request.method == "POST":
        if not may_edit:
            raise PermissionDenied
        state = _read_state(request, quiz, stored)
        action, _colon, argument = request.POST.get("do", "").partition(":")
        if action in (SAVE, PUBLISH, OVERWRITE):
            if _save(request, quiz, state, is_overwriting=action == OVERWRITE):
                page = "admin:publishing_quiz_compose"
                if action == PUBLISH:
                    return publish_quiz(admin, request, quiz, page)
                return redirect(page, quiz.pk)
        else:
            _change(state, request, action, argument)
    return _render(admin, request, quiz, stored, state, may_edit=may_edit)


def _read_state(
    request: HttpRequest, quiz: Quiz, stored: tuple[ComposedSection, ...]
) -> ComposerState:
    post = request.POST
    titles = {section.id: section.title for section in stored}
    rows = [
        # Of languages that the page has no control for, the text stays.
        replace(row, title=_list_other_languages(titles.get(row.id, {})) | dict(row.title))
        if isinstance(row, SectionRow)
        else row
        for row in read_rows(post)
    ]
    enemies = read_enemies(post.getlist("enemies"))
    before = {pk for enemy_set in quiz.enemies for pk in enemy_set}
    before |= {slot.question for section in stored for slot in section.slots if slot.question}
    usable = drop_unusable(enemies, before, person=current_user(request))
    return ComposerState(rows, post.get("digest", ""), usable, usable != enemies)


def _list_other_languages(title: Any) -> dict[str, str]:
    return {code: text for code, text in title.items() if code not in language_names()}


def _change(state: ComposerState, request: HttpRequest, action: str, argument: str) -> None:
    """Do what a button says; one that is none of ours changes nothing."""
    post, person = request.POST, current_user(request)
    if action in STEPS:
        state.rows = move_row(state.rows, argument, STEPS[action])
        state.focus = argument
    elif action == "find":
        page = parse_count(argument, maximum=100_000, default=1)
        state.filters = read_filters(post, page=page)
        state.picked = _read_picked(post, person)
    elif action == "find-here":
        state.filters = PickerFilters(use=HERE)
    elif action == "pick":
        listed = _list_questions(state.rows)
        picked = [pk for pk in _read_picked(post, person) if pk not in listed]
        _add(state, post, [SlotRow("", question=pk) for pk in picked])
    elif action == "separate":
        _separate(state, request)
    elif action == "draw":
        bank, tag = (
            parse_count(post.get(f"new-{name}", ""), maximum=2**31) for name in ("bank", "tag")
        )
        if bank:
            draw = post.get("new-draw", "1").strip()[:20]
            _add(state, post, [SlotRow("", bank=bank, tag=tag, draw=draw)])
    elif action == "copy":
        state.rows, state.focus = copy_section(state.rows, argument)
    elif action == "section":
        key = next(iter_new_keys(state.rows))
        state.rows.append(SectionRow(key))
        state.focus = key


def _separate(state: ComposerState, request: HttpRequest) -> None:
    """Let the questions that are ticked never come together."""
    state.picked = _read_picked(request.POST, current_user(request))
    if len(state.picked) > 1:
        remaining = list_remaining(state.enemies, request.POST)
        state.enemies, state.picked = merge_enemies([*remaining, state.picked]), []
    else:
        state.filters = read_filters(request.POST)
        messages.error(request, _("Tick two questions or more."))


def _read_picked(post: QueryDict, person: User) -> list[int]:
    """Return the questions that are ticked, on this page of the search or before."""
    pks = [parse_count(pk, maximum=2**31) for pk in post.getlist("pick")[:MAX_SLOTS]]
    return list_pickable(list(dict.fromkeys(pks)), person=person)


def _add(state: ComposerState, post: QueryDict, fresh: list[SlotRow]) -> None:
    """Add rows to the section that was chosen; a quiz without any gets one."""
    keys = iter_new_keys(state.rows)
    if not list_sections(state.rows):
        state.rows.append(SectionRow(next(keys)))
    rows = [replace(row, key=key) for row, key in zip(fresh, keys, strict=False)]
    state.rows = insert_rows(state.rows, rows, post.get("into", ""))
    if rows:
        state.focus = rows[0].key


def _save(request: HttpRequest, quiz: Quiz, state: ComposerState, *, is_overwriting: bool) -> bool:
    """Save the rows; return whether that was done, else the state says what to show."""
    if find_errors(state.rows):
        state.status = 422
        return False
    if state.has_unusable_enemies:
        return _refuse_unusable(request, state)
    try:
        save_composition(
            quiz=quiz,
            sections=build_sections(state.rows),
            digest=None if is_overwriting else state.digest,
            by=current_user(request),
            enemies=list_remaining(state.enemies, request.POST),
        )
    except Conflict:
        state.conflict, state.status = True, 409
        return False
    except NotFound:
        return _refuse_unusable(request, state)
    except Invalid as error:
        sentence = _("A quiz has %(most)s rows at most.") % {"most": MAX_SLOTS}
        messages.error(request, sentence if error.code == "too_many_slots" else error.code)
        state.status = 422
        return False
    messages.success(request, _("The questions of the quiz are saved."))
    return True


def _refuse_unusable(request: HttpRequest, state: ComposerState) -> bool:
    messages.error(
        request, _("A question or a bank is not open to you any more. It is taken out; save again.")
    )
    state.status = 422
    return False


def _render(  # noqa: PLR0913  what the page is made of
    admin: Any,
    request: HttpRequest,
    quiz: Quiz,
    stored: tuple[ComposedSection, ...],
    state: ComposerState,
    *,
    may_edit: bool,
) -> HttpResponse:
    person = current_user(request)
    quiz.enemies = list_remaining(state.enemies, request.POST)
    evaluated = evaluate_rows(quiz, state.rows, stored, person=person)
    picker = load_picker_page(state.filters, evaluated.askable, person=person) if may_edit else None
    on_page = {facts.question.pk for facts in picker.questions} if picker else set()
    context = {
        **build_quiz_tabs(quiz, "compose", may_edit=may_edit),
        "composition": evaluated,
        "sections": _name_sections(state.rows, quiz),
        "listed": _list_questions(state.rows),
        "enemies": load_enemy_rows(state.enemies, request.POST, evaluated.askable),
        "digest": state.digest,
        "focus": state.focus,
        "picker": picker,
        "picked": state.picked,
        "carried": [pk for pk in state.picked if pk not in on_page],
        "is_picking": state.filters is not None,
        "conflict": state.conflict,
        "is_changed": request.method == "POST",
        "is_unassigned": may_edit and is_unassigned(quiz),
        "outdated": list_outdated_questions(quiz),
        "next_number": quiz.current.number + 1 if quiz.current else 1,
    }
    response: HttpResponse = admin.render_page(
        request,
        "publishing/composer/composer",
        context,
        title=_("Questions of %(quiz)s") % {"quiz": quiz},
        page_name=_("Questions"),
        status=state.status,
    )
    return response


def _list_questions(rows: list[Row]) -> set[int]:
    return {row.question for row in drop_removed(rows) if isinstance(row, SlotRow)}


def _name_sections(rows: list[Row], quiz: Quiz) -> list[tuple[str, str]]:
    """Return each section that stays with what it is called: its title, or its number."""
    return [
        (
            row.key,
            choose_title(row.title, quiz.source_language)
            or next(filter(None, row.title.values()), "")
            or _("Section %(number)s") % {"number": number},
        )
        for number, row in enumerate(list_sections(rows), 1)
    ]
