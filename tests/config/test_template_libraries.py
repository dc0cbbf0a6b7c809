"""Constant parts of templates are what Django's own tags say, in every language."""

from typing import Any, cast
from uuid import UUID, uuid4

import pytest
from django.template import Context, Engine, TemplateDoesNotExist, TemplateSyntaxError, engines
from django.template.backends.django import DjangoTemplates
from django.template.defaulttags import URLNode
from django.template.loader_tags import ExtendsNode, IncludeNode
from django.templatetags import i18n, static
from django.test import RequestFactory
from django.urls import NoReverseMatch, reverse, set_script_prefix
from django.utils import translation
from django.utils.safestring import mark_safe

from config.template_libraries.fragments import MOST
from config.template_libraries.i18n import ConstantTranslateNode, RememberedBlockTranslateNode
from config.template_libraries.loading import LiteralIncludeNode, RememberingExtendsNode
from config.template_libraries.static import ConstantStaticNode
from config.template_libraries.urls import ConstantURLNode

ENGINE = cast("DjangoTemplates", engines["django"]).engine
OWN = "{% load i18n static %}"


def render(source: str, **context) -> str:
    return str(ENGINE.from_string(OWN + source).render(Context(context)))


def list_nodes(source: str) -> list[type]:
    return [type(node) for node in ENGINE.from_string(OWN + source).nodelist[1:]]


@pytest.mark.parametrize(
    "source",
    ['{% translate "Save" %}', '{% trans "Save" %}', '{% translate "May" context "alt. month" %}'],
)
def test_a_text_of_the_template_has_the_language_of_each_request(source):
    assert list_nodes(source) == [ConstantTranslateNode]
    template = ENGINE.from_string(OWN + source)
    texts = []
    for language in ("en", "es", "en", "es"):
        with translation.override(language):
            texts.append(template.render(Context()))
    assert texts[:2] == texts[2:]
    assert texts[0] != texts[1]


def test_it_is_what_djangos_own_tag_says(monkeypatch):
    source = '{% translate "50%% of <b>it</b> & more" %}'
    own = render(source)
    monkeypatch.setitem(ENGINE.template_libraries, "i18n", i18n.register)
    assert list_nodes(source) == [i18n.TranslateNode]
    assert own == render(source) == "50%% of <b>it</b> & more"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{% translate text %}", "&lt;Save&gt;"),
        ('{% translate "Save" noop %}', "Save"),
        ('{% translate "Save" as words %}[{{ words }}]', "[Guardar]"),
        ('{% translate "Save"|upper %}', "GUARDAR"),
        ('{% translate "May" context text %}', "May"),
    ],
)
def test_what_depends_on_more_than_the_language_stays_djangos(source, expected):
    assert list_nodes(source)[0] is i18n.TranslateNode
    with translation.override("es"):
        assert render(source, text="<Save>") == expected


COUNTED = "{% blocktranslate trimmed with total=a maximum=b %}\n {{ total }} of {{ maximum }}\n"
END = "{% endblocktranslate %}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (COUNTED + END, "1 &lt; de 4 & 50%"),
        ("{% blocktranslate %}Question {{ number }}" + END, "Pregunta 7"),
        ("{% blocktranslate %}100%, {{ nothing }}" + END, "100%, "),
        ("{% blocktranslate with nothing=number|add:1 %}Question {{ number }}" + END, "Pregunta 7"),
    ],
)
def test_a_block_of_text_has_the_values_of_each_page(source, expected, monkeypatch):
    assert list_nodes(source) == [RememberedBlockTranslateNode]
    context = {"a": "1 <", "b": mark_safe("4 & 50%"), "number": 7}
    template = ENGINE.from_string(OWN + source)
    with translation.override("es"):
        first = [template.render(Context({**context, "number": n})) for n in (6, 7)][-1]
        own = str(first)
        monkeypatch.setitem(ENGINE.template_libraries, "i18n", i18n.register)
        assert list_nodes(source) == [i18n.BlockTranslateNode]
        assert render(source, **context) == own == expected


@pytest.mark.parametrize(
    "source",
    [
        "{% blocktranslate count n=n %}{{ n }} day{% plural %}{{ n }} days" + END,
        '{% blocktranslate context "x" %}Question {{ n }}' + END,
        "{% blocktranslate asvar text %}Question {{ n }}" + END,
    ],
)
def test_a_block_of_text_with_more_than_values_stays_djangos(source):
    assert list_nodes(source) == [i18n.BlockTranslateNode]


def test_a_translation_without_its_place_for_a_value_is_djangos(monkeypatch):
    broken = "Pregunta %(numero)s"
    monkeypatch.setattr("config.template_libraries.i18n.gettext", lambda _: broken)
    with translation.override("es"):
        source = "{% blocktranslate %}Question {{ number }}{% endblocktranslate %}"
        assert render(source, number=7) == "Pregunta 7"


def test_an_address_of_a_file_follows_the_storage(settings):
    source = '{% static "web/css/base.css" %}'
    assert list_nodes(source) == [ConstantStaticNode]
    template = ENGINE.from_string(OWN + source)
    before = template.render(Context())
    settings.STATIC_URL = "/elsewhere/"
    after = template.render(Context())
    assert before != after == "/elsewhere/web/css/base.css"


def test_an_address_that_is_computed_stays_djangos():
    source = '{% static path %}{% static "a.css" as address %}'
    assert list_nodes(source) == [static.StaticNode, static.StaticNode]
    assert render(source, path="b.css").endswith("b.css")


def test_no_other_library_has_the_name_of_another():
    warnings = cast("DjangoTemplates", engines["django"]).check()
    names = {warning.msg.split("'")[1] for warning in warnings if warning.id == "templates.W003"}
    assert names == {"i18n", "static"}


# --- Addresses --------------------------------------------------------------------------------

ATTEMPT = "1fd4a1c2-0d6b-4c3e-9a55-3b8a2f7f0d11"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('{% url "home" %}', "/"),
        ('{% url "history" as address %}[{{ address }}]', "[/attempts/]"),
        ('{% url "save" attempt %}', f"/attempts/{ATTEMPT}/save"),
        ('{% url "save" attempt as address %}[{{ address }}]', f"[/attempts/{ATTEMPT}/save]"),
        ('{% url "manifest" "es" %}', "/manifest-es.webmanifest"),
        ('{% url "manifest" "en" as address %}[{{ address }}]', "[/manifest-en.webmanifest]"),
    ],
)
def test_an_address_is_djangos_own(source, expected):
    assert list_nodes(source)[0] is ConstantURLNode
    assert render(source, attempt=ATTEMPT) == render(source, attempt=UUID(ATTEMPT)) == expected


def test_addresses_of_two_attempts_differ():
    template = ENGINE.from_string('{% url "attempt" attempt %}')
    attempts = [uuid4() for _ in range(3)]
    addresses = [template.render(Context({"attempt": attempt})) for attempt in attempts]
    assert addresses == [reverse("attempt", args=[attempt]) for attempt in attempts]


def test_an_address_follows_where_the_site_lies():
    template = ENGINE.from_string('{% url "history" %}')
    assert template.render(Context()) == "/attempts/"
    set_script_prefix("/quiz/")
    try:
        assert template.render(Context()) == "/quiz/attempts/"
    finally:
        set_script_prefix("/")


@pytest.mark.parametrize("attempt", ["", "no-id", ATTEMPT.upper() + "/", "../x"])
def test_what_is_no_id_is_refused_as_django_does(attempt):
    with pytest.raises(NoReverseMatch):
        render('{% url "attempt" attempt %}', attempt=attempt)
    assert render('{% url "attempt" attempt as here %}[{{ here }}]', attempt=attempt) == "[]"


def test_an_address_that_does_not_exist_is_refused():
    with pytest.raises(NoReverseMatch):
        render('{% url "nowhere" %}')


def test_names_of_a_namespace_and_computed_ones_stay_djangos():
    for source in ('{% url "admin:index" %}', "{% url name %}", '{% url "intro" slug="a" %}'):
        assert list_nodes(source) == [URLNode]
    assert render("{% url name %}", name="home") == "/"


# --- Fragments --------------------------------------------------------------------------------


def test_a_fragment_has_its_slots_from_each_page():
    template = ENGINE.from_string(
        "{% fragment named=person %}<p>{% if named %}Hello {% slot %}{{ person }}{% endslot %}"
        "{% else %}Hello{% endif %}</p>{% endfragment %}"
    )
    pages = [template.render(Context({"person": person})) for person in ("Ana", "", "<Bo>", "Ana")]
    assert pages == ["<p>Hello Ana</p>", "<p>Hello</p>", "<p>Hello &lt;Bo&gt;</p>", pages[0]]


def test_nothing_of_a_page_can_be_remembered():
    """Every way of looking at the page's context finds nothing, but for slots."""
    template = ENGINE.from_string(
        "{% fragment flag=secret %}[{{ secret }}{{ request.path }}{{ user.name }}{{ csrf_token }}"
        "{% csrf_token %}{% with other=secret %}{{ other }}{% endwith %}"
        "{% if secret == 'of Ana' %}equal{% endif %}{% firstof secret 'none' %}{{ flag }}]"
        "{% endfragment %}"
    )
    context = {"request": RequestFactory().get("/of-ana"), "user": {"name": "Ana"}}
    for secret in ("of Ana", "of Bo"):
        page = template.render(Context({**context, "secret": secret, "csrf_token": "token"}))
        assert page == "[noneTrue]"


def test_included_templates_see_no_more_than_their_fragment(settings):
    source = '{% fragment %}{% include "partials/language.html" %}{% endfragment %}'
    template = ENGINE.from_string(source)
    pages = []
    for name in ("ana", "bo"):
        request = RequestFactory().get(f"/page-of-{name}")
        pages.append(
            template.render(Context({"request": request, "csrf_token": f"token-of-{name}"}))
        )
    for name, other, page in (("ana", "bo", pages[0]), ("bo", "ana", pages[1])):
        assert f"/page-of-{name}" in page
        assert f"token-of-{name}" in page
        assert f"-of-{other}" not in page


def test_a_fragment_has_the_language_of_each_request():
    template = ENGINE.from_string(
        '{% load i18n %}{% fragment %}{% translate "Save" %}{% endfragment %}'
    )
    for language, expected in (("en", "Save"), ("es", "Guardar"), ("en", "Save")):
        with translation.override(language):
            assert template.render(Context()) == expected


def test_a_slot_in_a_loop_is_there_each_time():
    loop = "{% for n in 'ab' %}{{ n }}{% slot %}{{ x }}{% endslot %}{% endfor %}"
    source = f"{{% fragment %}}{loop}{{% endfragment %}}"
    template = ENGINE.from_string(source)
    assert [template.render(Context({"x": x})) for x in (1, 2)] == ["a1b1", "a2b2"]


def test_a_slot_outside_of_a_fragment_is_as_if_it_were_not_there():
    assert render("{% slot %}{{ x }}{% endslot %}", x="<") == "&lt;"


@pytest.mark.parametrize(
    "source",
    [
        "{% fragment %}{% block name %}{% endblock %}{% endfragment %}",
        "{% fragment person %}{% endfragment %}",
        "{% fragment %}{% fragment %}{% endfragment %}{% endfragment %}",
    ],
)
def test_what_cannot_be_remembered_is_refused(source):
    with pytest.raises(TemplateSyntaxError):
        render(source)


def test_fragments_are_bounded():
    template = ENGINE.from_string("{% fragment %}a{% endfragment %}")
    try:
        for number in range(MOST + 5):
            set_script_prefix(f"/{number}/")
            template.render(Context())
    finally:
        set_script_prefix("/")
    fragment: Any = template.nodelist[0]
    assert len(fragment._remembered) <= MOST


# --- Other templates --------------------------------------------------------------------------

PAGES = {
    "base": "<{% block head %}base{% endblock %}|{% block body %}{% endblock %}>",
    "middle": '{% extends "base" %}{% block body %}[{% block inner %}{% endblock %}]{% endblock %}',
    "page": (
        '{% extends "middle" %}{% block head %}{{ block.super }} and page{% endblock %}'
        '{% block inner %}{% include "row" with n=2 %}{{ n }}{% include "row" %}{% endblock %}'
    ),
    "row": "{{ n }}{% with n=5 %}{{ n }}{% endwith %}{% firstof 9 as n %};",
    "loop": "{% if n %}{{ n }}{% include 'loop' with n=m m=0 %}{% endif %}",
    "missing": '{% include "nowhere" %}',
    "computed": '{% extends parent %}{% block head %}{% include "row" only %}{% endblock %}',
}


def build_engine(*, debug: bool = False, own: bool = True) -> Engine:
    loaders: list[Any] = [("django.template.loaders.locmem.Loader", PAGES)]
    builtins = ["config.template_libraries.loading"] if own else []
    return Engine(loaders=loaders, builtins=builtins, debug=debug)


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(
    ("name", "context"),
    [("page", {"n": 1}), ("loop", {"n": 1, "m": 2}), ("computed", {"parent": "base", "n": 1})],
)
def test_templates_of_others_give_what_django_gives(name, context, debug):
    own, djangos = build_engine(debug=debug), build_engine(own=False)
    expected = djangos.get_template(name).render(Context(context))
    template = own.get_template(name)
    assert [template.render(Context(context)) for _ in range(3)] == [expected] * 3


def test_blocks_are_looked_for_once_and_includes_found_once():
    page = build_engine().get_template("page")
    page.render(Context({"n": 1}))
    extends: Any = page.nodelist[0]
    assert isinstance(extends, RememberingExtendsNode)
    base = extends.get_parent(template_context(page))
    assert base.nodelist.get_nodes_by_type(ExtendsNode) is base.nodelist.get_nodes_by_type(
        ExtendsNode
    )
    includes: Any = page.nodelist.get_nodes_by_type(IncludeNode)
    assert [type(node) for node in includes] == [LiteralIncludeNode] * 2
    assert [len(node._templates) for node in includes] == [1, 1]


def template_context(template) -> Context:
    context = Context()
    context.template = template
    return context


def test_a_template_that_is_not_there_is_refused():
    with pytest.raises(TemplateDoesNotExist):
        build_engine().get_template("missing").render(Context())
