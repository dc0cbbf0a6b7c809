"""Constant parts of templates are what Django's own tags say, in every language."""

from typing import cast

import pytest
from django.template import Context, engines
from django.template.backends.django import DjangoTemplates
from django.templatetags import i18n, static
from django.utils import translation

from config.template_libraries.i18n import ConstantTranslateNode
from config.template_libraries.static import ConstantStaticNode

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
