"""Every module that a page imports is named in its head, so that they are fetched side by side."""

import pytest

from quizzes.web.templatetags.module_preload import find_modules, module_preload


def test_imports_of_imports_are_found_once():
    modules = find_modules("web/js/attempt.js")
    assert modules[0] == "web/js/attempt.js"
    assert {"web/js/sync.js", "web/js/database-store.js", "web/js/uuid.js"} <= set(modules)
    assert len(set(modules)) == len(modules)


def test_several_scripts_share_their_imports():
    html = module_preload("web/js/attempt.js", "web/js/device.js")
    assert html.count("outbox.js") == 1
    assert html.startswith(
        '<link rel="modulepreload" href="/static/web/js/attempt.js" fetchpriority="low">'
    )


def test_a_script_that_does_not_exist_is_an_error():
    with pytest.raises(FileNotFoundError, match="nowhere"):
        find_modules("web/js/nowhere.js")
