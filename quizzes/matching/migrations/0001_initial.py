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
            name='PairDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('language', models.CharField(max_length=5, verbose_name='language')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('fingerprint', models.CharField(blank=True, max_length=64)),
                ('same', models.BooleanField(verbose_name='the same question')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='person')),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pair_decisions', to='bank.question', verbose_name='question')),
            ],
            options={
                'verbose_name': 'language match',
                'verbose_name_plural': 'language matches',
                'ordering': ['-updated_at', '-pk'],
                'indexes': [models.Index(fields=['fingerprint'], name='pair_decision_by_fingerprint')],
                'constraints': [models.UniqueConstraint(fields=('question', 'language', 'name', 'fingerprint'), name='pair_decision_once')],
            },
        ),
    ]
