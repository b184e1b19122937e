"""The belief actor-critic: what a seat believes, what it expects of the others, what it does.

tables.py      what a game tells of its positions, opponents and choices; plain ones without it
marginals.py   where every unseen card lies, by exact counting
minds.py       the three approximators of a player, as kernels ask them
looking.py     worlds weighed by predicted choices, and the look-ahead in them
adapting.py    predictors that learn on line who is at the table
calibrating.py whether what is believed comes true as often as it is believed
warm.py        compiling all that ahead of its first use
"""
