"""Put a peg into a hole that is not quite where it should be."""

from pliant.tasks.insertion.insertion_result import InsertionResult
from pliant.tasks.insertion.strategy import Insertion, Phase

__all__ = ["Insertion", "InsertionResult", "Phase"]
