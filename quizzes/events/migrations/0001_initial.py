import django.db.models.deletion
import django.utils.timezone
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('kind', models.CharField(max_length=50)),
                ('subject', models.UUIDField(help_text='what it is about: an attempt, a quiz')),
                ('data', models.JSONField(default=dict)),
                ('occurred_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(fields=['subject', 'id'], name='event_by_subject')],
            },
        ),
        migrations.CreateModel(
            name='UnreadEvent',
            fields=[
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='unread', serialize=False, to='events.event')),
                ('tries', models.PositiveIntegerField(default=0)),
                ('next_try_at', models.DateTimeField(db_index=True)),
                ('error', models.TextField(blank=True, help_text='why it could not be read the last time')),
            ],
        ),
    ]
