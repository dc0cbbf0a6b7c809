"""What a browser calls itself, in the few words by which a person recognises it."""

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""In this order: nearly all of them call themselves Safari as well, and many Chrome."""
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def describe_browser(user_agent: str) -> str:
    """Return browser and system, as "Firefox, Linux"; "" where neither is recognised."""
    names = (
        next((name for part, name in parts if part in user_agent), "")
        for parts in (BROWSERS, SYSTEMS)
    )
    return ", ".join(filter(None, names))
