"""Certificates of passes: what their owners show, signed, and checked by anybody."""
