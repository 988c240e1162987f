"""Scores: the printed tables, our numbers, and how the two compare."""
