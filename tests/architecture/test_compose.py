"""docker-compose.yml keeps its promises, and starts what `./dev stack` starts."""

import json
import re
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from config import celery
from config.database import application_role
from tools import layout, stack, stack_check
from tools.paths import ROOT
from tools.run_checks import production_environment

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
OWN = sorted({"migrate", *stack.SERVICES})
WORKERS = {"worker": "light", "heavy-worker": "heavy"}
"""The services that do tasks, and the queue that each empties."""
LASTING = sorted(set(SERVICES) - {"migrate"})


def test_these_are_the_processes():
    assert set(SERVICES) == {"db", "redis", "migrate", "web", *WORKERS, "beat"}


def test_the_commands_are_those_of_the_stack_without_docker():
    assert {name: tuple(SERVICES[name]["command"]) for name in stack.SERVICES} == stack.SERVICES
    assert tuple(SERVICES["migrate"]["command"]) == stack.PREPARE


@pytest.mark.parametrize("name", LASTING)
def test_each_lasting_service_has_a_health_check_and_comes_back(name):
    assert SERVICES[name]["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert SERVICES[name]["restart"] == "unless-stopped"


def test_health_is_asked_in_the_same_words_as_without_docker():
    health = {name: SERVICES[name]["healthcheck"]["test"] for name in stack.SERVICES}
    assert tuple(health["beat"][1:]) == stack_check.CLOCK
    for name, node in WORKERS.items():
        ping = " ".join(stack_check.PING)
        assert health[name][1] == f"{ping} --destination {node}@$$HOSTNAME"
        assert f"{node}@%h" in stack.SERVICES[name]
    assert health["web"][-1].endswith("/readyz")


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_nobody_is_root_or_can_become_it(name):
    assert SERVICES[name]["user"] not in {"root", "0", "0:0"}
    assert "no-new-privileges:true" in SERVICES[name]["security_opt"]


@pytest.mark.parametrize("name", OWN)
def test_our_own_processes_write_nothing_but_scratch_and_volumes(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["tmpfs"] == ["/tmp"]  # noqa: S108 (a folder of the container)


def mounted(name):
    """Return what a service may write to: path -> volume, or nothing for scratch of its own."""
    service = SERVICES[name]
    mounts = [mount.split(":") for mount in service.get("volumes", [])]
    writable = {path: volume for volume, path, *mode in mounts if "ro" not in mode}
    return dict.fromkeys(service["tmpfs"], "") | writable


def volume_of(name, path):
    """Return the volume that a path lies in ("" for scratch); none where it is read-only."""
    folders = [folder for folder in mounted(name) if Path(path).is_relative_to(folder)]
    return mounted(name)[folders[0]] if folders else None


ASK = """
import json, tempfile, django
django.setup()
from django.conf import settings
from config.heartbeat import heartbeat_file
print(json.dumps({
    "media": str(settings.MEDIA_ROOT),
    "heartbeat": str(heartbeat_file()),
    "temporary": tempfile.gettempdir(),
}))
"""


def fill_in(text):
    """Return a value of docker-compose.yml with the variables of whoever starts it."""
    return re.sub(r"\$\{(\w+)(?::[?-]([^}]*))?\}", lambda part: SECRETS.get(part[1], ""), text)


@pytest.fixture(scope="module")
def paths():
    """Ask the settings, in the environment of the containers, for every path that is written."""
    settings = {name: fill_in(value) for name, value in SERVICES["web"]["environment"].items()}
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        env={**settings, "DJANGO_SETTINGS_MODULE": "config.settings", "OCHENTA_DATA_DIR": IMAGE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


IMAGE = "/srv/ochenta/data"
SECRETS = {
    "OCHENTA_SECRET_KEY": secrets.token_urlsafe(50),
    "OCHENTA_SIGNING_KEY": "k" * 43,
    "OCHENTA_ALLOWED_HOSTS": "quiz.example",
    "POSTGRES_PASSWORD": "of-the-owner",
    "POSTGRES_SITE_PASSWORD": "of-the-site",
    "REDIS_PASSWORD": "letters",
    "OCHENTA_PROXIES": "1",
    "OCHENTA_EMAIL_PORT": "25",
}
WRITTEN = {name: {"media", "temporary"} for name in ("web", *WORKERS)}
WRITTEN["beat"] = {"heartbeat", "temporary"}


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_every_path_that_a_service_writes_to_is_mounted_writable(name, paths):
    assert set(WRITTEN) == set(stack.SERVICES)
    readonly = [path for path in WRITTEN[name] if volume_of(name, paths[path]) is None]
    assert readonly == []


def test_web_and_worker_share_the_files_that_an_import_brings(paths):
    media = paths["media"]
    assert {volume_of(name, media) for name in ("web", *WORKERS)} == {"media"}


def test_nothing_else_is_mounted_and_the_stack_without_docker_mounts_the_same():
    volumes = {name: tuple(filter(None, mounted(name).values())) for name in stack.SERVICES}
    assert volumes == layout.MOUNTS
    assert volumes["beat"] == ()
    assert not SERVICES["migrate"].get("volumes")


def test_uploads_lie_where_the_volume_is_and_belong_to_the_process(paths):
    folder = paths["media"]
    assert folder in mounted("web")
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert f"install --directory --owner=ochenta --group=ochenta --mode=0750 {folder}" in dockerfile
    assert IMAGE in dockerfile


def test_redis_answers_only_whoever_knows_the_password():
    service, password = SERVICES["redis"], "${REDIS_PASSWORD:?set it to letters and digits}"
    assert service["environment"] == {"REDISCLI_AUTH": password}
    script = service["command"][-1]
    assert "umask 077 && printf 'requirepass %s\\n' \"$$REDISCLI_AUTH\" > /tmp/redis.conf" in script
    assert "exec redis-server /tmp/redis.conf " in script
    for name in OWN:
        assert (
            SERVICES[name]["environment"]["OCHENTA_REDIS_URL"]
            == f"redis://:{password}@redis:6379/0"
        )


def test_a_redis_that_refuses_the_password_is_not_healthy(tmp_path):
    client = tmp_path / "redis-cli"
    (kind, check) = SERVICES["redis"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    for answer, status in (("PONG", 0), ("NOAUTH Authentication required.", 1), ("", 1)):
        client.write_text(f"#!/bin/sh\necho '{answer}'\n")
        client.chmod(0o755)
        env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
        assert subprocess.call(["/bin/sh", "-c", check], env=env) == status


def test_migrations_run_once_before_anybody_uses_the_tables():
    for name in stack.SERVICES:
        ready = SERVICES[name]["depends_on"]
        assert ready["migrate"] == {"condition": "service_completed_successfully"}
        assert ready["db"] == ready["redis"] == {"condition": "service_healthy"}
    assert SERVICES["migrate"]["restart"].startswith("on-failure")
    with_migrations = [name for name in OWN if "config.deploy" in SERVICES[name]["command"]]
    assert with_migrations == ["migrate"]


def test_only_migrations_sign_in_as_the_owner_of_the_tables():
    environment = SERVICES["migrate"]["environment"]
    site = application_role(fill_in(environment["OCHENTA_DATABASE_URL"]))
    owner = application_role(fill_in(environment["OCHENTA_DATABASE_OWNER_URL"]))
    assert (site.name, owner.name) == (
        stack.SITE_ROLE,
        SERVICES["db"]["environment"]["POSTGRES_USER"],
    )
    assert site.name != owner.name
    assert (site.password, owner.password) == ("of-the-site", "of-the-owner")
    for name in stack.SERVICES:
        environment = SERVICES[name]["environment"]
        assert application_role(fill_in(environment["OCHENTA_DATABASE_URL"])) == site
        assert "OCHENTA_DATABASE_OWNER_URL" not in environment
        assert "POSTGRES_PASSWORD" not in json.dumps(environment)


def test_data_lives_in_named_volumes():
    mounts = [mount for service in SERVICES.values() for mount in service.get("volumes", [])]
    assert {mount.partition(":")[0] for mount in mounts} == set(COMPOSE["volumes"])


def test_no_secret_has_a_value_here():
    text = (ROOT / "docker-compose.yml").read_text()
    for name in (
        "OCHENTA_SECRET_KEY",
        "OCHENTA_SIGNING_KEY",
        "POSTGRES_PASSWORD",
        "POSTGRES_SITE_PASSWORD",
        "REDIS_PASSWORD",
    ):
        assert re.search(rf"\$\{{{name}:\?", text)
        assert not re.search(rf"{name}: (?!\$\{{)", text)


def test_the_environment_is_the_one_that_the_deployment_gate_checks(tmp_path):
    environment = SERVICES["web"]["environment"]
    local = {"OCHENTA_DATA_DIR"}  # the image sets it
    assert set(production_environment(tmp_path)) - local <= set(environment)
    assert environment["OCHENTA_MODE"] == "production"
    assert set(layout.environment(tmp_path, 1, "", "")) & {"OCHENTA_HTTPS"} <= set(environment)


def test_only_this_machine_reaches_the_plain_port():
    published = {name: service.get("ports", []) for name, service in SERVICES.items()}
    assert all(port.startswith("127.0.0.1:") for port in published.pop("web"))
    assert not any(published.values())


def test_a_worker_may_finish_its_longest_task():
    celery.app.loader.import_default_modules()
    longest = dict.fromkeys(WORKERS.values(), 0)
    for name, task in celery.app.tasks.items():
        queue = celery.app.amqp.router.route({}, name)["queue"].name
        limit = task.time_limit or celery.app.conf.task_time_limit
        longest[queue] = max(longest[queue], limit)
    patience = {
        queue: int(SERVICES[name]["stop_grace_period"].removesuffix("s"))
        for name, queue in WORKERS.items()
    }
    assert {queue: limit + 10 for queue, limit in longest.items()} == patience


def test_every_queue_has_a_worker_and_the_manual_has_its_command():
    manual = (ROOT / "docs/operations.md").read_text()
    queues = {queue.name for queue in celery.app.conf.task_queues}
    assert queues == set(WORKERS.values())
    for name, node in WORKERS.items():
        words = stack.SERVICES[name]
        assert words[words.index("--queues") + 1] == node
        assert " ".join(words) in manual


def test_the_image_runs_as_the_same_user_and_command():
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert f"USER {SERVICES['web']['user']}" in dockerfile
    words = ", ".join(f'"{word}"' for word in stack.SERVICES["web"])
    assert f"CMD [{words}]" in dockerfile
    assert "--no-deps --require-hashes" in dockerfile


def test_what_the_manual_says_can_be_set_reaches_the_containers():
    manual = (ROOT / "docs/operations.md").read_text()
    table = manual.split("## Variables")[1].split("\n## ")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `OCHENTA_")]
    named = {name for row in rows for name in re.findall(r"OCHENTA_[A-Z0-9_]+", row)}
    named |= {f"OCHENTA_EMAIL{name}" for row in rows for name in re.findall(r"`(_[A-Z]+)`", row)}
    # Refused in production, and fixed by the image.
    unset = named - {"OCHENTA_DEBUG", "OCHENTA_DATA_DIR"} - set(SERVICES["web"]["environment"])
    assert len(named) > 20
    assert unset == set()
