"""Tests of the table in the browser: the service behind it."""
