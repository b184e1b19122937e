"""Measuring players: boards, tournaments, ratings and their statistics."""
