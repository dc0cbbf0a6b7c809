"""Files are read in a process of their own: what it cannot reach, and what ends it."""

import os
import platform
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from quizzes.imports import parse
from quizzes.imports.import_steps import ImportProgress, ImportStep
from quizzes.imports.sandbox import confinement, reader_server, reading_process
from quizzes.imports.sandbox.file_codec import decode_reading
from quizzes.lib.errors import Busy, Invalid
from quizzes.lib.process_priority import NICENESS, SESSION_PRIORITY
from tests.quizzes.formats.test_ochenta import GOOD
from tests.quizzes.imports.sandbox.servers import all_turns_taken, changed_server
from tools.processes import wait_until

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux shows processes")
START_SECONDS = 0.25
"""CPU that a process may use before it has its file."""
BODIES = {
    "spins": "while True: pass",
    "sleeps": "time.sleep(600)",
    "fills the memory": "held = [bytes(1 << 28) for _ in range(100)]",
    "writes a file": f"open({str(Path(__file__).parent / 'left')!r}, 'w').write('x')",
    "dies": "os._exit(3)",
    "sends nothing that is a file": "yield b'item 3\\nabc'",
    "sends without end": "while True: yield b'item 1000000\\n' + bytes(1000000)",
    "forks": "try: os.fork()\n    except OSError: pass\n    time.sleep(600)",
}


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-E", "-s", "-c", code]
    return subprocess.run(
        words, capture_output=True, text=True, cwd=reader_server.PROJECT, check=False
    )


def children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()


def run(body: str) -> str:
    """Return code that has this done where a file would be read."""
    return (
        "import os, time\n"
        "from quizzes.imports.sandbox import worker\n"
        "def read(data, refused, **_):\n"
        "    yield from ()\n"
        f"    {body}\n"
        "worker._TASKS = {**worker._TASKS, 'read': read}\n"
    )


def read(data: bytes = GOOD.encode(), **options):
    return reading_process.read(data, "a.yaml", format_="ochenta-bank/1", **options)


def test_a_file_is_read_as_it_would_be_here():
    file, frames = read()
    assert file.parsed_file == parse.parse_upload(GOOD.encode(), "a.yaml")
    assert decode_reading(frames) == file
    assert file.excerpts[0].lstrip("- ").startswith("name: danube")


def test_a_request_does_not_wait_for_ever_for_its_turn_and_a_task_does():
    with all_turns_taken() as turns:
        with pytest.raises(Busy):
            reading_process.detect_and_read(GOOD.encode(), "a.yaml")
        with pytest.raises(Busy):
            reading_process.read_people(b"name,email")
        threading.Timer(0.5, turns.release).start()
        file, _ = read()
        assert file.parsed_file.items
        # The turn was given back.
        assert reading_process.detect_and_read(GOOD.encode(), "a.yaml")[0] == "ochenta-bank/1"


def test_the_process_has_neither_django_nor_celery_in_it():
    code = (
        "import sys, quizzes.imports.sandbox.fork_server\n"
        "print({name.partition('.')[0] for name in sys.modules}"
        " & {'django', 'celery', 'kombu', 'config', 'accounts', 'rest_framework'})"
    )
    assert run_python(code).stdout == "set()\n"


@linux
def test_the_process_has_no_secret_of_the_site(monkeypatch):
    monkeypatch.setenv("OCHENTA_SECRET_KEY", "a secret")
    monkeypatch.setattr(reading_process, "_server", server := reader_server.ReaderServer())
    read()
    assert server.process is not None
    assert Path(f"/proc/{server.process.pid}/environ").read_bytes() == b""
    server.stop()


@pytest.mark.skipif(not SESSION_PRIORITY.exists(), reason="the kernel has no sessions")
def test_what_reads_gives_way_to_processes_of_other_sessions():
    server = reader_server.ReaderServer()
    connection, status = server.connect()
    with connection, status:
        assert server.process is not None
        pid = server.process.pid
        assert wait_until(lambda: len(children(pid)) == 1, seconds=30)
        (reader,) = children(pid)
        # The reader's own niceness, and that of its session: Linux weighs the sessions first.
        niceness = min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        assert os.getpriority(os.PRIO_PROCESS, int(reader)) == niceness
        session = Path(f"/proc/{reader}/autogroup")
        expected = f"nice {NICENESS}\n"
        assert wait_until(lambda: session.read_text().endswith(expected), seconds=10)
        assert wait_until(lambda: os.getpgid(int(reader)) == int(reader), seconds=10)
    server.stop()


def test_a_process_is_there_quickly():
    reading_process.inspect()
    _, milliseconds = reading_process.inspect()
    assert milliseconds < 1000 * START_SECONDS


def test_every_limit_holds_here_or_is_named():
    refused, _ = reading_process.inspect()
    assert set(refused) <= {"network", "file_access", *confinement._LIMITS}


FORBIDDEN = {
    "reading": "open('manage.py')",
    "listing": "os.listdir('.')",
    "running": "os.execv(sys.executable, [sys.executable, '-c', ''])",
    "making": "os.mkdir('left')",
    "removing": "os.unlink('manage.py')",
    "writing": "open('left', 'w')",
}


@linux
@pytest.mark.parametrize("attempt", FORBIDDEN.values(), ids=FORBIDDEN)
def test_files_are_out_of_reach_where_the_kernel_allows_that(tmp_path, attempt):
    (tmp_path / "manage.py").write_text("")
    code = (
        "import os, sys, sysconfig\n"
        "from quizzes.imports.sandbox.confinement import close_files, die_with_parent\n"
        "die_with_parent()\n"
        f"os.chdir({str(tmp_path)!r})\n"
        "closed = close_files([sysconfig.get_path('stdlib'), '/not/there'])\n"
        "import colorsys\n"
        f"try: {attempt}\n"
        "except PermissionError: print(closed, 'refused')"
    )
    refused, _ = reading_process.inspect()
    assert run_python(code).stdout == "True refused\n" or "file_access" in refused


STARTS = {
    "a process": "os.fork()",
    "a program": "os.execv('/bin/true', ['true'])",
    "a program of its own": "os.posix_spawn('/bin/true', ['true'], {})",
    "a thread": "__import__('_thread').start_new_thread(print, ())",
}


@linux
@pytest.mark.skipif(
    platform.machine() not in {"x86_64", "aarch64"}, reason="no filter of system calls for it"
)
@pytest.mark.parametrize("name", STARTS)
def test_the_process_starts_nothing_even_as_root(name):
    errors = "(OSError, RuntimeError)"
    body = f"try: {STARTS[name]}\n    except {errors}: return\n    while True: pass"
    with changed_server(run(body)):
        file, _ = read()
        assert_all_gone(reading_process._server)
    assert file.parsed_file.errors[0].code == "reader_failed"
    assert "processes" not in reading_process.inspect()[0]


@linux
def test_a_limit_that_root_does_not_have_is_named():
    body = "try: os.fork()\n    except OSError: return\n    while True: pass"
    with changed_server(run(body)):
        file, _ = read()
        assert_all_gone(reading_process._server)
    forks = file.parsed_file.errors[0].code == "file_too_slow"
    assert forks == ("processes" in reading_process.inspect()[0])


@linux
@pytest.mark.parametrize("path", [__file__, "/etc/passwd"])
def test_the_process_cannot_read_what_is_no_module(path):
    body = f"try: open({path!r})\n    except OSError: return\n    while True: pass"
    with changed_server(run(body)):
        file, _ = read()
    code = "file_too_slow" if "file_access" in reading_process.inspect()[0] else "reader_failed"
    assert [error.code for error in file.parsed_file.errors] == [code]


LIMITS = {
    "cpu": ("RLIMIT_CPU", confinement.MOST_CPU_SECONDS + 1),
    "memory": ("RLIMIT_AS", confinement.MEMORY),
    "open files": ("RLIMIT_NOFILE", confinement.OPEN_FILES),
    "written files": ("RLIMIT_FSIZE", 0),
    "core dumps": ("RLIMIT_CORE", 0),
    "processes": ("RLIMIT_NPROC", 0),
}
RAISE = (
    "import resource\n"
    "    which = resource.{which}\n"
    "    hard = resource.getrlimit(which)[1]\n"
    "    if not 0 <= hard <= {most}: time.sleep(600)\n"
    "    for more in ((hard, hard + 1), (hard + 1, hard + 1), (hard, -1), (-1, -1)):\n"
    "        try: resource.setrlimit(which, more)\n"
    "        except (ValueError, OSError): continue\n"
    "        time.sleep(600)"
)


@linux
@pytest.mark.parametrize("name", LIMITS)
def test_the_process_cannot_raise_its_limits(monkeypatch, name):
    monkeypatch.setattr(reading_process, "MAX_SECONDS", 10.0)
    which, most = LIMITS[name]
    with changed_server(run(RAISE.format(which=which, most=most))):
        file, _ = read()
    # It sends nothing then, and sleeps where it had more or could raise it.
    assert [error.code for error in file.parsed_file.errors] == ["reader_failed"]


@linux
def test_who_takes_more_seconds_of_cpu_than_a_file_may_earn_is_killed(monkeypatch):
    monkeypatch.setattr(reading_process, "MAX_SECONDS", 200.0)
    body = (
        "import resource, signal\n"
        "    signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"
        "    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]\n"
        "    resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))\n"
        "    while True: pass"
    )
    earn_less = (
        "import resource\n"
        "from quizzes.imports.sandbox import confinement\n"
        "if 'cpu' in confinement._LIMITS: confinement._LIMITS['cpu'] = resource.RLIMIT_CPU, 3\n"
    )
    with changed_server(earn_less + run(body)) as server:
        file, _ = read()
        assert_all_gone(server)
    assert [error.code for error in file.parsed_file.errors] == ["reader_failed"]


@linux
def test_root_cannot_lift_a_limit_either():
    code = (
        "import resource\n"
        "from quizzes.imports.sandbox.confinement import drop_capabilities\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (99, 99))\n"
        "dropped = drop_capabilities()\n"
        "try: resource.setrlimit(resource.RLIMIT_CPU, (100, 100))\n"
        "except ValueError: print(dropped, 'refused')"
    )
    assert run_python(code).stdout == "True refused\n"


def test_there_is_no_network_where_the_kernel_allows_that():
    code = (
        "import socket\nfrom quizzes.imports.sandbox.confinement import close_network\n"
        "closed = close_network()\n"
        "try: socket.create_connection(('127.0.0.1', 9), 1)\n"
        "except OSError as error: print(closed, error.errno)"
    )
    closed, number = run_python(code).stdout.split()
    assert (closed, int(number)) == ("True", 101) or "network" in reading_process.inspect()[0]


@pytest.mark.parametrize(
    ("does", "code"),
    [
        ("spins", "file_too_slow"),
        ("fills the memory", "reader_failed"),
        ("writes a file", "reader_failed"),
        ("dies", "reader_failed"),
        ("sends nothing that is a file", "reader_failed"),
        ("sends without end", "reader_failed"),
    ],
)
def test_what_a_process_must_not_do_ends_it_with_a_code(monkeypatch, does, code):
    monkeypatch.setattr(reading_process, "MAX_ANSWER", 5_000_000)
    with changed_server(run(BODIES[does])) as server:
        file, _ = read()
        assert_all_gone(server)
    assert [error.code for error in file.parsed_file.errors] == [code]
    left = Path(__file__).parent / "left"
    assert not left.exists() or not left.stat().st_size
    left.unlink(missing_ok=True)


def assert_all_gone(server) -> None:
    """Wait until no process of a server is left."""
    until = time.monotonic() + 20
    while children(server.process.pid):
        assert time.monotonic() < until
        time.sleep(0.02)


@linux
def test_what_spins_is_ended_after_two_seconds_of_cpu():
    before = os.times()
    with changed_server(run(BODIES["spins"])):
        read()
    after = os.times()  # the server was waited for: its time counts, and that of its children
    used = after.children_user + after.children_system
    assert used - before.children_user - before.children_system < 2 + 1


@linux
def test_what_somebody_cancels_is_killed_at_once():
    class Cancelled(Exception):
        pass

    def cancel(_progress: ImportProgress) -> None:
        raise Cancelled

    with changed_server(run(BODIES["forks"])) as server:
        with pytest.raises(Cancelled):
            read(on_progress=cancel)
        assert_all_gone(server)


def test_what_sleeps_is_given_up(monkeypatch):
    monkeypatch.setattr(reading_process, "MAX_SECONDS", 0.5)
    with changed_server(run(BODIES["sleeps"])) as server:
        file, _ = read()
        assert_all_gone(server)
    assert file.parsed_file.errors[0].code == "file_too_slow"


@linux
def test_a_server_that_was_killed_is_started_anew():
    with changed_server() as server:
        read()
        process = server.process
        assert process is not None
        process.kill()
        process.wait(10)
        assert not read()[0].parsed_file.errors


@linux
@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "import atexit, time\natexit.register(time.sleep, 3)\n", id="while_its_process_ends"
        ),
        pytest.param(
            "import socket, time\nshutdown = socket.socket.shutdown\n"
            "def wait(*arguments):\n"
            "    time.sleep(3)\n"
            "    shutdown(*arguments)\n"
            "socket.socket.shutdown = wait\n",
            id="just_before_it_refuses",
        ),
    ],
)
def test_a_request_is_answered_that_comes_as_a_server_ends_idle(code):
    idle = "from quizzes.imports.sandbox import fork_server\nfork_server.IDLE_SECONDS = 0.1\n"
    with changed_server(idle + code):
        read()
        time.sleep(1)  # the server has been idle, and is about to end
        assert not read()[0].parsed_file.errors


@linux
def test_a_server_ends_with_the_process_that_started_it():
    code = (
        "import os\nfrom quizzes.imports.sandbox import reading_process\n"
        "reading_process.inspect()\n"
        "print(reading_process._server.process.pid, flush=True)\n"
        "os._exit(0)"
    )
    pid = int(run_python(code).stdout)
    until = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_several_are_read_at_once():
    files = []
    threads = [threading.Thread(target=lambda: files.append(read()[0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [len(file.parsed_file.items) for file in files] == [1, 1, 1, 1]


def test_progress_goes_on_with_the_items_in_each_step():
    seen: list[ImportProgress] = []
    cards = "\n\n".join(f"::q{n}:: Which {n}? {{=a ~b}}" for n in range(1000))
    reading_process.read(cards.encode(), "a.gift", format_="gift", on_progress=seen.append)
    assert list(dict.fromkeys((each.step, each.total) for each in seen)) == [
        (ImportStep.READING, 0),
        (ImportStep.CHECKING, 1000),
        (ImportStep.COMPARING, 1000),
        (ImportStep.LANGUAGES, 1000),
    ]
    for step in dict.fromkeys(each.step for each in seen):
        counts = [each.done for each in seen if each.step == step]
        assert counts == sorted(counts)
        assert {0, 250, 500, 750, 1000} <= set(counts)


def test_the_format_is_found_in_the_process_and_a_file_of_none_is_invalid():
    format_, frames = reading_process.detect_and_read(GOOD.encode(), "a.yaml")
    assert format_ == "ochenta-bank/1"
    assert decode_reading(frames) == read()[0]
    for data, name in ((b"words", ""), (b"", ""), (b"words", "unheard-of")):
        with pytest.raises(Invalid) as error:
            reading_process.detect_and_read(data, "a", format_=name)
        assert error.value.code == "format_unknown"
