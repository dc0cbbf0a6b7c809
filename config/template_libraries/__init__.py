"""Django's own template tags, whose constant parts are worked out once a process.

Registered under Django's names in `TEMPLATES`, so every template has them, those of packages too.
"""
