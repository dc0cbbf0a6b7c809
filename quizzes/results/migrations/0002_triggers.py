"""The triggers of all tables, on PostgreSQL; on SQLite each `migrate` ends with them (ADR 3)."""

from django.db import migrations

from quizzes.lib.triggers import install_triggers


def install(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        install_triggers(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [
        ("attempts", "0001_initial"),
        ("audit", "0001_initial"),
        ("bank", "0001_initial"),
        ("events", "0001_initial"),
        ("publishing", "0001_initial"),
        ("results", "0001_initial"),
    ]
    operations = [migrations.RunPython(install, migrations.RunPython.noop)]
