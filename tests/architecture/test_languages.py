"""The Spanish of the site: complete, to a «tú», ours before the packages', on every page."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import polib
import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import translation

from accounts.models import User
from quizzes.attempts.models import Attempt
from quizzes.lib import clock
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import save_choice
from tests.users import Users, logged_in_client
from tools.catalogs import incomplete

ROOT = Path(__file__).resolve().parent.parent.parent
PO = ROOT / "locale/es/LC_MESSAGES/django.po"
ENTRIES = [entry for entry in polib.pofile(str(PO)) if not entry.obsolete]

PLACE = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}|</?[a-z][^>]*>")
# "su" alone is no sign: "cada opción tiene su peso" is right.
USTED = re.compile(
    r"\b(ustedes|usted|introduzca|ingrese|escriba|seleccione|elija|escoja|asegúrese|compruebe|"
    r"verifique|corrija|inténtelo|intente|pruebe|utilice|haga|vaya|siga|revise|inicie|pulse|"
    r"presione|confirme|envíe|acceda|desea|quiere usted|por favor|añada|marque|regístrese|"
    r"vosotros|habéis|tenéis|podéis|vuestr[oa]s?|"
    r"sus? (contraseñas?|cuentas?|correos?|direcci(ón|ones)|navegador|sesi(ón|ones)|perfil|"
    r"otra información))\b",
    re.IGNORECASE,
)


def said(entry: polib.POEntry) -> list[str]:
    """Every Spanish text of an entry."""
    return [entry.msgstr] if not entry.msgid_plural else list(entry.msgstr_plural.values())


def places(text: str) -> set[str]:
    return set(PLACE.findall(text))


# --- the catalogue ---------------------------------------------------------------------------


def test_every_message_has_words_and_the_compiled_file_has_the_same():
    assert list(incomplete(PO)) == []


def test_words_are_quoted_as_spanish_quotes_them():
    # A pair without words names the signs themselves.
    assert [text for e in ENTRIES for text in said(e) if re.search(r"“(?=\S)", text)] == []


def test_placeholders_and_tags_survive_translation():
    singular = [entry for entry in ENTRIES if not entry.msgid_plural]
    assert [e.msgid for e in singular if places(e.msgid) != places(e.msgstr)] == []


def test_plural_words_keep_their_placeholders():
    plural = [entry for entry in ENTRIES if entry.msgid_plural]
    assert plural
    for entry in plural:
        assert places(entry.msgstr_plural[1]) == places(entry.msgid_plural)
        assert places(entry.msgstr_plural[0]) <= places(entry.msgid_plural)


def test_the_plural_rule_is_one_and_the_rest():
    assert polib.pofile(str(PO)).metadata["Plural-Forms"] == "nplurals=2; plural=(n != 1);"
    assert [e.msgid for e in ENTRIES if e.msgid_plural and set(e.msgstr_plural) != {0, 1}] == []


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 preguntas"), (1, "1 pregunta"), (2, "2 preguntas"), (1_000_000, "1000000 preguntas")],
)
def test_questions_are_counted_as_one_says_it(count, words):
    with translation.override("es"):
        text = translation.ngettext("%(questions)s question", "%(questions)s questions", count)
    assert text % {"questions": count} == words


def test_the_person_is_always_tu():
    assert [text for e in ENTRIES for text in said(e) if USTED.search(text)] == []


@pytest.mark.parametrize("text", ["Introduzca su nombre", "Cambie su contraseña", "¿Lo desea?"])
def test_the_search_for_usted_finds_it(text):
    assert USTED.search(text)


def test_a_sentence_stays_a_sentence():
    ends = (".", ":", "?", "!", "…")
    odd = [
        english
        for entry in ENTRIES
        for english, spanish in zip((entry.msgid, entry.msgid_plural), said(entry), strict=False)
        if len(english.split()) > 1 and english.endswith(ends) != spanish.endswith(ends)
    ]
    assert odd == []


def test_our_words_go_before_those_of_the_packages():
    with translation.override("es"):
        for entry in ENTRIES:
            if entry.msgid_plural:
                for count in (1, 2, 1_000_000):
                    words = (entry.msgid, entry.msgid_plural, count)
                    translated = (
                        translation.npgettext(entry.msgctxt, *words)
                        if entry.msgctxt
                        else translation.ngettext(*words)
                    )
                    assert translated == entry.msgstr_plural[int(count != 1)]
            elif entry.msgctxt:
                assert translation.pgettext(entry.msgctxt, entry.msgid) == entry.msgstr
            else:
                assert translation.gettext(entry.msgid) == entry.msgstr


# --- borrowed words --------------------------------------------------------------------------


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _words_of_packages() -> set[str]:
    """What Django and allauth translate: their own catalogues name it."""
    folders = ("django.conf", "django.contrib.auth", "django.contrib.admin", "allauth")
    paths = (_folder(name) / "locale/es/LC_MESSAGES/django.po" for name in folders)
    return {entry.msgid for path in paths for entry in polib.pofile(str(path))}


def _text_of_theme() -> str:
    """The theme has no Spanish: its sources, in which a text may go over several lines."""
    files = (path for path in _folder("unfold").rglob("*") if path.suffix in {".py", ".html"})
    text = " ".join(" ".join(path.read_text(encoding="utf-8").split()) for path in files)
    return re.sub(r"""(?<=[ .])["'] ["'](?=\S)""", "", text)


def _borrowed() -> set[str]:
    """The first text of every call in the module, which is the one that is looked up."""
    source = (ROOT / "tools" / "third_party_messages.py").read_text(encoding="utf-8")
    calls = ast.walk(ast.parse(source))
    return {ast.literal_eval(node.args[0]) for node in calls if isinstance(node, ast.Call)}


def test_borrowed_words_are_still_said_by_the_packages():
    borrowed, theme = _borrowed(), _text_of_theme()
    assert len(borrowed) > 100
    assert [text for text in borrowed - _words_of_packages() if text not in theme] == []


def _renamed(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
            for name in node.names:
                if name.asname not in {None, "_"}:
                    yield f"{path.relative_to(ROOT)}: {name.name} as {name.asname}"


def test_no_import_hides_words_from_makemessages():
    """It looks for the functions by their own names, and `_`; under another name words are lost."""
    files = (
        path for part in ("accounts", "config", "quizzes") for path in ROOT.glob(f"{part}/**/*.py")
    )
    assert [name for path in files for name in _renamed(path)] == []


# --- the pages -------------------------------------------------------------------------------


class _Said(HTMLParser):
    """Gathers what a page says: its texts, and the attributes that are read or spoken."""

    SPOKEN = ("aria-label", "title", "placeholder", "alt")
    VOID = frozenset({"br", "img", "input", "link", "meta", "hr", "use", "path", "circle", "col"})

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag, attrs):
        if tag in {"script", "style"}:
            self._silent += 1
        for name, text in attrs:
            if text and (name in self.SPOKEN or name.startswith("data-words")):
                self._keep(text)

    def handle_endtag(self, tag):
        if tag in {"script", "style"}:
            self._silent -= 1

    def handle_data(self, data):
        if not self._silent:
            self._keep(data)

    def _keep(self, text: str) -> None:
        plain = " ".join(text.split())
        if plain:
            self.found.append(plain)


def _pattern(english: str) -> re.Pattern[str]:
    return re.compile(".+?".join(re.escape(part) for part in PLACE.split(english)))


def _english() -> list[re.Pattern[str]]:
    """Each text of ours that is another in Spanish, cut at tags, as a pattern for a whole text."""
    texts = {
        " ".join(part.split())
        for entry in ENTRIES
        for text in (entry.msgid, entry.msgid_plural)
        if text and text not in said(entry)
        for part in re.split(r"</?[a-z][^>]*>", text)
    }
    return [_pattern(text) for text in texts if _tells(text)]


def _tells(english: str) -> bool:
    """Whether a text is words enough without its places: "… total" is Spanish as well."""
    left = re.findall(r"[^\W\d_]{2,}", PLACE.sub("", english))
    return len(left) > 1 or (len(left) == 1 and not PLACE.match(english))


ENGLISH = _english()


# Names of icons are text to a parser, and what authors wrote is not the interface's.
ICON = re.compile(r'<span class="material-symbols[^>]*>[^<]*</span>')
AUTHORS = re.compile(r"Bank|Question (many|single|truth)\?")


def left_over(html: str) -> list[str]:
    """The English texts of ours on a page."""
    reader = _Said()
    reader.feed(ICON.sub("", html))
    said_here = (text for text in reader.found if not AUTHORS.fullmatch(text))
    return [text for text in said_here if any(pattern.fullmatch(text) for pattern in ENGLISH)]


def spanish(client: Client) -> Client:
    client.cookies["language"] = "es"
    return client


@pytest.fixture
def ana(users: Users) -> Client:
    """The learner's browser, in Spanish; with a name that is no word of the interface."""
    users.learner.name = "Ana"
    users.learner.save()
    return spanish(logged_in_client(users.learner))


def read(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, address
    return answer.content.decode()


ACCOUNT = [
    "login/",
    "signup/",
    "login/code/",
    "password/reset/",
    "password/reset/done/",
    "confirm-email/nothing/",
]
OWN = ["email/", "password/change/", "logout/", "reauthenticate/"]


@pytest.mark.parametrize("where", ACCOUNT)
def test_the_way_in_is_spanish(db, where):
    assert left_over(read(spanish(Client()), f"/accounts/{where}")) == []


@pytest.mark.parametrize("where", OWN)
def test_the_pages_of_an_account_are_spanish(ana: Client, where):
    assert left_over(read(ana, f"/accounts/{where}")) == []


def test_a_page_that_is_not_there_is_spanish(db):
    assert left_over(read(spanish(Client()), "/nowhere", 404)) == []


def test_what_a_form_objects_to_is_spanish(db):
    client = spanish(Client())
    wrong = client.post("/accounts/login/", {"login": "a@example.org", "password": "no"})
    assert "El correo o la contraseña no son correctos." in wrong.content.decode()
    poor = client.post("/accounts/signup/", {"email": "nobody", "password1": "ab"}).content.decode()
    assert "Escribe una dirección de correo válida." in poor
    assert "Debe tener al menos 8 caracteres." in poor
    assert left_over(poor) == []


def test_from_home_to_result_every_page_is_spanish(ana: Client, a_quiz: Quiz):
    pages = {"home": read(ana, "/"), "intro": read(ana, f"/quizzes/{a_quiz.slug}/")}
    ana.post(f"/quizzes/{a_quiz.slug}/start")
    attempt = Attempt.objects.get()
    here = f"/attempts/{attempt.uuid}/"
    pages["untouched"] = read(ana, here)
    save_choice(attempt, 0, "ad", clock.now(), flagged=True)
    pages |= {"taking": read(ana, here), "review": read(ana, f"{here}review")}
    pages["resume"] = read(ana, "/")
    ana.post(f"{here}submit")
    pages["result"] = read(ana, f"{here}result")
    pages |= {"history": read(ana, "/attempts/"), "profile": read(ana, "/profile/")}
    pages["after"] = read(ana, f"/quizzes/{a_quiz.slug}/")
    logged_in_client(User.objects.get(name="Ana"))
    pages["tokens"] = read(ana, "/profile/tokens/")
    form = {"name": "Notas", "scopes": ["read", "attempt"], "days": "9"}
    for name, fields in {"refused": {}, "made": form}.items():
        pages[name] = ana.post("/profile/tokens/", fields).content.decode()
    pages["devices"] = read(ana, "/profile/devices/")
    pages["alone"] = ana.post("/profile/devices/sign-out", follow=True).content.decode()
    assert {name: left_over(html) for name, html in pages.items() if left_over(html)} == {}
    assert "Aún no aprobado" in pages["result"]


@pytest.mark.parametrize("where", ["", "bank/question/", "bank/question/add/", "publishing/quiz/"])
def test_the_desk_of_an_instructor_is_spanish(users: Users, a_quiz: Quiz, where):
    users.instructor.name = "Eva"
    users.instructor.save()
    assert left_over(read(spanish(logged_in_client(users.instructor)), f"/admin/{where}")) == []


def test_the_search_for_english_finds_it(users: Users, a_quiz: Quiz):
    untranslated = left_over(read(logged_in_client(users.learner), f"/quizzes/{a_quiz.slug}/"))
    assert {"How it is scored", "Start the quiz", "Skip to the content"} <= set(untranslated)


def test_months_have_no_capital_in_spanish(ana: Client, a_quiz: Quiz):
    ana.post(f"/quizzes/{a_quiz.slug}/start")
    ana.post(f"/attempts/{Attempt.objects.get().uuid}/submit")
    day = re.search(r"\d+ ([^\W\d]+) \d{4}, \d\d:\d\d", read(ana, "/attempts/"))
    assert day is not None
    assert day[1] == day[1].lower()


# --- the letters -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "is_registered", "subject"),
    [
        ("es", True, "Elige una contraseña nueva"),
        ("es", False, "No hay ninguna cuenta con esta dirección"),
        ("en", True, "Choose a new password"),
        ("en", False, "There is no account with this address"),
    ],
)
def test_a_forgotten_password_brings_a_letter_of_ours(
    users: Users, language, is_registered, subject
):
    client = Client()
    client.cookies["language"] = language
    address = users.learner.email if is_registered else "nobody@example.org"
    client.post("/accounts/password/reset/", {"email": address})
    (letter,) = mail.outbox
    assert letter.subject.endswith(subject)
    assert "http://testserver/accounts/" in letter.body
    assert ("Si no fuiste tú" in letter.body) == (language == "es")
    assert letter.body.rstrip().endswith("testserver")


@pytest.mark.parametrize(
    ("language", "is_registered", "subject"),
    [
        ("es", False, "Confirma tu dirección"),
        ("es", True, "Ya tienes una cuenta"),
        ("en", False, "Confirm your address"),
        ("en", True, "You have an account already"),
    ],
)
def test_signing_up_brings_a_letter_of_ours(
    users: Users, settings, language, is_registered, subject
):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    cache.clear()  # tests that commit leave in it how many letters an address was sent
    client = Client()
    client.cookies["language"] = language
    address = users.learner.email if is_registered else "new@example.org"
    client.post("/accounts/signup/", {"email": address, "password1": "horse battery staple"})
    (letter,) = mail.outbox
    assert letter.subject.endswith(subject)
    assert ("Alguien, esperamos que tú" in letter.body) == (language == "es")


MASCULINE = re.compile(r"\b(?:estos|los siguientes)\b[^?]*\?\s+Selecciona\s+todas\s+las\s+que")
"""“Selecciona todas” after a noun that takes “todos”."""


def test_what_is_selected_agrees_with_its_noun():
    folders = (ROOT / "fixtures", ROOT / "quizzes" / "formats")
    texts = [
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in {".yaml", ".csv", ".json", ".md"}
    ]
    assert MASCULINE.search("¿Cuáles de estos números son primos? Selecciona todas las que")
    assert [path for path in texts if MASCULINE.search(path.read_text(errors="replace"))] == []
