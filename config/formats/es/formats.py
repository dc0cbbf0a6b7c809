"""How Django writes times here, in the lists and reports of the admin: with their zone."""

DATETIME_FORMAT = "j b Y, H:i T"
SHORT_DATETIME_FORMAT = "j b Y, H:i T"
