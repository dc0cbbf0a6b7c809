"""A next release of the site: its code with a migration more, on the largest table."""

import shutil
from pathlib import Path

from tools.paths import ROOT

CODE = ("accounts", "config", "fixtures", "grading", "locale", "quizzes", "static", "templates")
FILES = ("manage.py", "pyproject.toml")
APP = Path("quizzes/attempts/migrations")
NAME = "9999_next_release.py"
COLUMN = "next_release"
MIGRATION = '''\
"""A column and an index more on the journal, while others write."""

from django.db import migrations, models

from quizzes.lib.online_index import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("attempts", "{newest}")]
    operations = [
        migrations.AddField("response", "{column}", models.CharField(max_length=20, null=True)),
        AddIndexOnline("response", models.Index(fields=["{column}", "id"], name="{column}")),
    ]
'''


def write_release(folder: Path) -> Path:
    """Copy the code into a folder, with the migration; return the folder."""
    for name in CODE:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    newest = max(path.stem for path in (ROOT / APP).glob("0*.py"))
    text = MIGRATION.format(newest=newest, column=COLUMN)
    (folder / APP / NAME).write_text(text, encoding="utf-8")
    return folder
