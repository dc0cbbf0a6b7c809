import accounts.zones
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid
from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models


def create_cache_table(apps, schema_editor):
    """The table of the database cache, which holds the sign-in limits."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Term',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=100, unique=True, verbose_name='name')),
                ('begins_on', models.DateField(verbose_name='begins on')),
                ('ends_on', models.DateField(verbose_name='ends on')),
            ],
            options={
                'verbose_name': 'term',
                'verbose_name_plural': 'terms',
                'ordering': ['-begins_on', 'name'],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_on__gte', models.F('begins_on'))), name='term_ends_after_it_begins', violation_error_message='It ends before it begins.')],
            },
        ),
        migrations.CreateModel(
            name='Group',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=150, unique=True, verbose_name='name')),
                ('term', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='classes', to='accounts.term', verbose_name='term')),
                ('archived_at', models.DateTimeField(editable=False, null=True, verbose_name='archived')),
            ],
            options={
                'verbose_name': 'class',
                'verbose_name_plural': 'classes',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='e-mail')),
                ('confirmed_email', models.EmailField(blank=True, db_default='', default='', editable=False, max_length=254)),
                ('name', models.CharField(blank=True, max_length=150, verbose_name='name')),
                ('school_id', models.CharField(blank=True, db_default='', default='', help_text='What the school files this person under: a student or staff number.', max_length=64, verbose_name='school id')),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('es', 'Español')], max_length=5, verbose_name='language')),
                ('time_zone', models.CharField(default='UTC', max_length=64, validators=[accounts.zones.validate_zone], verbose_name='time zone')),
                ('time_zone_chosen', models.BooleanField(db_default=False, default=False, editable=False)),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('may_make_classes', models.BooleanField(db_default=False, default=False, help_text='An instructor who has no class yet makes their first one by it.', verbose_name='may make classes')),
                ('erased_at', models.DateTimeField(editable=False, null=True)),
                ('guest_since', models.DateTimeField(editable=False, null=True)),
                ('kept_at', models.DateTimeField(editable=False, null=True)),
                ('kept_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='guests', to=settings.AUTH_USER_MODEL)),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='joined')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('digest', models.CharField(max_length=128, primary_key=True, serialize=False)),
                ('token_key', models.CharField(db_index=True, max_length=25)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expiry', models.DateTimeField(blank=True, null=True)),
                ('name', models.CharField(default='', max_length=100, verbose_name='purpose')),
                ('scopes', models.JSONField(default=list, verbose_name='scopes')),
                ('last_used_at', models.DateTimeField(editable=False, null=True, verbose_name='last used')),
                ('used_from', models.JSONField(default=list, editable=False, help_text='addresses, newest last')),
                ('second_factor_given', models.BooleanField(default=False, editable=False, help_text='made by somebody who has a second factor')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'token',
                'verbose_name_plural': 'tokens',
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('change_number', models.BigIntegerField(db_default=0, default=0, editable=False)),
                ('role', models.CharField(choices=[('learner', 'learner'), ('assistant', 'teaching assistant'), ('instructor', 'instructor')], default='learner', max_length=10, verbose_name='role')),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='accounts.group')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'membership',
                'verbose_name_plural': 'memberships',
                'indexes': [models.Index(fields=['group', 'change_number'], name='membership_by_change')],
            },
        ),
        migrations.AddField(
            model_name='group',
            name='people',
            field=models.ManyToManyField(related_name='teams', through='accounts.Membership', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('address', models.CharField(default='', help_text='where they signed in from', max_length=45)),
                ('user_agent', models.CharField(default='', max_length=200)),
                ('last_seen_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='user_email_once'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(condition=models.Q(('school_id', ''), _negated=True), fields=('school_id',), name='user_school_id_once', violation_error_message='Another person has this school id.'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('school_id', django.db.models.functions.text.Trim('school_id'))), name='user_school_id_trimmed'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('guest_since', None), models.Q(('confirmed_email', ''), ('is_active', False), ('is_superuser', False), ('may_make_classes', False), ('school_id', '')), _connector='OR'), name='user_guest_has_no_rights'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kept_at', None), ('kept_by', None)), models.Q(('guest_since__isnull', False), ('kept_at__isnull', False), ('kept_by__isnull', False)), _connector='OR'), name='user_kept_is_a_guest'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('group', 'user'), name='membership_once'),
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('change_number', models.BigIntegerField(db_default=0, default=0, editable=False)),
                ('email', models.EmailField(db_index=True, max_length=254, verbose_name='e-mail')),
                ('name', models.CharField(blank=True, max_length=150, verbose_name='name')),
                ('school_id', models.CharField(blank=True, editable=False, max_length=64, verbose_name='school id')),
                ('language', models.CharField(choices=[('en', 'English'), ('es', 'Español')], default='en', max_length=5, verbose_name='language')),
                ('role', models.CharField(blank=True, choices=[('learner', 'learner'), ('assistant', 'teaching assistant'), ('instructor', 'instructor')], default='', help_text='in the class, or instructor of classes to be made', max_length=10, verbose_name='role')),
                ('token_digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('mails', models.PositiveIntegerField(default=1, editable=False)),
                ('created_at', models.DateTimeField(db_index=True, verbose_name='invited')),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('accepted_at', models.DateTimeField(editable=False, null=True, verbose_name='accepted')),
                ('declined_at', models.DateTimeField(editable=False, null=True, verbose_name='declined')),
                ('withdrawn_at', models.DateTimeField(editable=False, null=True, verbose_name='withdrawn')),
                ('group', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='accounts.group', verbose_name='class')),
                ('invited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='invited by')),
            ],
            options={
                'verbose_name': 'invitation',
                'verbose_name_plural': 'invitations',
                'indexes': [models.Index(fields=['change_number'], name='invitation_by_change')],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('group__isnull', True), ('role__in', ['', 'instructor'])), models.Q(('group__isnull', False), models.Q(('role', ''), _negated=True)), _connector='OR'), name='invitation_role_in_class'),
                    models.CheckConstraint(condition=models.Q(models.Q(('accepted_at', None), ('declined_at', None)), models.Q(('accepted_at', None), ('withdrawn_at', None)), models.Q(('declined_at', None), ('withdrawn_at', None)), _connector='OR'), name='invitation_ends_once'),
                    models.UniqueConstraint(condition=models.Q(('accepted_at', None), ('declined_at', None), ('withdrawn_at', None)), fields=('group', 'email'), name='invitation_open_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SecurityNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('invitation', 'Invitation'), ('enrolled', 'Enrolled'), ('password_changed', 'Password Changed'), ('address_changed', 'Address Changed'), ('second_factor_changed', 'Second Factor Changed'), ('identity_changed', 'Identity Changed'), ('erasure_requested', 'Erasure Requested'), ('erasure_refused', 'Erasure Refused'), ('erased', 'Erased')], max_length=30)),
                ('recipient', models.EmailField(max_length=254)),
                ('context', models.JSONField(default=dict, help_text='what the text names: an address, a host')),
                ('happened_at', models.DateTimeField()),
                ('next_try_at', models.DateTimeField(db_index=True)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('invitation', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.invitation')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunPython(create_cache_table, migrations.RunPython.noop),
        migrations.CreateModel(
            name='FailedLogins',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64, unique=True)),
                ('times', models.JSONField(default=list, help_text='seconds since 1970')),
                ('limit', models.PositiveSmallIntegerField(default=10, help_text='attempts that this key has')),
                ('updated_at', models.DateTimeField(auto_now=True, db_index=True, verbose_name='last attempt')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='failed_logins', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'failed sign-ins',
                'verbose_name_plural': 'failed sign-ins',
            },
        ),
        migrations.CreateModel(
            name='RosterImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('change_number', models.BigIntegerField(db_default=0, default=0, editable=False)),
                ('created_at', models.DateTimeField(db_index=True)),
                ('source', models.CharField(help_text='name of the file; empty: pasted', max_length=200)),
                ('role', models.CharField(choices=[('learner', 'learner'), ('assistant', 'teaching assistant'), ('instructor', 'instructor')], default='learner', max_length=10)),
                ('language', models.CharField(default='en', help_text='of the mails to new people', max_length=5)),
                ('people', models.JSONField(default=list, help_text='the lines as they were read')),
                ('committed_at', models.DateTimeField(null=True)),
                ('summary', models.JSONField(default=dict, help_text='how many people became what')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roster_imports', to='accounts.group')),
            ],
        ),
        migrations.CreateModel(
            name='JoinCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True, verbose_name='code')),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('ended_at', models.DateTimeField(null=True)),
                ('max_uses', models.PositiveIntegerField(null=True, verbose_name='how many people may use it')),
                ('uses', models.PositiveIntegerField(default=0)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='join_codes', to='accounts.group')),
            ],
            options={
                'verbose_name': 'join code',
                'verbose_name_plural': 'join codes',
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('group',), name='join_code_once'), models.CheckConstraint(condition=models.Q(('max_uses', None), ('uses__lte', models.F('max_uses')), _connector='OR'), name='join_code_within_limit')],
            },
        ),
        migrations.CreateModel(
            name='InvitationMailCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(db_index=True, help_text='in UTC')),
                ('mails', models.PositiveIntegerField(default=0)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'day'), name='invitation_mail_count_once')],
            },
        ),
    ]
