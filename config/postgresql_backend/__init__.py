"""Django's engine for PostgreSQL, but for the check at the beginning of each request."""
