import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('bank', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ImportJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('change_number', models.BigIntegerField(db_default=0, default=0, editable=False)),
                ('filename', models.CharField(help_text='a label, no more', max_length=200, verbose_name='file')),
                ('format', models.CharField(blank=True, max_length=40, verbose_name='format')),
                ('format_evidence', models.JSONField(default=list, help_text='while it is ambiguous: what each likely format makes of the file')),
                ('language', models.CharField(blank=True, max_length=5, verbose_name='language')),
                ('state', models.CharField(choices=[('ambiguous', 'waiting for its format'), ('reading', 'being read'), ('ready', 'waiting for your choice'), ('queued', 'about to begin'), ('running', 'running'), ('done', 'done'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='reading', max_length=10, verbose_name='state')),
                ('selected_items', models.JSONField(help_text='numbers of items; null: the default selection', null=True)),
                ('as_new', models.JSONField(help_text='numbers of items that are imported as new questions', null=True)),
                ('tries', models.PositiveSmallIntegerField(db_default=0, default=0, help_text='how often reading or importing it was begun')),
                ('match_answers', models.JSONField(help_text='answers to proposed language matches; null: none', null=True)),
                ('total', models.PositiveIntegerField(default=0, verbose_name='items')),
                ('report', models.JSONField(default=dict)),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished')),
                ('bank', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='bank.bank', verbose_name='bank')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='person')),
            ],
            options={
                'verbose_name': 'import',
                'verbose_name_plural': 'imports',
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['state', 'updated_at'], name='import_by_state'), models.Index(fields=['change_number'], name='import_by_change')],
            },
        ),
    ]
