"""The throwaway PostgreSQL: where it is looked for, that it works, that nothing of it stays."""

from pathlib import Path

import psycopg2
import pytest

from tools import postgres
from tools.paths import VENV
from tools.processes import running, wait_until

WHEEL = f"lib/python*/site-packages/{postgres.WHEEL}/pginstall/bin"


def binaries(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name in ("initdb", "postgres"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """Give a machine with no PostgreSQL at all: (system's folder, environment's folder)."""
    monkeypatch.delenv("PG_BIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    return tmp_path / "system", tmp_path / "venv"


def test_nothing_is_found_where_nothing_is(bare):
    assert postgres.find(*bare) is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres, "find", lambda: None)
        with pytest.raises(postgres.NoPostgresError, match="no initdb"), postgres.throwaway():
            pytest.fail("there is nothing to start")


def test_the_newest_of_the_system_comes_first_by_number(bare):
    system, venv = bare
    binaries(system / "9" / "bin")
    newest = binaries(system / "15" / "bin")
    assert postgres.find(system, venv) == newest


def test_pg_bin_alone_counts_when_it_is_set(bare, monkeypatch, tmp_path):
    system, venv = bare
    binaries(system / "15" / "bin")
    monkeypatch.setenv("PG_BIN", str(tmp_path / "chosen"))
    assert postgres.find(system, venv) is None
    chosen = binaries(tmp_path / "chosen")
    assert postgres.find(system, venv) == chosen


def test_path_comes_before_the_wheel(bare, monkeypatch, tmp_path):
    system, venv = bare
    packed = binaries(venv / WHEEL.replace("*", "3.11"))
    assert postgres.find(system, venv) == packed
    on_path = binaries(tmp_path / "somewhere")
    monkeypatch.setenv("PATH", str(on_path))
    assert postgres.find(system, venv) == on_path


def test_a_folder_without_the_server_is_passed_over(bare):
    system, venv = bare
    (binaries(system / "16" / "bin") / "postgres").unlink()
    folder = binaries(system / "15" / "bin")
    assert postgres.find(system, venv) == folder


PLACES = {str(place): place for place in (postgres.find(), *VENV.glob(WHEEL)) if place}


@pytest.fixture(scope="module", params=PLACES.values(), ids=list(PLACES))
def server(request):
    """Start the binaries that would be chosen, and those of the wheel."""
    with postgres.throwaway(request.param) as url:
        yield url


@pytest.mark.enable_socket
def test_it_speaks_utf8_and_has_its_database(server):
    connection = psycopg2.connect(
        dbname=postgres.NAME, user=postgres.NAME, host=str(server.socket), port=postgres.PORT
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT lower('ÉÑ'), current_setting('listen_addresses'), version()")
        row = cursor.fetchone()
    connection.close()
    assert row is not None
    assert row[:2] == ("éñ", "")
    assert f"PostgreSQL {server.version} " in row[2]


def test_its_address_names_the_socket_folder(server):
    assert server.url == f"postgresql://ochenta@/ochenta?host={server.socket}&port=5432"


def test_nothing_stays_behind():
    with postgres.throwaway() as server:
        assert server.socket.is_dir()
    assert not server.socket.exists()
    assert not Path(f"/proc/{server.pid}").exists()


def test_a_server_that_cannot_start_says_why(monkeypatch):
    monkeypatch.setattr(postgres, "PORT", "no number")
    with pytest.raises(postgres.NoPostgresError, match="did not start"), postgres.throwaway():
        pytest.fail("there is no such port")


def test_hidden_binaries_are_copied_to_where_nobody_can_run_them(monkeypatch, tmp_path):
    hidden = binaries(tmp_path / postgres.WHEEL / "pginstall" / "bin")
    (tmp_path / f"{postgres.WHEEL}.libs").mkdir()
    (tmp_path / f"{postgres.WHEEL}.libs" / "libpq.so").touch()

    def refuse(*_arguments):
        raise PermissionError

    monkeypatch.setattr(postgres, "_call", refuse)
    monkeypatch.setattr(postgres, "unprivileged", lambda: {"user": 65534})
    reach = tmp_path / "reach"
    reach.mkdir()
    copied = postgres._within_reach(hidden, reach)
    assert (copied / "postgres").exists()
    assert copied.is_relative_to(reach)
    assert (reach / f"{postgres.WHEEL}.libs" / "libpq.so").exists()


def test_whoever_is_not_root_is_told_that_binaries_do_not_run(monkeypatch, tmp_path):
    monkeypatch.setattr(postgres, "unprivileged", dict)
    (binaries(tmp_path / "bin") / "postgres").write_text("#!/bin/sh\necho broken >&2; exit 3\n")
    with pytest.raises(postgres.NoPostgresError, match="broken"):
        postgres._within_reach(tmp_path / "bin", tmp_path)


def test_the_log_is_where_it_is_waited_for(tmp_path):
    log = tmp_path / "log"
    with running(["/bin/echo", "ready"], log=log) as child:
        assert wait_until(lambda: b"ready" in log.read_bytes(), seconds=20)
        child.wait()
