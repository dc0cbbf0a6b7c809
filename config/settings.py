"""All settings in one file; every value that may differ between machines comes from env.py."""

import os
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from config import env, unfold_theme
from config.database import application_role, database, replica
from config.file_store_settings import read_s3_store
from config.identity_provider_settings import read_identity_providers
from config.metrics_files import find_metrics_folder
from config.secret_key import load_or_create_key
from quizzes.lib import steady_clock
from quizzes.lib.private_folder import make_private

ROOT = Path(__file__).resolve().parent.parent

# --- What kind of machine is this? -----------------------------------------------------------
# embedded: one command, SQLite, plain HTTP on this machine. production: everything asked for.
MODE = env.one_of("OCHENTA_MODE", "embedded", ("embedded", "production"))
EMBEDDED = MODE == "embedded"
DATA_DIR = env.data_folder()
if EMBEDDED:
    make_private(DATA_DIR)  # answers, keys and mails of the whole site
DEBUG = env.boolean("OCHENTA_DEBUG", default=False)
if DEBUG and not EMBEDDED:
    raise env.SettingError("OCHENTA_DEBUG", "off in production: its pages tell settings", "on")
HTTPS = env.boolean("OCHENTA_HTTPS", default=not EMBEDDED)
ALLOWED_HOSTS = (
    env.listing("OCHENTA_ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
    if EMBEDDED
    else env.host_names("OCHENTA_ALLOWED_HOSTS")
)
CSRF_TRUSTED_ORIGINS = env.listing("OCHENTA_TRUSTED_ORIGINS")
# How many proxies stand before us; only that many entries of X-Forwarded-For are believed.
PROXIES = env.integer("OCHENTA_PROXIES", 0, minimum=0, maximum=5)

# The embedded site makes its own and keeps it, so that a restart signs nobody out.
SECRET_KEY = env.secret_key("OCHENTA_SECRET_KEY", "" if EMBEDDED else None) or load_or_create_key(
    DATA_DIR / "secret-key"
)

# What receipts are signed with, and what signed before (quizzes/lib/signing_keys.py). The embedded
# site makes its own when the first attempt is submitted.
SIGNING_KEY = env.signing_key("OCHENTA_SIGNING_KEY", "" if EMBEDDED else None)
SIGNING_KEY_FILE = DATA_DIR / "signing-key"

# --- The parts -------------------------------------------------------------------------------
# The admin's theme; "plain" is Django's own (quizzes/instructor/theme.py).
ADMIN_THEME = env.one_of("OCHENTA_ADMIN_THEME", "unfold", ("unfold", "plain"))
UNFOLD = unfold_theme.UNFOLD
INSTALLED_APPS = [
    *(["unfold.apps.BasicAppConfig"] if ADMIN_THEME == "unfold" else []),
    "config.admin.AdminApp",
    "config",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "accounts",
    "quizzes.lib",
    "quizzes.audit",
    "quizzes.events",
    "quizzes.bank",
    "quizzes.publishing",
    "quizzes.attempts",
    "quizzes.results",
    "quizzes.matching",
    "quizzes.imports",
    "quizzes.statistics",
    "quizzes.challenges",
    "quizzes.certificates",
    "quizzes.practice",
    "quizzes.study",
    "quizzes.notifications",
    "quizzes.course_grades",
    "quizzes.privacy",
    "quizzes.web",
    "quizzes.api",
    "quizzes.commands",
    "quizzes.instructor",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "knox",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "config.request_log.request_log",
    "django.middleware.security.SecurityMiddleware",
    "config.compression.CompressionMiddleware",
    "config.content_policy.ContentPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.plain_http.refuse_plain_http",
    "accounts.middleware.admin_policy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.middleware.SignedInMiddleware",
    "accounts.middleware.preferences",
    "quizzes.audit.middleware.audit_origin",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.middleware.template_context",
                "config.csrf_tokens.add_csrf_token",
            ],
            "builtins": [
                "config.template_libraries.urls",
                "config.template_libraries.fragments",
                "config.template_libraries.loading",
            ],
            "libraries": {
                "i18n": "config.template_libraries.i18n",
                "static": "config.template_libraries.static",
            },
        },
    },
]

# --- Data ------------------------------------------------------------------------------------
# Production names its database: a forgotten variable must not begin an empty one in a container.
DATABASE_URL_DEFAULT = f"sqlite:///{quote(str(DATA_DIR / 'ochenta.db'))}" if EMBEDDED else None
DATABASE_URL = env.secret("OCHENTA_DATABASE_URL", DATABASE_URL_DEFAULT)
# The role that owns the tables: only for the process that migrates, which gives the site's role
# what it needs (ADR 27). The site itself has the first address alone.
DATABASE_OWNER_URL = env.secret("OCHENTA_DATABASE_OWNER_URL", "")
DATABASE_APPLICATION_ROLE = application_role(DATABASE_URL) if DATABASE_OWNER_URL else None
# The web asks for a limit (config/gunicorn.py); commands and tasks may take their time.
STATEMENT_SECONDS = env.integer("OCHENTA_STATEMENT_SECONDS", 0, minimum=0, maximum=3600)
DATABASES = {"default": database(DATABASE_OWNER_URL or DATABASE_URL, STATEMENT_SECONDS)}
# For statistics, exports and long lists (quizzes/lib/read_replica.py).
if DATABASE_REPLICA_URL := env.secret("OCHENTA_DATABASE_REPLICA_URL", ""):
    DATABASES["replica"] = replica(DATABASE_REPLICA_URL, STATEMENT_SECONDS)
    DATABASE_ROUTERS = ["quizzes.lib.read_replica.ReplicaRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# The database, not Redis: sign-in limits must hold over all workers and while Redis is away.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        # Beyond this many entries live ones go too, and with them the count of wrong passwords:
        # with Django's 300, guesses at 300 other addresses would make an account's count forgotten.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
REDIS_URL = env.secret("OCHENTA_REDIS_URL", "")
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000

# --- People ----------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
SESSION_ENGINE = "accounts.sessions"
# No other host of the domain can write a cookie whose name begins so.
COOKIE_PREFIX = "__Host-" if HTTPS else ""
# On pages of attempts a session may be so old as this process read it (ADR 79); 0: read each time.
SESSION_MEMORY_SECONDS = 4
# So old may be what a result's advice knows of practices and tags (ADR 79); 0: read each time.
ADVICE_MEMORY_SECONDS = 10
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}session"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 14 * 24 * 3600
# After so long without a request, those who teach or run the site are signed out; 0: never.
STAFF_IDLE_MINUTES = env.integer(
    "OCHENTA_STAFF_IDLE_MINUTES", 0 if EMBEDDED else 480, minimum=0, maximum=14 * 24 * 60
)
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
CSRF_COOKIE_SECURE = HTTPS
MESSAGE_STORAGE = "config.message_storage.MessageStorage"
CSRF_FAILURE_VIEW = "config.error_handlers.csrf_failure"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
PASSWORD_HASHERS = [
    "accounts.hashers.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    # 20,000 of those that breaches know best.
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "accounts.password_validation.ContextWordValidator"},
    {"NAME": "accounts.password_validation.BreachedPasswordValidator"},
]
PASSWORD_CONTEXT_WORDS = [
    *("ochenta", "eighty", "quiz", "exam", "examen", "test", "learn", "teach", "school", "escuela"),
    *("student", "learner", "alumno", "alumna", "instructor", "profesor", "admin", "administrator"),
    *("password", "contraseña", "clave", "login", "welcome", "bienvenido", "bienvenida"),
    *env.listing("OCHENTA_PASSWORD_WORDS"),
]
BREACHED_PASSWORDS = env.text("OCHENTA_BREACHED_PASSWORDS", "")
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# Unconfirmed, an address gives no role and no class, whatever stands here (accounts/access.py).
ACCOUNT_EMAIL_VERIFICATION = env.one_of(
    "OCHENTA_EMAIL_VERIFICATION",
    "optional" if EMBEDDED else "mandatory",
    ("optional", "mandatory", "none"),
)
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_GET = False
# In the browser that signed up, and in no other (the session knows).
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.login_forms.SignInForm",
    "signup": "accounts.login_forms.AccountSignupForm",
    "request_login_code": "accounts.login_forms.RequestLoginCodeForm",
    "confirm_login_code": "accounts.login_forms.ConfirmLoginCodeForm",
    "change_password": "accounts.login_forms.ChangePasswordForm",
    "reset_password": "accounts.login_forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.login_forms.ResetPasswordKeyForm",
}
# Django's own: allauth's reads addresses, which would tell by its statements who has an account.
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "django.contrib.auth.tokens.PasswordResetTokenGenerator"
ACCOUNT_SIGNUP_FORM_CLASS = "accounts.forms.SignupForm"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Ochenta] "
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 10 * 60  # seconds
ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS = 3
# A class of 200 comes from one address at once: guesses are counted in accounts/login_throttle.py.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": None,
    "request_login_code": None,
    "signup": "30/m/ip",
    # There is nothing to guess where another site signs people in.
    "identity_provider": "600/m/ip",
    "identity_provider_answer": "600/m/ip",
    # Nobody guesses 122 bits; the limit keeps whoever tries from keeping the site busy.
    "certificate": "300/m/ip",
    "sample_question": "300/m/ip",
    # Each makes a guest and an attempt, which stay a while; a class has accounts.
    "guest": "30/m/ip,600/d/ip",
}
# For so long after signing in, or having confirmed who one is, that is not asked again.
ACCOUNT_REAUTHENTICATION_TIMEOUT = 60 * env.integer(
    "OCHENTA_REAUTHENTICATION_MINUTES", 30, minimum=1, maximum=24 * 60
)
# The same for pages with right answers, which instructors have open all day.
KEY_REAUTHENTICATION_SECONDS = 3600 * env.integer(
    "OCHENTA_KEY_REAUTHENTICATION_HOURS", 12, minimum=1, maximum=24 * 31
)
# Whoever teaches or runs the site gets no further than setting one up until they have it.
STAFF_SECOND_FACTOR = env.boolean("OCHENTA_STAFF_SECOND_FACTOR", default=False)
# Second factors (ADR 28). A code of the app counts in its half minute, the one before and after.
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# There is nothing to guess at a passkey, and a class of 200 comes from one address at once.
MFA_RATE_LIMITS = {"webauthn_login": "600/m/ip"}
MFA_ADAPTER = "accounts.mfa_adapter.SecondFactorAdapter"
MFA_TOTP_TOLERANCE = env.integer("OCHENTA_TOTP_TOLERANCE", 1, minimum=0, maximum=1)
MFA_FORMS = {
    "activate_totp": "accounts.second_factor_forms.ActivateTOTPForm",
    "authenticate": "accounts.second_factor_forms.CodeForm",
    "reauthenticate": "accounts.second_factor_forms.CodeAgainForm",
    "add_webauthn": "accounts.passkey_forms.AddPasskeyForm",
    "edit_webauthn": "accounts.passkey_forms.RenamePasskeyForm",
    "authenticate_webauthn": "accounts.passkey_forms.PasskeyForm",
    "reauthenticate_webauthn": "accounts.passkey_forms.PasskeyAgainForm",
    "login_webauthn": "accounts.passkey_forms.PasskeySignInForm",
}
# Identity providers (OpenID Connect), and how far each is trusted (ADR 34).
IDENTITY_PROVIDERS = read_identity_providers("OCHENTA_OIDC")
SOCIALACCOUNT_ADAPTER = "accounts.social_adapter.SocialAccountAdapter"
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
KNOX_TOKEN_MODEL = "accounts.ApiToken"

EMAIL_BACKEND = (
    "django.core.mail.backends.console.EmailBackend"
    if EMBEDDED
    else "django.core.mail.backends.smtp.EmailBackend"
)
EMAIL_HOST = env.text("OCHENTA_EMAIL_HOST", "localhost")
EMAIL_PORT = env.integer("OCHENTA_EMAIL_PORT", 25, minimum=1, maximum=65535)
EMAIL_HOST_USER = env.text("OCHENTA_EMAIL_USER", "")
EMAIL_HOST_PASSWORD = env.secret("OCHENTA_EMAIL_PASSWORD", "")
EMAIL_TIMEOUT = 5  # seconds: a mail server that hangs must not hold a thread for ever
EMAIL_USE_TLS = env.boolean("OCHENTA_EMAIL_TLS", default=False)
DEFAULT_FROM_EMAIL = env.text("OCHENTA_EMAIL_FROM", "ochenta@localhost")

# --- The audit log -----------------------------------------------------------------------------
# Days that `manage.py prune_audit_log` leaves; 0 removes nothing.
AUDIT_DAYS = env.integer("OCHENTA_AUDIT_DAYS", 730, minimum=0, maximum=36_500)

# --- Personal data -----------------------------------------------------------------------------
# Days between the request for an erasure and the erasure.
ERASURE_DAYS = env.integer("OCHENTA_ERASURE_DAYS", 14, minimum=0, maximum=90)

# Days after which what is over goes (`manage.py apply_retention`); 0 keeps it for ever.
RETENTION_ANSWER_DAYS = env.integer("OCHENTA_RETENTION_ANSWER_DAYS", 0, minimum=0, maximum=36_500)
RETENTION_UNCONFIRMED_DAYS = env.integer(
    "OCHENTA_RETENTION_UNCONFIRMED_DAYS", 0, minimum=0, maximum=36_500
)
RETENTION_REQUEST_DAYS = env.integer("OCHENTA_RETENTION_REQUEST_DAYS", 0, minimum=0, maximum=36_500)
RETENTION_NOTIFICATION_DAYS = env.integer(
    "OCHENTA_RETENTION_NOTIFICATION_DAYS", 0, minimum=0, maximum=36_500
)
# Days after which guests are erased whose attempts nobody keeps in an account (ADR 59).
GUEST_DAYS = env.integer("OCHENTA_GUEST_DAYS", 30, minimum=8, maximum=36_500)
# Whether the schedule applies it each day, without anybody's command.
RETENTION_SCHEDULED = env.boolean("OCHENTA_RETENTION_SCHEDULED", default=False)

# --- Words, time -----------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("es", "Español")]
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}language"
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [ROOT / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
# When this machine was started (µs since 1970) as its clock said when the site was: gunicorn hands
# it to all its processes, so that setting the clock meanwhile moves no deadline (ADR 21).
BOOT_TIME = env.integer("OCHENTA_BOOT_TIME", steady_clock.compute_boot_time(), minimum=0)
FORMAT_MODULE_PATH = ["config.formats"]
USE_TZ = True

# --- Files -----------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [ROOT / "static"]
# Embedded: found where they lie, by their own names; a first start costs no collecting.
WHITENOISE_USE_FINDERS = EMBEDDED
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["jpg", "png", "webp", "gz", "br", "woff2", "map"]
# What authors upload. Not below any folder that is served: files go out through a view that asks.
MEDIA_ROOT = Path(env.text("OCHENTA_MEDIA_ROOT", str(DATA_DIR / "media")))
MEDIA_MAX_BYTES = {  # bytes, by family
    family: 1_000_000 * env.integer(f"OCHENTA_{family.upper()}_MEGABYTES", usual, minimum=1)
    for family, usual in (("image", 5), ("audio", 20), ("video", 100))
}
# A bucket for the same files, where machines of the site share no disk; empty: MEDIA_ROOT.
S3_STORE = read_s3_store("OCHENTA_S3")
# ClamAV's clamd, by host and port or by its socket file; empty: files are not scanned.
VIRUS_SCANNER = env.socket_address("OCHENTA_VIRUS_SCANNER")
# Without a worker, larger imports are planned and written by a process of their own, not by a
# thread of the web.
IMPORT_PROCESS_BYTES = 100_000
# No form takes files but the one that asks for larger ones itself (quizzes/lib/upload_handlers.py).
FILE_UPLOAD_HANDLERS = ["quizzes.lib.upload_handlers.NoFileUploadHandler"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if EMBEDDED
        else "config.static_storage.ModuleStaticFilesStorage"
    },
}

# --- Walls -----------------------------------------------------------------------------------
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
# Only who runs the domain knows whether all of it speaks HTTPS; preloading is not undone in months.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.boolean("OCHENTA_HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.boolean("OCHENTA_HSTS_PRELOAD", default=False)
# W005, W021: the two lines above are a choice.
SILENCED_SYSTEM_CHECKS = [
    "security.W005",
    "security.W021",
    "templates.W003",  # i18n and static are registered anew; a test allows no other name
]
SECURE_REFERRER_POLICY = "same-origin"
# Programs are refused instead (config/plain_http.py).
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^api/(?!v1/docs$)"]
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "object-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "media-src": ["'self'"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# --- REST ------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "quizzes.api.authentication.TokenAuthentication",
        "quizzes.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "quizzes.api.permissions.HasScope",
        "quizzes.api.permissions.HasSecondFactor",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "quizzes.api.negotiation.JSONOnlyNegotiation",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["quizzes.api.negotiation.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "quizzes.api.problems.exception_handler",
    "NUM_PROXIES": PROXIES,
    "COERCE_DECIMAL_TO_STRING": True,
}
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_PREFIX": "och_",
    "TOKEN_TTL": timedelta(days=90),
    "AUTO_REFRESH": False,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Ochenta",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "DESCRIPTION": "Quizzes, attempts and exact results.",
    "SERVERS": [{"url": "/", "description": "this site"}],
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
    # Some fields are called status or action; each enum has a name of its own.
    "ENUM_NAME_OVERRIDES": {
        "SaveStatusEnum": "quizzes.attempts.models.SaveStatus",
        "ItemStatusEnum": "quizzes.api.import_report.STATUSES",
        "ImportStateEnum": "quizzes.api.import_serializers.STATES",
        "GradebookCellStateEnum": "quizzes.api.gradebook.GRADE_STATES",
        "RevealMomentEnum": "quizzes.publishing.models.RevealMoment",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "quizzes.api.openapi.complete_schema",
    ],
}

# --- What is told ----------------------------------------------------------------------------
ACCESS_LOG = env.boolean("OCHENTA_ACCESS_LOG", default=False)

# Metrics (config/metrics.py). The library looks for the folder when it is imported.
METRICS_TOKEN = env.token("OCHENTA_METRICS_TOKEN", "")
if METRICS_TOKEN:
    find_metrics_folder().mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(find_metrics_folder())
    MIDDLEWARE.insert(0, "config.metrics.measure_requests")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "config.log_format.LineFormatter",
            "format": "{asctime} {levelname} {name} {message}",
            "style": "{",
        },
        "json": {"()": "config.log_format.create_json_formatter"},
    },
    "filters": {"secrets": {"()": "config.log_format.SecretFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["secrets"],
            "formatter": env.one_of("OCHENTA_LOG_FORMAT", "line", ("line", "json")),
        }
    },
    "root": {"handlers": ["console"], "level": env.text("OCHENTA_LOG_LEVEL", "INFO")},
}
