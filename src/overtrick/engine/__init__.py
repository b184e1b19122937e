"""Loops that serve any game."""
