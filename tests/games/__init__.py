"""Games that live in the tests alone: the house has no code for them."""
