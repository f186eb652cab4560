"""What all tests share."""

import os

from hypothesis import settings

# Faults are what many tests are about; the flight recorder's own tests give it a folder.
os.environ["PLIANT_FLIGHT_DIR"] = ""

# No deadline, as the first call of a kernel may compile it; the same examples on every machine,
# so that a failure seen once is seen again.
settings.register_profile("pliant", deadline=None, derandomize=True)
settings.load_profile("pliant")
