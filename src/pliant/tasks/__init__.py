"""Tasks, written on the API that every user has."""
