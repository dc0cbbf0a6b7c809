import django.core.validators
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
        ('accounts', '0001_initial'),
        ('publishing', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('change_number', models.BigIntegerField(db_default=0, default=0, editable=False)),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('state', models.CharField(choices=[('open', 'open'), ('submitted', 'submitted'), ('graded', 'graded'), ('void', 'void')], default='open', max_length=10, verbose_name='state')),
                ('manifest', models.JSONField()),
                ('started_at', models.DateTimeField(verbose_name='started')),
                ('deadline_at', models.DateTimeField(null=True)),
                ('cutoff_at', models.DateTimeField(null=True)),
                ('submitted_at', models.DateTimeField(null=True, verbose_name='submitted')),
                ('submission_reason', models.CharField(blank=True, choices=[('submitted', 'submitted by the learner'), ('expired', 'submitted when time was over')], max_length=10)),
                ('void_reason', models.CharField(blank=True, max_length=300)),
                ('learner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to=settings.AUTH_USER_MODEL, verbose_name='learner')),
                ('quiz', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='publishing.quiz', verbose_name='quiz')),
                ('quiz_version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='publishing.quizversion')),
            ],
            options={
                'verbose_name': 'attempt',
                'verbose_name_plural': 'attempts',
                'ordering': ['-started_at'],
            },
        ),
        migrations.CreateModel(
            name='DeadlineExtension',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('deadline_before', models.DateTimeField()),
                ('deadline_at', models.DateTimeField()),
                ('cutoff_at', models.DateTimeField()),
                ('extended_at', models.DateTimeField()),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='extensions', to='attempts.attempt')),
                ('learner', models.ForeignKey(db_constraint=False, db_index=False, editable=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'deadline extension',
                'verbose_name_plural': 'deadline extensions',
                'ordering': ['attempt', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='QuizGrade',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('attempts_graded', models.PositiveIntegerField(default=0)),
                ('total_numerator', quizzes.lib.base_models.BigIntegerTextField(null=True)),
                ('total_denominator', quizzes.lib.base_models.BigIntegerTextField(null=True)),
                ('maximum_numerator', models.BigIntegerField(null=True)),
                ('maximum_denominator', models.BigIntegerField(null=True)),
                ('passed', models.BooleanField(null=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('attempt', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='attempts.attempt')),
                ('learner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='quiz_grades', to=settings.AUTH_USER_MODEL)),
                ('quiz', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='quiz_grades', to='publishing.quiz')),
            ],
            options={
                'verbose_name': 'quiz grade',
                'verbose_name_plural': 'quiz grades',
            },
        ),
        migrations.AddField(
            model_name='attempt',
            name='quiz_grade',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='attempts.quizgrade'),
        ),
        migrations.CreateModel(
            name='Response',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('slot', models.PositiveIntegerField()),
                ('revision', models.PositiveIntegerField()),
                ('status', models.CharField(choices=[('accepted', 'counts'), ('late', 'came after the deadline'), ('conflict', 'another tab had saved first')], default='accepted', max_length=10)),
                ('answer', models.JSONField(null=True)),
                ('flagged', models.BooleanField(default=False)),
                ('idempotency_key', models.UUIDField()),
                ('client', models.UUIDField(help_text='the tab or program that sent it', null=True)),
                ('language', models.CharField(blank=True, max_length=5)),
                ('received_at', models.DateTimeField()),
                ('salt', models.BinaryField(max_length=16, null=True)),
                ('digest', models.BinaryField(max_length=32, null=True)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='responses', to='attempts.attempt')),
                ('learner', models.ForeignKey(db_constraint=False, db_index=False, editable=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'response',
                'verbose_name_plural': 'responses',
                'ordering': ['attempt', 'slot', 'revision'],
            },
        ),
        migrations.CreateModel(
            name='Accommodation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('time_percent', models.PositiveIntegerField(default=100, help_text='150 means half as much again.', validators=[django.core.validators.MinValueValidator(100), django.core.validators.MaxValueValidator(1000)], verbose_name='time in per cent')),
                ('extra_attempts', models.PositiveIntegerField(default=0, verbose_name='extra attempts')),
                ('reason', models.CharField(blank=True, max_length=300, verbose_name='reason')),
                ('learner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='learner')),
                ('quiz', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='accommodations', to='publishing.quiz', verbose_name='quiz')),
            ],
            options={
                'verbose_name': 'accommodation',
                'verbose_name_plural': 'accommodations',
                'constraints': [models.UniqueConstraint(fields=('quiz', 'learner'), name='accommodation_once')],
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('opens_at', models.DateTimeField(blank=True, null=True, verbose_name='opens')),
                ('closes_at', models.DateTimeField(blank=True, null=True, verbose_name='closes')),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='accounts.group', verbose_name='group')),
                ('quiz', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='publishing.quiz', verbose_name='quiz')),
            ],
            options={
                'verbose_name': 'assignment',
                'verbose_name_plural': 'assignments',
                'constraints': [models.UniqueConstraint(fields=('quiz', 'group'), name='assignment_once'), models.CheckConstraint(condition=models.Q(('opens_at__isnull', True), ('closes_at__isnull', True), ('opens_at__lt', models.F('closes_at')), _connector='OR'), name='assignment_opens_before_closing', violation_error_message='The assignment must open before it closes.')],
            },
        ),
        migrations.AddConstraint(
            model_name='quizgrade',
            constraint=models.UniqueConstraint(fields=('quiz', 'learner'), name='quiz_grade_once'),
        ),
        migrations.AddConstraint(
            model_name='quizgrade',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attempt__isnull', True), ('maximum_denominator__isnull', True), ('maximum_numerator__isnull', True), ('passed__isnull', True), ('total_denominator__isnull', True), ('total_numerator__isnull', True)), models.Q(quizzes.lib.fraction_check.IsFraction('total_numerator', 'total_denominator', 'maximum_numerator', 'maximum_denominator'), quizzes.lib.fraction_check.IsFraction('maximum_numerator', 'maximum_denominator'), ('maximum_numerator__isnull', False), ('passed__isnull', False), ('total_numerator__isnull', False)), _connector='OR'), name='quiz_grade_is_a_fraction'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(fields=['learner', '-started_at'], name='attempt_by_learner'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(fields=['change_number'], name='attempt_by_change'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['cutoff_at'], name='attempt_open_cutoff'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('state', 'submitted')), fields=['submitted_at'], name='attempt_ungraded'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('quiz_grade',), name='attempt_one_open'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(fields=('quiz_grade', 'number'), name='attempt_number_once'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'void'), models.Q(('state', 'open'), ('submission_reason', ''), ('submitted_at__isnull', True)), models.Q(('state__in', ['submitted', 'graded']), ('submitted_at__isnull', False), models.Q(('submission_reason', ''), _negated=True)), _connector='OR'), name='attempt_state_and_time_agree'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cutoff_at__isnull', True), ('deadline_at__isnull', True)), models.Q(('cutoff_at__gte', models.F('deadline_at')), ('deadline_at__isnull', False)), _connector='OR'), name='attempt_cutoff_after_deadline'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'void'), models.Q(('void_reason', ''), _negated=True)), models.Q(models.Q(('state', 'void'), _negated=True), ('void_reason', '')), _connector='OR'), name='attempt_void_has_reason'),
        ),
        migrations.AddConstraint(
            model_name='response',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'accepted')), fields=('attempt', 'slot', 'revision'), name='response_revision_once'),
        ),
        migrations.AddConstraint(
            model_name='response',
            constraint=models.UniqueConstraint(fields=('attempt', 'idempotency_key'), name='response_idempotency_key_once'),
        ),
    ]
