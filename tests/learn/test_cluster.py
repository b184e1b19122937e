"""A cluster of two machines plays the same deals as one process, also when it loses one."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from learn.test_selfplay import rows_of
from nets.some_nets import some_net
from overtrick.cli import app
from overtrick.errors import BadOption
from overtrick.games import load_game
from overtrick.learn.cluster import RayWorkers
from overtrick.learn.generating import generate, traversal_for
from overtrick.learn.samples import Samples
from overtrick.learn.selfplay import SelfPlay, play_some
from overtrick.learn.workers import LocalWorkers
from overtrick.models import find_model
from overtrick.search.guided import Guidance

HOW = SelfPlay(2, Guidance(6))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    os.environ |= {"RAY_worker_niceness": "0"}  # else whatever else is busy goes first
    import ray
    from ray.cluster_utils import Cluster

    room = {"num_cpus": 1, "object_store_memory": 100 * 1024 * 1024}
    soon = {"health_check_period_ms": 500, "health_check_failure_threshold": 4}
    head = {**room, "include_dashboard": False, "_system_config": soon}
    machines = Cluster(initialize_head=True, head_node_args=head)
    machines.second = machines.add_node(**room)
    machines.wait_for_nodes()
    yield machines
    ray.shutdown()
    machines.shutdown()


def jobs(count: int) -> list[tuple[Any, ...]]:
    _, net = some_net(load_game("whist3x3"))
    return [("whist3x3", net, HOW, 7, 10 * number, 10) for number in range(count)]


@pytest.mark.long
def test_two_machines_play_what_one_process_plays_also_when_one_is_lost(cluster: Any) -> None:
    def where_and_what(*job: Any) -> tuple[str, Samples]:
        import ray

        time.sleep(0.3)
        return ray.get_runtime_context().get_node_id(), play_some(*job)

    workers = RayWorkers(cluster.address)
    assert workers.count == 2
    here = [rows_of(lot) for lot in LocalWorkers(1).run(play_some, jobs(12))]
    there = workers.run(where_and_what, jobs(8))
    assert [rows_of(lot) for _, lot in there] == here[:8]
    assert len({node for node, _ in there}) == 2

    lost = threading.Timer(1.0, lambda: cluster.remove_node(cluster.second, allow_graceful=False))
    lost.start()
    found = workers.run(where_and_what, jobs(12))
    lost.join()
    assert [rows_of(lot) for _, lot in found] == here
    workers.close()


def test_a_store_made_by_two_machines_is_that_of_one_process_also_when_one_is_lost(
    cluster: Any, tmp_path: Path
) -> None:
    game = load_game("kuhn")
    how = traversal_for(game, "random", decay=1.0)
    numbers: dict[str, Any] = {"seed": 7, "first": 0, "shard_deals": 8, "player": "random"}
    generate(game, how, tmp_path / "one", LocalWorkers(1), deals=96, **numbers)
    workers = RayWorkers(cluster.address)
    generate(game, how, tmp_path / "two", workers, deals=48, **numbers)
    there = sorted(path.name for path in (tmp_path / "two").iterdir())

    def lose(header: Any) -> None:  # a machine goes as soon as the first of its shards is there
        if not lost:
            lost.append(cluster.remove_node(lately, allow_graceful=False))

    lately, lost = cluster.add_node(num_cpus=1, object_store_memory=100 * 1024 * 1024), []
    cluster.wait_for_nodes()
    made = generate(game, how, tmp_path / "two", workers, deals=96, watch=lose, **numbers)
    assert made == (6, 6) and len(there) == 6 and lost
    stores = [
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    ]
    assert stores[0] == stores[1]
    workers.close()


@pytest.mark.long
def test_the_command_learns_the_same_on_a_cluster(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERTRICK_DATA", str(tmp_path))
    small = {"units": 8, "layers": 1, "head": 0, "sims": 4, "worlds": 2, "quick": 3, "lot": 20}
    words = ["train", "whist3x3", "alphazero", "--deals", "60", "--seed", "4", "--no-measure"]
    words += [word for key, value in small.items() for word in ("--set", f"{key}={value}")]
    found = []
    for where in (["--cluster", cluster.address], ["--workers", "1"]):
        name = where[0].strip("-")
        app([*words, "--name", name, *where], standalone_mode=False)
        found.append((find_model(f"whist3x3/{name}").folder / "net.safetensors").read_bytes())
    assert found[0] == found[1]


def test_what_jobs_share_is_sent_once_and_few_jobs_wait_at_a_time() -> None:
    class Fake:
        """A cluster of one core that tells how many jobs were begun."""

        def __init__(self) -> None:
            self.sent: list[Any] = []
            self.begun = 0

        def put(self, what: Any) -> Any:
            self.sent.append(what)
            return what

        def cluster_resources(self) -> dict[str, float]:
            return {"CPU": 1.0}

        def remote(self, *job: Any, **settings: Any) -> Any:
            if settings:
                return lambda task: self
            self.begun += 1
            return job[-1]

        def wait(self, waiting: list[Any], num_returns: int) -> tuple[list[Any], list[Any]]:
            return waiting[:1], waiting[1:]

        def get(self, one: Any) -> Any:
            return one

    workers, fake = RayWorkers.__new__(RayWorkers), Fake()
    workers._ray, workers._remote = fake, {}
    shared = {"net": "large"}
    found = workers.each(int, [("whist3x3", shared, number) for number in range(9)])
    assert next(found) == 0 and fake.begun == 3  # two wait, and one has come
    assert sorted(found) == [*range(1, 9)] and fake.sent == [shared]


def test_a_cluster_that_does_not_answer_is_told_in_one_line(monkeypatch: Any, capfd: Any) -> None:
    import ray

    def refuse(**told: Any) -> None:
        os.write(2, b"Failed to get cluster ID from GCS server\n")
        raise ConnectionError("Could not find any running Ray instance.\nMore words")

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", refuse)
    with pytest.raises(BadOption, match=r"no cluster answers at 'auto': Could not find any"):
        RayWorkers("auto")
    assert capfd.readouterr().err == ""
