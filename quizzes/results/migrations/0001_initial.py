import django.db.models.deletion
import django.utils.timezone
import quizzes.lib.base_models
import quizzes.lib.fraction_check
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('attempts', '0001_initial'),
        ('bank', '0001_initial'),
        ('publishing', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Grading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField()),
                ('reason', models.CharField(choices=[('submitted', 'submitted'), ('expired', 'time was over'), ('regrade', 'regraded'), ('override', 'changed by hand'), ('marked', 'marked by a person')], max_length=10)),
                ('total_numerator', quizzes.lib.base_models.BigIntegerTextField()),
                ('total_denominator', quizzes.lib.base_models.BigIntegerTextField()),
                ('maximum_numerator', models.BigIntegerField()),
                ('maximum_denominator', models.BigIntegerField()),
                ('passed', models.BooleanField()),
                ('provisional', models.BooleanField(default=False, help_text='something waits for a person')),
                ('engine', models.CharField(max_length=20)),
                ('manual_grades_read', models.PositiveIntegerField(db_default=0, default=0, help_text="how many of the attempt's marks by persons it read")),
                ('graded_at', models.DateTimeField()),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gradings', to='attempts.attempt')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('learner', models.ForeignKey(db_constraint=False, db_index=False, editable=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'grading',
                'verbose_name_plural': 'gradings',
                'ordering': ['attempt', 'number'],
            },
        ),
        migrations.CreateModel(
            name='GradingFailure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tries', models.PositiveIntegerField(default=0)),
                ('code', models.CharField(max_length=30)),
                ('detail', models.CharField(help_text="for administrators: the error's own words", max_length=300)),
                ('failed_at', models.DateTimeField()),
                ('next_try_at', models.DateTimeField(db_index=True)),
                ('attempt', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='grading_failure', to='attempts.attempt')),
                ('learner', models.ForeignKey(db_constraint=False, db_index=False, editable=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'grading failure',
                'verbose_name_plural': 'grading failures',
                'ordering': ['next_try_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ItemResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('slot', models.PositiveIntegerField()),
                ('answer', models.JSONField(null=True)),
                ('credit_numerator', quizzes.lib.base_models.BigIntegerTextField(null=True)),
                ('credit_denominator', quizzes.lib.base_models.BigIntegerTextField(null=True)),
                ('points_numerator', models.BigIntegerField(help_text='points there were to earn')),
                ('points_denominator', models.BigIntegerField()),
                ('score', models.JSONField(help_text="grading's ItemScore as JSON: credit, ledger, reasons")),
                ('grading', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='item_results', to='results.grading')),
                ('learner', models.ForeignKey(db_constraint=False, db_index=False, editable=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='bank.questionversion')),
            ],
            options={
                'ordering': ['grading', 'slot'],
            },
        ),
        migrations.CreateModel(
            name='ManualGrade',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField()),
                ('slot', models.PositiveIntegerField()),
                ('purpose', models.CharField(choices=[('first', 'first mark'), ('second', 'second mark'), ('final', 'settles it')], max_length=10)),
                ('levels', models.JSONField(null=True)),
                ('share_numerator', models.BigIntegerField(null=True)),
                ('share_denominator', models.BigIntegerField(null=True)),
                ('comment', models.TextField(blank=True)),
                ('graded_at', models.DateTimeField()),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='manual_grades', to='attempts.attempt')),
                ('grader', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('learner', models.ForeignKey(db_constraint=False, db_index=False, editable=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='bank.questionversion')),
            ],
            options={
                'verbose_name': 'answer to mark',
                'verbose_name_plural': 'essays to mark',
                'ordering': ['attempt', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('updated_at', models.DateTimeField()),
                ('attempt', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='result', to='attempts.attempt')),
                ('grading', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='results.grading')),
                ('learner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to=settings.AUTH_USER_MODEL)),
                ('quiz', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='publishing.quiz')),
            ],
            options={
                'verbose_name': 'result',
                'verbose_name_plural': 'results',
                'ordering': ['-updated_at', '-pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='grading',
            constraint=models.UniqueConstraint(fields=('attempt', 'number'), name='grading_number_once'),
        ),
        migrations.AddConstraint(
            model_name='grading',
            constraint=models.CheckConstraint(condition=models.Q(quizzes.lib.fraction_check.IsFraction('total_numerator', 'total_denominator', 'maximum_numerator', 'maximum_denominator'), quizzes.lib.fraction_check.IsFraction('maximum_numerator', 'maximum_denominator')), name='grading_is_a_fraction'),
        ),
        migrations.AddConstraint(
            model_name='grading',
            constraint=models.CheckConstraint(condition=models.Q(('passed', False), ('provisional', False), _connector='OR'), name='grading_passed_is_final'),
        ),
        migrations.AddIndex(
            model_name='itemresult',
            index=models.Index(condition=models.Q(('credit_numerator__isnull', True)), fields=['grading'], name='item_result_ungraded'),
        ),
        migrations.AddConstraint(
            model_name='itemresult',
            constraint=models.UniqueConstraint(fields=('grading', 'slot'), name='item_result_slot_once'),
        ),
        migrations.AddConstraint(
            model_name='itemresult',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('credit_denominator__isnull', True), ('credit_numerator__isnull', True)), models.Q(quizzes.lib.fraction_check.IsFraction('credit_numerator', 'credit_denominator'), ('credit_denominator__isnull', False), ('credit_numerator__isnull', False)), _connector='OR'), name='item_result_credit_is_a_fraction'),
        ),
        migrations.AddConstraint(
            model_name='itemresult',
            constraint=models.CheckConstraint(condition=models.Q(quizzes.lib.fraction_check.IsFraction('points_numerator', 'points_denominator')), name='item_result_points_are_a_fraction'),
        ),
        migrations.AddConstraint(
            model_name='manualgrade',
            constraint=models.UniqueConstraint(fields=('attempt', 'number'), name='manual_grade_number_once'),
        ),
        migrations.AddConstraint(
            model_name='manualgrade',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('levels__isnull', False), ('share_denominator__isnull', True), ('share_numerator__isnull', True)), models.Q(('levels__isnull', True), ('share_denominator__gt', 0), ('share_denominator__gte', models.F('share_numerator')), ('share_numerator__gte', 0)), _connector='OR'), name='manual_grade_by_levels_or_share'),
        ),
        migrations.AddConstraint(
            model_name='manualgrade',
            constraint=models.CheckConstraint(condition=models.Q(('grader', models.F('learner')), _negated=True), name='manual_grade_by_another_person'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(fields=['learner', '-updated_at', '-id'], name='result_by_learner'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(fields=['quiz', '-updated_at', '-id'], name='result_by_quiz'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(fields=['-updated_at', '-id'], name='result_by_time'),
        ),
    ]
