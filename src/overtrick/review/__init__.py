"""Judging what was chosen, by what was known: hints, and the review of a finished deal."""
