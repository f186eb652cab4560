"""Numba's internals, as far as Pliant reaches into them."""
