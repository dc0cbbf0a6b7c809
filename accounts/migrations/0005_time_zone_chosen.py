"""Whether a person has chosen their time zone, or only has the one that accounts began with."""

from django.db import migrations, models

import accounts.zones


def take_over(apps, schema_editor):
    apps.get_model("accounts", "User").objects.exclude(time_zone="UTC").update(
        time_zone_chosen=True
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_confirmed_email")]
    operations = [
        migrations.AddField(
            model_name="user",
            name="time_zone_chosen",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AlterField(
            model_name="user",
            name="time_zone",
            field=models.CharField(
                default="UTC",
                max_length=64,
                validators=[accounts.zones.validate_zone],
                verbose_name="time zone",
            ),
        ),
        migrations.RunPython(take_over, migrations.RunPython.noop),
    ]
