"""Slow referees in plain Python, written from RULES.md alone: they judge the fast engines."""
