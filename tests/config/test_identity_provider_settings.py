"""Identity providers, as the environment names them; a senseless one stops the start."""

import json

import pytest

from accounts.identity_providers import ClassRole
from config import env
from config.identity_provider_settings import read_identity_providers

ISSUER, CLIENT = "https://id.example.org", "ochenta"


def configure(monkeypatch: pytest.MonkeyPatch, **changed: str) -> None:
    usual = {"ISSUER": ISSUER, "CLIENT_ID": CLIENT, "SECRET": "hush", "DOMAINS": "School.example"}
    monkeypatch.setenv("OCHENTA_OIDC", "school")
    for name, text in (usual | changed).items():
        monkeypatch.setenv(f"OCHENTA_OIDC_SCHOOL_{name}", text)


def test_providers_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch):
    assert read_identity_providers("OCHENTA_OIDC") == ()
    configure(monkeypatch)
    (provider,) = read_identity_providers("OCHENTA_OIDC")
    assert (provider.id, provider.issuer) == ("school", ISSUER)
    assert provider.trusted_domains == {"school.example"}
    assert "hush" not in repr(provider)
    assert (provider.sends_email_verified, provider.classes) == (True, {})
    configure(monkeypatch, ISSUER="http://127.0.0.1:9400")
    assert read_identity_providers("OCHENTA_OIDC")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ISSUER", "http://id.example.org"),
        ("ISSUER", "https://"),
        ("ISSUER", "https://[id"),
        ("ISSUER", "https://id.example.org?x=1"),
        ("ISSUER", "https://u:p@id.example.org"),
        ("CLIENT_ID", ""),
        ("SECRET", ""),
        ("DOMAINS", "*"),
        ("DOMAINS", "@school.example"),
        ("SENDS_EMAIL_VERIFIED", "maybe"),
        ("CLASSES", "no JSON"),
        ("CLASSES", "[]"),
        ("CLASSES", '{"staff": "Algebra"}'),
        ("CLASSES", '{"staff": {"class": "Algebra"}}'),
        ("CLASSES", '{"staff": {"class": "Algebra", "role": "administrator"}}'),
        ("CLASSES", '{"staff": {"class": "", "role": "learner"}}'),
        ("CLASSES", '{"staff": {"class": 1, "role": "learner"}}'),
    ],
)
def test_a_senseless_provider_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str
):
    configure(monkeypatch, **{name: text})
    with pytest.raises(env.SettingError):
        read_identity_providers("OCHENTA_OIDC")


@pytest.mark.parametrize("ids", ["school,school", "Sch/ool", "../x"])
def test_ids_are_plain_and_stand_once(monkeypatch: pytest.MonkeyPatch, ids: str):
    configure(monkeypatch)
    monkeypatch.setenv("OCHENTA_OIDC", ids)
    with pytest.raises(env.SettingError):
        read_identity_providers("OCHENTA_OIDC")


def test_groups_are_mapped_to_classes_and_roles(monkeypatch: pytest.MonkeyPatch):
    classes = {"staff": {"class": "Algebra, I", "role": "instructor"}}
    configure(monkeypatch, CLASSES=json.dumps(classes), SECOND_FACTORS="mfa,hwk", SCOPES="groups")
    (provider,) = read_identity_providers("OCHENTA_OIDC")
    assert provider.classes == {"staff": ClassRole("Algebra, I", "instructor")}
    assert provider.second_factors == {"mfa", "hwk"}
    assert provider.scopes == ("groups",)
