"""Which address a person has confirmed, taken over from the table of the sign-in package."""

from django.db import migrations, models
from django.db.models import Exists, F, OuterRef


def take_over(apps, schema_editor):
    user_model = apps.get_model("accounts", "User")
    address_model = apps.get_model("account", "EmailAddress")
    rows = address_model.objects.filter(user=OuterRef("pk"), email=OuterRef("email"))
    # Signing up writes a main address. Where there is none, an operator or an administrator made
    # the account, and vouched for it.
    signed_up = rows.filter(primary=True, verified=False)
    user_model.objects.filter(~Exists(signed_up)).update(confirmed_email=F("email"))
    # One account, one address: a second one could be used to sign in, confirmed or not.
    main = user_model.objects.filter(pk=OuterRef("user"), email=OuterRef("email"))
    address_model.objects.filter(~Exists(main)).delete()
    address_model.objects.filter(user__confirmed_email=F("email")).update(verified=True)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_failed_logins"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]
    operations = [
        migrations.AddField(
            model_name="user",
            name="confirmed_email",
            field=models.EmailField(
                blank=True, db_default="", default="", editable=False, max_length=254
            ),
        ),
        migrations.RunPython(take_over, migrations.RunPython.noop),
    ]
