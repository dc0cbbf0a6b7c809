import datetime
import django.core.validators
import django.db.models.deletion
import quizzes.lib.base_models
import django.utils.timezone
import uuid
import quizzes.lib.practice_credits
import quizzes.lib.tag_names
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('bank', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Quiz',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('slug', models.SlugField(max_length=100, unique=True, verbose_name='short name')),
                ('title', models.JSONField(default=dict, help_text='language → text', verbose_name='title')),
                ('intro', models.JSONField(blank=True, default=dict, verbose_name='introduction')),
                ('source_language', models.CharField(default='en', max_length=5, verbose_name='source language')),
                ('audience', models.CharField(choices=[('groups', 'the classes it is assigned to'), ('signed_in', 'everyone who is signed in'), ('anyone', 'anyone, also without an account')], default='groups', help_text='Without an account it is taken only while it is given to no class, is no practice and asks nothing that another graded quiz may ask.', max_length=10, verbose_name='open to')),
                ('mode', models.CharField(choices=[('graded', 'graded'), ('practice', 'practice')], default='graded', max_length=10, verbose_name='mode')),
                ('opens_at', models.DateTimeField(blank=True, null=True, validators=[quizzes.lib.base_models.check_calendar], verbose_name='opens')),
                ('closes_at', models.DateTimeField(blank=True, null=True, validators=[quizzes.lib.base_models.check_calendar], verbose_name='closes')),
                ('pass_percent', models.DecimalField(decimal_places=4, default=80, max_digits=7, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(100)], verbose_name='pass mark in per cent')),
                ('time_limit', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100000)], verbose_name='time limit in minutes')),
                ('grace_seconds', models.PositiveIntegerField(default=10, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(3600)], verbose_name='grace for late saves in seconds')),
                ('max_attempts', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000)], verbose_name='attempts at most')),
                ('cooldown_minutes', models.PositiveIntegerField(default=0, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1000000)], verbose_name='minutes between attempts')),
                ('window_attempts', models.PositiveIntegerField(blank=True, default=3, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000)], verbose_name='attempts per window')),
                ('window_hours', models.PositiveIntegerField(default=8, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100000)], verbose_name='hours of the window')),
                ('attempt_grade_policy', models.CharField(choices=[('highest', 'the highest'), ('latest', 'the latest'), ('first', 'the first'), ('average', 'the average')], default='highest', max_length=10, verbose_name='which attempt counts')),
                ('scoring_method', models.CharField(blank=True, help_text='Empty: as each question says.', max_length=30, verbose_name='scoring of multiple choice')),
                ('shuffle_questions', models.BooleanField(default=False, verbose_name='shuffle questions')),
                ('shuffle_options', models.BooleanField(default=True, verbose_name='shuffle options')),
                ('gives_certificates', models.BooleanField(default=False, help_text='A page and a print with the name of the quiz, which learners may show to others and anybody can check. Switched off, no more are made; those that were made stay.', verbose_name='whoever passes may make a certificate')),
                ('enemy_tags', models.CharField(blank=True, help_text='For questions that give each other away: of those with the same one of these tags an attempt asks at most one. Tags with commas between them.', max_length=600, validators=[quizzes.lib.tag_names.check_tag_names], verbose_name='tags whose questions never come together')),
                ('enemies', models.JSONField(blank=True, default=list, editable=False)),
                ('one_question_a_page', models.BooleanField(default=False, help_text='Without it learners see all questions, or one at a time if they prefer.', verbose_name='one question a page')),
                ('lock_questions', models.BooleanField(default=False, help_text='Learners get one question after the other, and can neither see nor change one that they have left.', verbose_name='lock questions as learners go on')),
                ('one_device', models.BooleanField(default=False, help_text='An attempt is open on one device. Whoever opens it on another is asked before it goes on there, and the earlier device can save no more.', verbose_name='one device at a time')),
                ('practice_credits', models.CharField(default='1, 1/2, 1/4', help_text='The first try first; so many tries there are.', max_length=100, validators=[quizzes.lib.practice_credits.check_practice_credits], verbose_name='what each try is worth in practice')),
                ('practice_shows_keys', models.BooleanField(default=False, help_text='Of a graded quiz: else practice says nothing of right and wrong of what this quiz may still ask a learner.', verbose_name='practice may show the right answers of its questions')),
                ('reveal_score', models.CharField(choices=[('never', 'never'), ('after_submit', 'after submitting'), ('after_pass', 'after passing'), ('after_last_attempt', 'after passing or the last attempt'), ('after_close', 'after the quiz has closed for everyone')], default='after_submit', max_length=20, verbose_name='score')),
                ('reveal_correctness', models.CharField(choices=[('never', 'never'), ('after_submit', 'after submitting'), ('after_pass', 'after passing'), ('after_last_attempt', 'after passing or the last attempt'), ('after_close', 'after the quiz has closed for everyone')], default='after_submit', max_length=20, verbose_name='right or wrong')),
                ('reveal_feedback', models.CharField(choices=[('never', 'never'), ('after_submit', 'after submitting'), ('after_pass', 'after passing'), ('after_last_attempt', 'after passing or the last attempt'), ('after_close', 'after the quiz has closed for everyone')], default='after_submit', max_length=20, verbose_name='feedback of options')),
                ('reveal_hints', models.CharField(choices=[('never', 'never'), ('after_submit', 'after submitting'), ('after_pass', 'after passing'), ('after_last_attempt', 'after passing or the last attempt'), ('after_close', 'after the quiz has closed for everyone')], default='after_submit', help_text='For questions not got right; with them, texts that may come early.', max_length=20, verbose_name='hints and where to read on')),
                ('reveal_key', models.CharField(choices=[('never', 'never'), ('after_submit', 'after submitting'), ('after_pass', 'after passing'), ('after_last_attempt', 'after passing or the last attempt'), ('after_close', 'after the quiz has closed for everyone')], default='after_last_attempt', max_length=20, verbose_name='right answers')),
                ('reveal_explanation', models.CharField(choices=[('never', 'never'), ('after_submit', 'after submitting'), ('after_pass', 'after passing'), ('after_last_attempt', 'after passing or the last attempt'), ('after_close', 'after the quiz has closed for everyone')], default='after_last_attempt', max_length=20, verbose_name='explanation')),
                ('feedback_all_options', models.BooleanField(default=False, verbose_name='feedback also of options not chosen')),
                ('retired_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='retired')),
                ('group', models.ForeignKey(blank=True, help_text='Whose instructors may edit. Without a class: administrators only.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='quizzes', to='accounts.group', verbose_name='class')),
            ],
            options={
                'verbose_name': 'quiz',
                'verbose_name_plural': 'quizzes',
                'ordering': ['slug'],
            },
        ),
        migrations.CreateModel(
            name='QuizVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField()),
                ('title', models.JSONField()),
                ('intro', models.JSONField()),
                ('source_language', models.CharField(max_length=5)),
                ('policies', models.JSONField()),
                ('pass_numerator', models.BigIntegerField()),
                ('pass_denominator', models.BigIntegerField()),
                ('question_count', models.PositiveIntegerField()),
                ('maximum_numerator', models.BigIntegerField()),
                ('maximum_denominator', models.BigIntegerField()),
                ('digest', models.CharField(max_length=64)),
                ('accepted_pass', models.JSONField(null=True)),
                ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('quiz', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='publishing.quiz')),
            ],
            options={
                'verbose_name': 'quiz version',
                'verbose_name_plural': 'quiz versions',
                'ordering': ['quiz', '-number'],
            },
        ),
        migrations.AddField(
            model_name='quiz',
            name='current',
            field=models.OneToOneField(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='publishing.quizversion'),
        ),
        migrations.CreateModel(
            name='QuizVersionItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('position', models.PositiveIntegerField()),
                ('section', models.PositiveIntegerField(default=0)),
                ('section_title', models.JSONField(default=dict)),
                ('draw', models.PositiveIntegerField(default=1)),
                ('points_numerator', models.BigIntegerField()),
                ('points_denominator', models.BigIntegerField()),
                ('quiz_version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='items', to='publishing.quizversion')),
            ],
            options={
                'ordering': ['quiz_version', 'position'],
            },
        ),
        migrations.CreateModel(
            name='PoolCandidate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('enemy_set', models.CharField(blank=True, max_length=60)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='bank.questionversion')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='candidates', to='publishing.quizversionitem')),
            ],
            options={
                'ordering': ['item', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Section',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField(default=0, verbose_name='position')),
                ('title', models.JSONField(blank=True, default=dict, verbose_name='title')),
                ('quiz', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sections', to='publishing.quiz')),
            ],
            options={
                'verbose_name': 'section',
                'verbose_name_plural': 'sections',
                'ordering': ['position', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Slot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField(default=0, verbose_name='position')),
                ('draw', models.PositiveIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='how many to draw')),
                ('points', models.DecimalField(decimal_places=4, default=1, max_digits=8, validators=[django.core.validators.MinValueValidator(0)], verbose_name='points each')),
                ('pool_bank', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='bank.bank', verbose_name='draw from bank')),
                ('pool_tag', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='bank.tag', verbose_name='only with tag')),
                ('question', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='bank.question', verbose_name='question')),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='slots', to='publishing.section')),
            ],
            options={
                'verbose_name': 'slot',
                'verbose_name_plural': 'slots',
                'ordering': ['position', 'pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='quizversion',
            constraint=models.UniqueConstraint(fields=('quiz', 'number'), name='quiz_version_number_once'),
        ),
        migrations.AddIndex(
            model_name='quiz',
            index=models.Index(condition=models.Q(('audience__in', ('signed_in', 'anyone'))), fields=['audience'], name='quiz_open_to_all'),
        ),
        migrations.AddConstraint(
            model_name='quiz',
            constraint=models.CheckConstraint(condition=models.Q(('time_limit__isnull', True), ('time_limit__range', (1, 100000)), _connector='OR'), name='quiz_time_limit_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='quiz',
            constraint=models.CheckConstraint(condition=models.Q(('grace_seconds__isnull', True), ('grace_seconds__range', (0, 3600)), _connector='OR'), name='quiz_grace_seconds_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='quiz',
            constraint=models.CheckConstraint(condition=models.Q(('max_attempts__isnull', True), ('max_attempts__range', (1, 10000)), _connector='OR'), name='quiz_max_attempts_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='quiz',
            constraint=models.CheckConstraint(condition=models.Q(('cooldown_minutes__isnull', True), ('cooldown_minutes__range', (0, 1000000)), _connector='OR'), name='quiz_cooldown_minutes_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='quiz',
            constraint=models.CheckConstraint(condition=models.Q(('window_attempts__isnull', True), ('window_attempts__range', (1, 10000)), _connector='OR'), name='quiz_window_attempts_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='quiz',
            constraint=models.CheckConstraint(condition=models.Q(('window_hours__isnull', True), ('window_hours__range', (1, 100000)), _connector='OR'), name='quiz_window_hours_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='quiz',
            constraint=models.CheckConstraint(condition=models.Q(('opens_at__isnull', True), ('closes_at__isnull', True), ('opens_at__lt', models.F('closes_at')), _connector='OR'), name='quiz_opens_before_closing', violation_error_message='The quiz must open before it closes.'),
        ),
        migrations.AddConstraint(
            model_name='quiz',
            constraint=models.CheckConstraint(condition=models.Q(('opens_at__isnull', True), ('opens_at__range', (datetime.datetime(1999, 12, 31, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2200, 1, 2, 0, 0, tzinfo=datetime.timezone.utc))), _connector='OR'), name='quiz_opens_in_calendar'),
        ),
        migrations.AddConstraint(
            model_name='quiz',
            constraint=models.CheckConstraint(condition=models.Q(('closes_at__isnull', True), ('closes_at__range', (datetime.datetime(1999, 12, 31, 0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2200, 1, 2, 0, 0, tzinfo=datetime.timezone.utc))), _connector='OR'), name='quiz_closes_in_calendar'),
        ),
        migrations.AddConstraint(
            model_name='quiz',
            constraint=models.CheckConstraint(condition=models.Q(('lock_questions', False), ('one_question_a_page', True), _connector='OR'), name='quiz_locks_one_question_a_page', violation_error_message='To lock questions as learners go on, ask one question a page.'),
        ),
        migrations.AddConstraint(
            model_name='quizversionitem',
            constraint=models.UniqueConstraint(fields=('quiz_version', 'position'), name='item_position_once'),
        ),
        migrations.AddConstraint(
            model_name='poolcandidate',
            constraint=models.UniqueConstraint(fields=('item', 'version'), name='candidate_once'),
        ),
        migrations.AddConstraint(
            model_name='slot',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('pool_bank__isnull', True), ('question__isnull', False)), models.Q(('pool_bank__isnull', False), ('question__isnull', True)), _connector='OR'), name='slot_question_or_pool', violation_error_message='Name either a question or a bank to draw from.'),
        ),
    ]
