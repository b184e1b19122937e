"""Search under hidden information, for any game."""
