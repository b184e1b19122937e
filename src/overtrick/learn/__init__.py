"""Learning: one readable file an algorithm, on a frame that all of them share.

Nothing here is needed to play. PyTorch is imported where a net is trained, and nowhere before.
"""
