"""The table of the database cache, which holds the sign-in limits."""

from django.core.management import call_command
from django.db import migrations


def make(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_people")]
    operations = [migrations.RunPython(make, migrations.RunPython.noop)]
