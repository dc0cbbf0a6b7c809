import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('attempts', '0001_initial'),
        ('bank', '0001_initial'),
        ('publishing', '0001_initial'),
        ('results', '0002_triggers'),
    ]

    operations = [
        migrations.CreateModel(
            name='CountedAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(blank=True, max_length=5)),
                ('digests', models.BinaryField()),
                ('attempt', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='attempts.attempt')),
                ('grading', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='results.grading')),
                ('quiz_version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='publishing.quizversion')),
            ],
            options={
                'ordering': ['attempt'],
            },
        ),
        migrations.CreateModel(
            name='CountingCursor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(default=1, unique=True)),
                ('last_change', models.BigIntegerField(default=0)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('number', 1)), name='counting_cursor_once')],
            },
        ),
        migrations.CreateModel(
            name='QuizVersionStatistics',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('changes', models.PositiveBigIntegerField(default=0)),
                ('measured_changes', models.PositiveBigIntegerField(default=0)),
                ('measured_at', models.DateTimeField(null=True, verbose_name='measured')),
                ('seconds', models.FloatField(default=0)),
                ('report', models.JSONField(null=True)),
                ('quiz_version', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='statistics', to='publishing.quizversion')),
            ],
            options={
                'verbose_name': 'statistics of a quiz',
                'verbose_name_plural': 'statistics of quizzes',
                'ordering': ['quiz_version'],
            },
        ),
        migrations.CreateModel(
            name='CountedRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(blank=True, max_length=5)),
                ('attempt_number', models.PositiveIntegerField()),
                ('table', models.CharField(choices=[('results', 'results'), ('seconds', 'seconds')], max_length=10)),
                ('row', models.JSONField()),
                ('digest', models.BinaryField(help_text='of all columns above', max_length=16)),
                ('count', models.PositiveBigIntegerField()),
                ('quiz_version', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='publishing.quizversion')),
                ('version', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='bank.questionversion')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('quiz_version', 'digest'), name='counted_row_once'), models.CheckConstraint(condition=models.Q(('count__gt', 0)), name='counted_row_occurs')],
            },
        ),
    ]
