"""How passwords are hashed: Argon2id, at a cost that a whole class can pay at once."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id with 19 MiB and two passes.

    The least that OWASP's password storage sheet asks for, about 25 ms: 200 learners sign in
    within seconds on two cores, where Django's default of 100 MiB would need most of a minute.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
