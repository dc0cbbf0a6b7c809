"""The icons of the installed site are drawn from its SVG."""

import pytest

from tools import draw_icons


def test_only_an_icon_that_is_masked_has_its_colour_to_the_edge():
    assert draw_icons.ROUNDED in draw_icons.build_svg("icon-192.png")
    assert draw_icons.ROUNDED not in draw_icons.build_svg("icon-maskable-512.png")


@pytest.mark.parametrize("name", draw_icons.ICONS)
def test_every_icon_is_committed(name):
    assert (draw_icons.FOLDER / name).read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_without_chromium_none_is_drawn(monkeypatch, capsys):
    monkeypatch.setattr(draw_icons, "find_chromium", lambda: None)
    assert draw_icons.main() == 1
    assert "Chromium" in capsys.readouterr().err
