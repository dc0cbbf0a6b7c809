"""Why a mail is not sent after all."""


class NotificationOmitted(Exception):
    """The mail has nothing to say to this person now; `code` is why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
