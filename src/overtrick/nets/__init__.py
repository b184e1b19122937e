"""Networks as they play: their specs, their exported form, and the forward pass."""
