"""From one address to Django's database settings."""

import pytest

from config import postgresql
from config.database import database, replica
from config.env import SettingError


def test_a_path_means_sqlite_that_takes_its_lock_at_begin_and_keeps_every_commit():
    settings = database("sqlite:////var/lib/ochenta/my%20data.db")
    assert settings["NAME"] == "/var/lib/ochenta/my data.db"
    assert settings["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in settings["OPTIONS"]["init_command"]


def test_postgresql_is_read_with_its_parts_unquoted():
    settings = database("postgresql://och%40:p%2Fw@db:5433/ochenta")
    assert [settings[k] for k in ("USER", "PASSWORD", "HOST", "PORT", "NAME")] == [
        "och@",
        "p/w",
        "db",
        "5433",
        "ochenta",
    ]
    assert "read\\ committed" in settings["OPTIONS"]["options"]


def test_a_socket_folder_and_other_options_may_be_named():
    settings = database("postgresql://me@/ochenta?host=/run/pg&port=5439&sslmode=require")
    assert (settings["HOST"], settings["PORT"]) == ("/run/pg", "5439")
    assert settings["OPTIONS"]["sslmode"] == "require"


def test_every_wait_for_postgresql_has_an_end():
    options = database("postgresql://ochenta@db/ochenta", 15)["OPTIONS"]
    assert options["connection_factory"] is postgresql.connect
    assert "statement_timeout=15000" in options["options"]
    assert "lock_timeout=5000" in options["options"]
    assert {"connect_timeout", "keepalives_idle", "tcp_user_timeout"} <= set(options)


def test_commands_and_tasks_may_take_their_time():
    options = database("postgresql://ochenta@db/ochenta")["OPTIONS"]
    assert "statement_timeout=0" in options["options"]


def test_the_address_may_name_other_time_outs():
    assert database("postgresql://o@db/o?connect_timeout=9")["OPTIONS"]["connect_timeout"] == "9"


def test_behind_a_pooler_of_transactions_nothing_is_asked_of_a_connection():
    settings = database("postgresql://o@pool:6432/o?pool_mode=transaction", 15)
    # A pooler refuses the first, and gives the next transaction another connection.
    assert "options" not in settings["OPTIONS"]
    assert settings["DISABLE_SERVER_SIDE_CURSORS"]
    assert "pool_mode" not in settings["OPTIONS"]
    assert "connect_timeout" in settings["OPTIONS"]
    assert not database("postgresql://o@db/o")["DISABLE_SERVER_SIDE_CURSORS"]


def test_a_pool_of_another_kind_is_refused():
    with pytest.raises(SettingError, match="pool_mode"):
        database("postgresql://o:secret@pool/o?pool_mode=statement")


@pytest.mark.parametrize("url", ["", "ochenta", "mysql://u:secret@h/n", "postgresql://u:secret@h"])
def test_anything_else_stops_the_start_without_telling_a_password(url):
    with pytest.raises(SettingError) as caught:
        database(url)
    assert "OCHENTA_DATABASE_URL" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_replica_has_a_breaker_of_its_own_and_the_rows_of_the_first_one_in_tests():
    settings = replica("postgresql://o@replica/o", 15)
    assert settings["OPTIONS"]["connection_factory"] is postgresql.connect_replica
    assert "statement_timeout=15000" in settings["OPTIONS"]["options"]
    assert settings["TEST"] == {"MIRROR": "default"}


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////var/lib/ochenta/copy.db",
        "postgresql://o@replica",
        "postgresql://o@replica/o?pool_mode=statement",
    ],
)
def test_a_wrong_address_of_a_replica_names_its_own_variable(url):
    with pytest.raises(SettingError, match="OCHENTA_DATABASE_REPLICA_URL"):
        replica(url)
