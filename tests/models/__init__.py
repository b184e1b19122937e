"""Tests of the models: how they are kept, found, passed on and shown."""
