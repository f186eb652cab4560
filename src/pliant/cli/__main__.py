"""`python -m pliant.cli`: the same as `pliant`."""

from pliant.cli import main

main()
