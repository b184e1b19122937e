"""A bot: any game, any legal choice, drawn by the seed. `exec:python3 examples/bot.py`."""

import json
import random
import sys

for line in sys.stdin:
    try:
        asked = {"ask": "choice", "legal": [{}], **json.loads(line)}
    except (ValueError, TypeError):
        asked = {"ask": "nonsense"}
    if asked["ask"] == "quit":
        break
    answer = {"error": f"I do not know how to answer {line.strip()[:40]!r}"}
    if asked["ask"] == "hello":
        answer = {"name": "any legal choice", "protocol": 1}
    elif asked["ask"] == "choice" and "seed" in asked:
        answer = random.Random(asked["seed"]).choice(asked["legal"])
    if asked["ask"] != "stop":
        print(json.dumps({"id": asked.get("id"), **answer}), flush=True)
