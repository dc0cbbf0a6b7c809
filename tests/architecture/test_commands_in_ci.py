"""CI exercises every command of `./dev`; what the documents name exists; no contract is empty."""

import importlib.util
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import get_commands, load_command_class

from tools import commands, try_commands
from tools.paths import ROOT

CI = (ROOT / ".ci/run").read_text(encoding="utf-8")
STEPS = re.findall(r"^ *step (.+)$", CI, re.MULTILINE)
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "bench/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
LINTED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]


def exercised():
    """Return the commands of ./dev that CI runs: name -> the words after it."""
    options_by_command = {}
    for step in STEPS:
        program, *words = step.split()
        if program == "./dev":
            options_by_command[words[0]] = words[1:]
        elif words[:2] == ["-m", "tools.try_commands"]:
            options_by_command |= {name: [] for name in words[2:]}
    return options_by_command


def explained():
    """Return the commands that the help names, with the options that it names beside each."""
    lines = re.findall(r"^  ([a-z]+)\b(.*)$", commands.USAGE, re.MULTILINE)
    return {name: set(re.findall(r"--[a-z-]+", rest)) for name, rest in lines}


def test_the_help_names_every_command_and_no_other():
    assert set(explained()) == set(commands.COMMANDS)


def test_ci_runs_every_command():
    assert set(exercised()) == set(commands.COMMANDS)


def test_a_command_that_runs_until_it_is_stopped_is_tried():
    assert set(try_commands.TRIALS) == {"run", "services"}
    assert {"run", "services"}.isdisjoint(
        step.split()[1] for step in STEPS if step.startswith("./dev ")
    )


# Where to listen, which of both databases, and one that try_commands.py tries: not for CI.
CHOICES = {"--host", "--port", "--sqlite", "--postgresql"}


def test_ci_runs_every_command_with_the_options_that_change_what_it_does():
    exercised_options = exercised()
    missing = {
        name: options - CHOICES - set(exercised_options[name])
        for name, options in explained().items()
        if options - CHOICES - set(exercised_options[name])
    }
    assert missing == {}


def run_steps(folder, words):
    """Run these lines with the function and the end of .ci/run; return its status and output."""
    step = CI[CI.index("step() {") : CI.index("\n}\n", CI.index("step() {")) + 3]
    end = CI[CI.rindex('if [[ -s "$logs/failed" ]]; then') :]
    start = f'set -euo pipefail\nsay() {{ echo "$1"; }}\nlogs={folder}'
    bash = ["/bin/bash", "-c", f"{start}\n{step}\n{words}\n{end}"]
    done = subprocess.run(bash, stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


def test_a_step_that_fails_makes_ci_red_and_the_end_says_why(tmp_path):
    assert run_steps(tmp_path, "step true")[0] == 0
    status, _ = run_steps(tmp_path, "{\n  step false\n} &\nwait $!")
    assert status == 1
    (tmp_path / "failed").unlink()
    status, output = run_steps(tmp_path, "step bash -c 'echo why; exit 3'\nstep true")
    assert status == 1
    assert "why" in output.partition("=== FAILED")[0]
    assert output.endswith("\n=== FAILED: bash -c echo why; exit 3\nwhy\nRED\n")


def documented(pattern):
    """Return what the documents write in the form of a command, as words, with the document."""
    return [
        (path.relative_to(ROOT), match.split())
        for path in DOCUMENTS
        for match in re.findall(pattern, path.read_text(encoding="utf-8"))
    ]


def test_every_command_that_the_documents_name_is_one():
    command_names = documented(r"\./dev ([a-z]+)")
    assert len(command_names) > 15
    assert [place for place in command_names if place[1][0] not in commands.COMMANDS] == []


def test_every_module_that_the_documents_run_is_there():
    module_names = documented(r"python3? -m ([a-z_.]+)")
    assert len(module_names) > 5
    lost = [
        place for place in module_names if importlib.util.find_spec(place[1][0].strip(".")) is None
    ]
    assert lost == []


MANAGED = documented(r"(?:manage\.py|\./dev manage) ([a-z_]+(?: +[\w.@<>-]+)*)")


@pytest.mark.parametrize(("path", "words"), MANAGED, ids=str)
def test_every_management_command_that_the_documents_name_takes_those_words(path, words):
    name, *rest = words
    app = get_commands()[name]
    command = load_command_class(app, name) if isinstance(app, str) else app
    if rest:
        command.create_parser("manage.py", name).parse_args(rest)


def test_what_the_measurements_are_documented_with_is_run():
    text = (ROOT / "bench/README.md").read_text(encoding="utf-8")
    modules = set(re.findall(r"python -m (bench\.\w+)", text))
    run = {match[1] for step in STEPS if (match := re.search(r"-m (bench\.\w+)", step))}
    assert modules
    assert modules <= run


def test_makemigrations_looks_at_every_app_of_ours_that_has_models():
    # Django passes over an app without a package of migrations, and says that all is well.
    ours = [app for app in apps.get_app_configs() if Path(app.path).is_relative_to(ROOT)]
    ours = [app for app in ours if ".venv" not in Path(app.path).parts and any(app.get_models())]
    assert len(ours) > 5
    for app in ours:
        assert list(Path(app.path).glob("migrations/0*.py")), app.name


def test_every_contract_of_the_layers_speaks_of_modules_that_are_there():
    contracts = LINTED["importlinter"]["contracts"]
    assert len(contracts) > 5
    for contract in contracts:
        names = [
            *contract.get("containers", ()),
            *contract.get("modules", ()),
            *contract.get("source_modules", ()),
        ]
        names = names or [re.split(r"\W\|\W", layer)[0] for layer in contract["layers"]]
        for name in names:
            folder = ROOT / name.removesuffix(".*").replace(".", "/")
            assert len(list(folder.rglob("*.py"))) > 1, (contract["name"], name)


def test_no_optional_layer_names_a_module_that_nowhere_is():
    for contract in LINTED["importlinter"]["contracts"]:
        layers = " ".join(contract.get("layers", ()))
        for name in re.findall(r"\(([\w.]+)\)", layers):
            assert any(_is_there(container, name) for container in contract["containers"]), name


def _is_there(container, name):
    place = ROOT / container.replace(".", "/") / name
    return place.is_dir() or place.with_suffix(".py").exists()
