"""`python -m pliant.cli` is the same as `pliant`."""

from pliant.cli import main

main()
