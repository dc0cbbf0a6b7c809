"""docker-compose.yml keeps its promises, and starts what `./dev stack` starts."""

import re

import pytest
import yaml

from tools import stack
from tools.gates import production
from tools.paths import ROOT

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
OWN = sorted({"migrate", *stack.SERVICES})
LASTING = sorted(set(SERVICES) - {"migrate"})


def test_these_are_the_processes():
    assert set(SERVICES) == {"db", "redis", "migrate", "web", "worker", "beat"}


def test_the_commands_are_those_of_the_stack_without_docker():
    assert {name: tuple(SERVICES[name]["command"]) for name in stack.SERVICES} == stack.SERVICES
    assert tuple(SERVICES["migrate"]["command"]) == stack.PREPARE


@pytest.mark.parametrize("name", LASTING)
def test_each_lasting_service_has_a_health_check_and_comes_back(name):
    assert SERVICES[name]["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert SERVICES[name]["restart"] == "unless-stopped"


def test_health_is_asked_in_the_same_words_as_without_docker():
    health = {name: SERVICES[name]["healthcheck"]["test"] for name in stack.SERVICES}
    assert tuple(health["beat"][1:]) == stack.CLOCK
    assert health["worker"][1].startswith(" ".join(stack.PING))
    assert health["web"][-1].endswith("/readyz")


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_nobody_is_root_or_can_become_it(name):
    assert SERVICES[name]["user"] not in {"root", "0", "0:0"}
    assert "no-new-privileges:true" in SERVICES[name]["security_opt"]


@pytest.mark.parametrize("name", OWN)
def test_our_own_processes_write_nothing_but_scratch(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["tmpfs"] == ["/tmp"]  # noqa: S108 (a folder of the container)
    uploads = ["media:/srv/media"] if name == "web" else []
    assert service.get("volumes", []) == uploads


def test_uploads_lie_where_the_volume_is_and_belong_to_the_process():
    folder = SERVICES["web"]["environment"]["OCHENTA_MEDIA_ROOT"]
    assert SERVICES["web"]["volumes"] == [f"media:{folder}"]
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert f"install --directory --owner=ochenta --group=ochenta --mode=0750 {folder}" in dockerfile


def test_migrations_run_once_before_anybody_uses_the_tables():
    for name in stack.SERVICES:
        ready = SERVICES[name]["depends_on"]
        assert ready["migrate"] == {"condition": "service_completed_successfully"}
        assert ready["db"] == ready["redis"] == {"condition": "service_healthy"}
    assert SERVICES["migrate"]["restart"].startswith("on-failure")
    with_migrations = [name for name in OWN if "config.prepare" in SERVICES[name]["command"]]
    assert with_migrations == ["migrate"]


def test_data_lives_in_named_volumes():
    mounts = [mount for service in SERVICES.values() for mount in service.get("volumes", [])]
    assert {mount.partition(":")[0] for mount in mounts} == set(COMPOSE["volumes"])


def test_no_secret_has_a_value_here():
    text = (ROOT / "docker-compose.yml").read_text()
    for name in ("OCHENTA_SECRET_KEY", "POSTGRES_PASSWORD"):
        assert re.search(rf"\$\{{{name}:\?", text)
        assert not re.search(rf"{name}: (?!\$\{{)", text)


def test_the_environment_is_the_one_that_the_deployment_gate_checks(tmp_path):
    environment = SERVICES["web"]["environment"]
    local = {"OCHENTA_DATA_DIR"}  # the image sets it
    assert set(production(tmp_path)) - local <= set(environment)
    assert environment["OCHENTA_MODE"] == "production"
    assert set(stack.environment(tmp_path, 1, "", "")) & {"OCHENTA_HTTPS"} <= set(environment)


def test_only_this_machine_reaches_the_plain_port():
    published = {name: service.get("ports", []) for name, service in SERVICES.items()}
    assert all(port.startswith("127.0.0.1:") for port in published.pop("web"))
    assert not any(published.values())


def test_a_worker_may_finish_its_longest_task():
    assert SERVICES["worker"]["stop_grace_period"] == "310s"


def test_the_image_runs_as_the_same_user_and_command():
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert f"USER {SERVICES['web']['user']}" in dockerfile
    words = ", ".join(f'"{word}"' for word in stack.SERVICES["web"])
    assert f"CMD [{words}]" in dockerfile
    assert "--require-hashes" in dockerfile


def test_what_the_manual_says_can_be_set_reaches_the_containers():
    manual = (ROOT / "docs/operations.md").read_text()
    table = manual.split("## Variables")[1].split("\n## ")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `OCHENTA_")]
    named = {name for row in rows for name in re.findall(r"OCHENTA_[A-Z_]+", row)}
    named |= {f"OCHENTA_EMAIL{name}" for row in rows for name in re.findall(r"`(_[A-Z]+)`", row)}
    # Refused in production, and fixed by the image.
    unset = named - {"OCHENTA_DEBUG", "OCHENTA_DATA_DIR"} - set(SERVICES["web"]["environment"])
    assert len(named) > 20
    assert unset == set()
