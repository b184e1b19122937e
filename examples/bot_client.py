"""Two bots play a match of any game: an outside program, which knows no rules and keeps none.

    python bot_client.py hearts rulebook:strong rulebook:simple [seed] ['{"target": 50}']

The first bot has the even seats, the second the odd ones. One of them also deals and keeps the
table; each is told only what its own seat has seen.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


class Bot:
    """A running `overtrick bot`, asked through its pipes."""

    def __init__(self, game: str, player: str) -> None:
        command = [sys.executable, "-m", "overtrick", "bot", game, player]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, **request: Any) -> dict[str, Any]:
        """The answer to one request."""
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:  # it has told why on standard error
            raise SystemExit("the bot has ended")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise SystemExit(f"the bot answers: {answer['error']}")
        return answer


def play_match(bots: list[Bot], seed: int, variant: dict[str, Any]) -> list[int]:
    """Play deal after deal until the match is won; the scores."""
    table = bots[0]
    shuffled = table.ask(ask="deal", seed=seed, variant=variant)
    while True:
        deal = shuffled["deal"]
        now = table.ask(ask="table", deal=deal)
        while not now["over"]:
            view = table.ask(ask="table", deal=deal, seat=now["seat"])["view"]
            answer = bots[now["seat"] % 2].ask(view=view, seed=seed)
            deal["choices"].append(answer["text"])
            now = table.ask(ask="table", deal=deal)
        print(f"deal {now['match']['deals']}: {now['match']['scores']}")
        if now["winners"]:
            print("won by", " and ".join(str(seat) for seat in now["winners"]))
            return list(now["match"]["scores"])
        shuffled = table.ask(ask="deal", seed=seed, variant=variant, match=now["match"])


if __name__ == "__main__":
    if not 4 <= len(sys.argv) <= 6:
        raise SystemExit("bot_client.py GAME PLAYER PLAYER [SEED] [VARIANT]")
    game, first, second, seed, variant = (sys.argv[1:] + ["1", "{}"][len(sys.argv) - 4 :])[:5]
    bots = [Bot(game, player) for player in (first, second)]
    play_match(bots, int(seed), json.loads(variant))
    for bot in bots:
        bot.process.stdin.close()
        bot.process.wait()
