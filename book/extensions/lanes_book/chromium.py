"""The browser that prints the book, and that the tests drive."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "google-chrome", "google-chrome-stable", "chromium-browser")


def find_chromium() -> str:
    """What LANES_CHROMIUM names, or the first that is installed. FileNotFoundError if there is none."""
    named = os.environ.get("LANES_CHROMIUM")
    found = named or next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None or not Path(found).is_file():
        wanted = named or ", ".join(NAMES)
        raise FileNotFoundError(
            f"no Chromium here (looked for {wanted}): ci/setup installs Debian's; elsewhere set LANES_CHROMIUM"
        )
    return found
