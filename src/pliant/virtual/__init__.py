"""Servers that speak vendors' protocols over Pliant's simulation."""
