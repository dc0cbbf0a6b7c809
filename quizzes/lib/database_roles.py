"""Two roles on PostgreSQL: an owner that migrates, and the application's, which owns nothing.

The application's role gets what the site needs of each table, and no more, so that no statement
of the site can drop a trigger, change an append-only row or empty a table (ADR 27). Whoever
migrates with one role for both changes nothing of this.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model
from psycopg2 import extensions, sql

DEFAULT = "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT"
ALL = ("SELECT", "INSERT", "UPDATE", "DELETE")


class RoleError(Exception):
    """The application's role cannot be made, or would be the owner; the text says why."""


@dataclass(frozen=True, slots=True)
class Role:
    """The application's role: its name, and the password by which it signs in, if by one."""

    name: str
    password: str = ""


def list_privileges() -> dict[str, tuple[str, ...]]:
    """Return what the application may do with each table of the models."""
    privileges = {
        model._meta.db_table: tuple(_privileges(model))
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    }
    return privileges | {MigrationRecorder.Migration._meta.db_table: ("SELECT",)}


def _privileges(model: type[Model]) -> Iterator[str]:
    denied = getattr(model, "denied_operations", ())
    yield from (privilege for privilege in ALL if privilege not in denied)
    erasable = getattr(model, "erasable_fields", {})
    if erasable:
        names = {name for erasure, emptied in erasable.items() for name in (erasure, *emptied)}
        fields: list[Any] = [model._meta.get_field(name) for name in names]
        yield f"UPDATE ({', '.join(sorted(field.column for field in fields))})"


def prepare_role(connection: BaseDatabaseWrapper, role: Role) -> None:
    """Make the application's role if there is none, and let it use what comes into being.

    Raises RoleError if the connection's own role is this one, or may not make it.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, current_schema(), current_database()")
        owner, schema, database = cursor.fetchone()
        if owner == role.name:
            raise RoleError(f"The owner of the tables and the application are one role: {owner}.")
        _make_role(connection, role, owner)
        for statement in (
            "GRANT CONNECT ON DATABASE {database} TO {role}",
            "REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC",
            "REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {role}",
            "GRANT USAGE ON SCHEMA {schema} TO {role}",
            f"{DEFAULT} {', '.join(ALL)} ON TABLES TO {{role}}",
            f"{DEFAULT} USAGE, SELECT ON SEQUENCES TO {{role}}",
        ):
            names = {"role": role.name, "schema": schema, "database": database}
            identifiers = {key: sql.Identifier(name) for key, name in names.items()}
            cursor.execute(sql.SQL(statement).format(**identifiers))


def _make_role(connection: BaseDatabaseWrapper, role: Role, owner: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = %s", [role.name])
        existing = cursor.fetchone()
        if existing == (True,):
            raise RoleError(f"The role {role.name} is a superuser: no trigger binds it.")
        cursor.execute(
            "SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user"
        )
        if cursor.fetchone() != (True,):
            if existing:
                return
            raise RoleError(
                f"There is no role {role.name}, and {owner} may not make one:"
                f" CREATE ROLE {role.name} LOGIN PASSWORD '…' as an administrator of PostgreSQL."
            )
        verb = "ALTER" if existing else "CREATE"
        words = sql.SQL(verb + " ROLE {} LOGIN").format(sql.Identifier(role.name))
        if role.password:
            # Encrypted here, so that no log of the server has it.
            encrypted = extensions.encrypt_password(
                role.password, role.name, connection.connection, "scram-sha-256"
            )
            words += sql.SQL(" PASSWORD {}").format(sql.Literal(encrypted))
        cursor.execute(words)


def grant_privileges(connection: BaseDatabaseWrapper, role: Role) -> None:
    """Give the application's role exactly what it needs of every table that exists."""
    present = set(connection.introspection.table_names())
    name = sql.Identifier(role.name)
    with connection.cursor() as cursor:
        grant = "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {} TO {}"
        cursor.execute(sql.SQL(grant).format(_schema(connection), name))
        for table, privileges in list_privileges().items():
            if table in present:
                on = sql.SQL(" ON {} ").format(sql.Identifier(table))
                listed = sql.SQL(", ".join(privileges))
                # Together: the site, which runs meanwhile, is never without.
                with transaction.atomic(using=connection.alias):
                    cursor.execute(sql.SQL("REVOKE ALL") + on + sql.SQL("FROM {}").format(name))
                    cursor.execute(sql.SQL("GRANT ") + listed + on + sql.SQL("TO {}").format(name))


def _schema(connection: BaseDatabaseWrapper) -> sql.Identifier:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        return sql.Identifier(cursor.fetchone()[0])


def find_excess(connection: BaseDatabaseWrapper) -> list[str]:
    """Return what this connection's role may do that the site never needs, by names of tables.

    Empty on SQLite, which has no roles.
    """
    if connection.vendor != "postgresql":
        return []
    unchanged, undeleted = (
        [table for table, granted in list_privileges().items() if privilege not in granted]
        for privilege in ("UPDATE", "DELETE")
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_class c"
            " WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')"
            " AND (pg_has_role(c.relowner, 'USAGE') OR has_table_privilege(c.oid, 'TRUNCATE')"
            " OR c.relname = ANY(%s) AND has_table_privilege(c.oid, 'UPDATE')"
            " OR c.relname = ANY(%s) AND has_table_privilege(c.oid, 'DELETE'))"
            " ORDER BY c.relname",
            [unchanged, undeleted],
        )
        return [table for (table,) in cursor.fetchall()]
