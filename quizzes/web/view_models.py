"""What the templates of the pages are given: plain values, ready to be shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString

from quizzes.attempts.received_messages import ReceivedMessage


@dataclass(frozen=True, slots=True)
class OpenAttemptRow:
    """An open attempt on the home page; a `corrupt` one cannot be gone on with."""

    quiz_title: str
    lang: str
    url: str
    answered: int
    count: int
    saved_at: datetime | None
    deadline_at: datetime | None
    is_paused: bool = False
    corrupt: bool = False


@dataclass(frozen=True, slots=True)
class QuizRow:
    """A quiz on the home page; `waiting` says why it cannot be begun now.

    `next_opens_at` is when another attempt may begin, `opens_at` when the first one may.
    """

    title: str
    lang: str
    intro_url: str
    questions: int
    pass_mark: str
    attempts_left: int | None
    opens_at: datetime | None
    next_opens_at: datetime | None
    closes_at: datetime | None
    waiting: str
    best_percent: str | None
    passed: bool
    is_practice: bool = False


@dataclass(frozen=True, slots=True)
class HomePage:
    """The home page: quizzes by what one can do with them, those that end or open first above.

    `now` is when it was made, `search` what one looked for among them, `has_search` whether there
    are enough to look for.
    """

    now: datetime
    in_progress: list[OpenAttemptRow]
    due: list[QuizRow]
    available: list[QuizRow]
    later: list[QuizRow]
    closed: list[QuizRow]
    passed: list[QuizRow]
    search: str
    has_search: bool


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An ended attempt, in a list; a `corrupt` one has nothing to be opened."""

    quiz_title: str
    lang: str
    number: int
    started_at: datetime
    submitted_at: datetime | None
    state: str
    percent: str | None
    total: str
    maximum: str
    passed: bool | None
    url: str
    corrupt: bool = False
    is_staff_attempt: bool = False
    certificate_url: str = ""


@dataclass(frozen=True, slots=True)
class IntroPage:
    """All that one should know before beginning."""

    title: str
    lang: str
    intro_html: str
    question_count: int
    pass_mark: str
    time_limit_minutes: int | None
    scoring_methods: list[str]
    attempts_left: int | None
    pace: list[str]
    next_opens_at: datetime | None
    closes_at: datetime | None
    refusal: str
    reveal: list[str]
    taking_rules: list[str]
    open_attempt_url: str | None
    start_url: str
    results: list[AttemptRow]
    would_be_staff_attempt: bool
    practice_url: str = ""


@dataclass(frozen=True, slots=True)
class PracticePage:
    """A practised question; `worth` is that of the next try, `credit` that of the best so far.

    `state` is the outcome of the last try, "" where nothing says it. `idempotency_key` is the id of
    the next try, `hint_key` and `show_key` those of the next step, `receipt_digest` names the
    receipt of the last try.
    """

    uuid: str
    number: int
    tries: int
    try_number: int
    try_count: int
    worth: str
    credit: str
    state: str
    is_over: bool
    is_live: bool
    lang: str
    remarks: list[SafeString]
    hints: list[SafeString]
    hints_opened: int
    hint_count: int
    more_hints: bool
    idempotency_key: str
    hint_key: str
    show_key: str
    receipt_digest: str


@dataclass(frozen=True, slots=True)
class StudySummary:
    """What is to be studied today, and for how many days in a row one did, `missed` forgiven."""

    cards: int
    mistakes: int
    done: int
    due_tomorrow: int
    streak: int
    missed: int


@dataclass(frozen=True, slots=True)
class MasteryRow:
    """A tag, and what its questions say of how well it is known, in words."""

    tag: str
    questions: int
    level: str
    code: str
    certainty: str


@dataclass(frozen=True, slots=True)
class StudyDeckRow:
    """A deck that one studies, or may; `seen` of its `cards` were asked."""

    uuid: str
    title: str
    lang: str
    cards: int
    seen: int
    is_studied: bool


@dataclass(frozen=True, slots=True)
class SuspendedCard:
    """A suspended card: how its question begins, and a name for the entry that brings it back."""

    uuid: str
    excerpt: str
    lang: str
    client_id: str


@dataclass(frozen=True, slots=True)
class RatingButton:
    """A rating from 1 to 4, what it is called, and after how long the card comes again."""

    rating: int
    label: str
    interval: str


@dataclass(frozen=True, slots=True)
class StudyCardPage:
    """A card that is asked; `new`, `learning` and `reviews` are left today, it included.

    `entry` is the name of what is done with it, so that a form sent twice counts once. Of an
    option, `is_right` says whether it is; `is_whole`: the card is of a question with its options.
    """

    uuid: str
    entry: str
    lang: str
    hint_html: SafeString | None
    explanation_html: SafeString | None
    feedback_html: SafeString | None
    feedback_lang: str
    reading_link_html: SafeString | None
    is_whole: bool
    is_mistake: bool
    is_option: bool
    is_right: bool
    new: int
    learning: int
    reviews: int
    other_languages: list[str]
    ratings: list[RatingButton]


@dataclass(frozen=True, slots=True)
class StudySettingField:
    """A setting of study as it was typed, and what is wrong with it."""

    name: str
    value: str
    error: str


@dataclass(frozen=True, slots=True)
class AttemptHeader:
    """An open attempt, apart from its questions."""

    uuid: str
    quiz_title: str
    lang: str
    count: int
    answered: int
    flagged: int
    saved_at: datetime | None
    deadline_at: datetime | None
    clock: "AttemptClock"
    messages: Sequence[ReceivedMessage]
    is_reopened: bool
    one_question_a_page: bool
    one_device: bool
    locked_place: "LockedPlace | None"
    idempotency_key: str


@dataclass(frozen=True, slots=True)
class LockedPlace:
    """Where one is in an attempt whose questions lock: at the question of this slot.

    `following` is the number of the next question; None: there is none.
    """

    slot: int
    number: int
    following: int | None


@dataclass(frozen=True, slots=True)
class AttemptClock:
    """The whole seconds that are left (None: no limit), and those for which they stand still.

    `given_until` is the deadline without pauses: if it moves, time was given.
    """

    remaining: int | None
    paused: int
    given_until: datetime | None


@dataclass(frozen=True, slots=True)
class SubmitRow:
    """One question in the last look before submitting.

    `unconfirmed`: a sentence for each number that can be read in two ways, if nobody said which.
    `is_shown`: it can be gone back to; `is_to_come`: it was not asked yet.
    """

    slot: int
    number: int
    answered: bool
    flagged: bool
    excerpt: str
    lang: str
    unconfirmed: list[str]
    is_shown: bool
    is_to_come: bool


@dataclass(frozen=True, slots=True)
class NextStep:
    """What one may do next; without an address it is a word about when."""

    text: str
    url: str | None = None
    opens_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A weak tag on a result page: "1 of 3 points", and the questions that were not right."""

    tag: str
    earned: str
    numbers: list[int]


@dataclass(frozen=True, slots=True)
class ResultHeader:
    """The head of a result page; `time_over_at` where time ran out before anybody submitted.

    `shown_later`: when what was right and wrong is shown, where it is not yet.
    """

    passed: bool | None
    percent: str | None
    threshold: str
    pass_mark: str
    total: str
    maximum: str
    submitted_at: datetime | None
    attempt_number: int
    learner_name: str
    state: str
    expired: bool
    time_over_at: datetime | None
    provisional: bool
    is_staff_attempt: bool
    next_steps: list[NextStep]
    weak_topics: Sequence[TopicRow] = ()
    give_up_url: str = ""
    certificate_url: str = ""
    shown_later: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class OpenQuizRow:
    """A quiz that strangers may take, on the first page.

    `start_url` is "" where one reads the introduction first: of a limited time, or of what one
    cannot do while taking it.
    """

    title: str
    lang: str
    url: str
    questions: int
    start_url: str


@dataclass(frozen=True, slots=True)
class SampleOption:
    """An option of the question of the first page: one tap answers."""

    id: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class SampleQuestionView:
    """The question of the first page, for strangers."""

    lang: str
    prompt_html: SafeString
    options: list[SampleOption]


@dataclass(frozen=True, slots=True)
class CertificateSheet:
    """A certificate as it is printed; `name` and `score` are empty where they are not shown."""

    name: str
    quiz_title: str
    lang: str
    quiz_version: int
    score: str
    pass_mark: str
    submitted_at: datetime
    issued_at: datetime
    file_url: str


@dataclass(frozen=True, slots=True)
class RegradeText:
    """A regrade of an attempt on its result page: the scores as they are shown, and why."""

    regraded_at: datetime
    before: str
    after: str
    now_passes: bool
    no_longer_passes: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReceiptSummary:
    """The receipt of an attempt, below its result."""

    digest: str
    short_digest: str
    issued_at: datetime | None


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token in the list of one's own: what it is for, what it may do, how long."""

    id: str
    name: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    expired: bool
    last_used_at: datetime | None
    before_second_factor: bool


@dataclass(frozen=True, slots=True)
class CourseTotalRow:
    """One's own total in a class; `hidden`: a result that it rests on is not shown yet."""

    group: str
    percent: str
    passed: bool | None
    hidden: bool
    sentence: str
