import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Bank',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('slug', models.SlugField(max_length=100, unique=True, verbose_name='short name')),
                ('title', models.JSONField(default=dict, help_text='language → text', verbose_name='title')),
                ('description', models.JSONField(blank=True, default=dict, verbose_name='description')),
                ('source', models.CharField(blank=True, max_length=500, verbose_name='source')),
                ('licence', models.CharField(blank=True, max_length=100, verbose_name='licence')),
                ('source_language', models.CharField(default='en', max_length=5, verbose_name='source language')),
                ('imported_fingerprint', models.CharField(blank=True, editable=False, max_length=64)),
                ('group', models.ForeignKey(blank=True, help_text='Whose instructors may edit. Without a group: administrators only.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='banks', to='accounts.group', verbose_name='group')),
            ],
            options={
                'verbose_name': 'bank',
                'verbose_name_plural': 'banks',
                'ordering': ['slug'],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('name', models.SlugField(max_length=100, verbose_name='name')),
                ('kind', models.CharField(max_length=30, verbose_name='kind')),
                ('retired_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='retired')),
                ('imported_fingerprint', models.CharField(blank=True, editable=False, max_length=64)),
                ('bank', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='questions', to='bank.bank', verbose_name='bank')),
                ('merged_into', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged_questions', to='bank.question')),
            ],
            options={
                'verbose_name': 'question',
                'verbose_name_plural': 'questions',
                'ordering': ['bank', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Tag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(allow_unicode=True, max_length=60, unique=True, verbose_name='name')),
            ],
            options={
                'verbose_name': 'tag',
                'verbose_name_plural': 'tags',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='BankLint',
            fields=[
                ('bank', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='lint', serialize=False, to='bank.bank')),
                ('digest', models.CharField(max_length=64)),
                ('findings', models.JSONField(help_text='BankFindings')),
            ],
        ),
        migrations.CreateModel(
            name='DraftLint',
            fields=[
                ('question', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='lint', serialize=False, to='bank.question')),
                ('digest', models.CharField(max_length=100)),
                ('result', models.JSONField(help_text='a LintResult')),
            ],
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('data', models.JSONField(default=dict)),
                ('revision', models.PositiveIntegerField(default=1)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('updated_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='draft', to='bank.question')),
            ],
        ),
        migrations.CreateModel(
            name='Media',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('sha256', models.CharField(help_text='of the bytes as they are kept', max_length=64)),
                ('media_type', models.CharField(max_length=30, verbose_name='type')),
                ('extension', models.CharField(max_length=5)),
                ('size', models.PositiveBigIntegerField(help_text='in bytes', verbose_name='size')),
                ('width', models.PositiveIntegerField(help_text='in points, where it has any', null=True)),
                ('height', models.PositiveIntegerField(null=True)),
                ('name', models.CharField(blank=True, help_text='a label, no more', max_length=200, verbose_name='name')),
                ('bank', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='files', to='bank.bank', verbose_name='bank')),
                ('uploaded_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'file',
                'verbose_name_plural': 'files',
                'ordering': ['bank', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Option',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.SlugField(help_text="the author's own short name, as in a file", max_length=60)),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='options', to='bank.question')),
            ],
        ),
        migrations.CreateModel(
            name='QuestionVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=30)),
                ('scoring_method', models.CharField(max_length=30)),
                ('content', models.JSONField(help_text="language-neutral structure, as grading's kinds read it")),
                ('source_language', models.CharField(max_length=5)),
                ('digest', models.CharField(help_text="of the whole item, to tell 'no change'", max_length=64)),
                ('note', models.CharField(blank=True, max_length=300)),
                ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='bank.question')),
            ],
            options={
                'verbose_name': 'published version',
                'verbose_name_plural': 'published versions',
                'ordering': ['question', '-number'],
            },
        ),
        migrations.AddField(
            model_name='question',
            name='current',
            field=models.OneToOneField(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='bank.questionversion'),
        ),
        migrations.AddField(
            model_name='question',
            name='tags',
            field=models.ManyToManyField(blank=True, related_name='questions', to='bank.tag', verbose_name='tags'),
        ),
        migrations.CreateModel(
            name='VersionFeedback',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('language', models.CharField(max_length=5)),
                ('texts', models.JSONField(help_text='part → text, or part → option id → text')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='bank.questionversion')),
            ],
        ),
        migrations.CreateModel(
            name='VersionKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('key', models.JSONField()),
                ('version', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='bank.questionversion')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='VersionMedia',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('secret', models.BooleanField(default=False)),
                ('media', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uses', to='bank.media')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='files', to='bank.questionversion')),
            ],
        ),
        migrations.CreateModel(
            name='VersionTranslation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('language', models.CharField(max_length=5)),
                ('texts', models.JSONField(help_text='part → text, or part → option id → text')),
                ('is_outdated', models.BooleanField(default=False, help_text='the source changed after translation')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='translations', to='bank.questionversion')),
            ],
        ),
        migrations.CreateModel(
            name='Waiver',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('code', models.CharField(max_length=40)),
                ('about', models.CharField(blank=True, help_text='name of the other question', max_length=100)),
                ('digest', models.CharField(help_text='of the whole item: changed, it is over', max_length=64)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='waivers', to='bank.question')),
            ],
        ),
        migrations.AddConstraint(
            model_name='media',
            constraint=models.UniqueConstraint(fields=('bank', 'sha256'), name='media_once'),
        ),
        migrations.AddConstraint(
            model_name='option',
            constraint=models.UniqueConstraint(fields=('question', 'name'), name='option_name_once'),
        ),
        migrations.AddConstraint(
            model_name='questionversion',
            constraint=models.UniqueConstraint(fields=('question', 'number'), name='version_number_once'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.UniqueConstraint(fields=('bank', 'name'), name='question_name_once'),
        ),
        migrations.AddConstraint(
            model_name='versionfeedback',
            constraint=models.UniqueConstraint(fields=('version', 'language'), name='feedback_once'),
        ),
        migrations.AddConstraint(
            model_name='versionmedia',
            constraint=models.UniqueConstraint(fields=('version', 'media'), name='version_media_once'),
        ),
        migrations.AddConstraint(
            model_name='versiontranslation',
            constraint=models.UniqueConstraint(fields=('version', 'language'), name='version_translation_once'),
        ),
        migrations.AddConstraint(
            model_name='waiver',
            constraint=models.UniqueConstraint(fields=('question', 'code', 'about', 'digest'), name='waiver_once'),
        ),
    ]
