"""What the kinds share in which options are chosen; each kind says only how it differs."""
