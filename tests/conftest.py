"""What all tests share."""

from hypothesis import settings

# No deadline, as the first call of a kernel may compile it; the same examples on every machine,
# so that a failure seen once is seen again.
settings.register_profile("pliant", deadline=None, derandomize=True)
settings.load_profile("pliant")
