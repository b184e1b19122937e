"""A bot: any game, any legal choice, drawn by the seed. `exec:python3 examples/bot.py`."""

import contextlib
import json
import random
import sys

print(json.dumps({"id": json.loads(input())["id"], "name": "any", "protocol": 1}), flush=True)
for line in sys.stdin:
    asked = {"id": None, "ask": "", "seed": 0, "legal": [{"error": "I do not know that"}]}
    with contextlib.suppress(ValueError, TypeError):
        asked |= json.loads(line)
    if asked["ask"] == "quit":
        break
    if asked["ask"] != "stop":
        answer = random.Random(asked["seed"]).choice(asked["legal"])
        print(json.dumps({"id": asked["id"], **answer}), flush=True)
