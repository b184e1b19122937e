"""The spec of the service, asked everything that it allows and much that it does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from table.at_work import ME, LaidTable, Service, finished, service_at_work

CHECKS: list[Any] = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]
NOT_READY = 503  # a game that is still being compiled


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with service_at_work(tmp_path_factory.mktemp("spec")) as running:
        running.wait_for("hearts")
        yield running


class Asker:
    """Puts the questions that schemathesis makes up, every other one about a real table."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.table = service.table("hearts")
        self.over = service.table("hearts")
        finished(self.over)
        self.asked = 0

    def ask(self, case: Any) -> None:
        self.asked += 1
        if self.asked % 2:
            self._come_in(case)
        response = case.call(timeout=60)
        if response.status_code != NOT_READY:
            case.validate_response(response, checks=CHECKS)

    def _come_in(self, case: Any) -> None:
        secret = ME
        if "table_id" in (case.path_parameters or {}):
            table: LaidTable = self.over if "/deals/" in case.path else self.table
            if case.method.upper() == "DELETE":
                table = self.service.table("hearts")
            case.path_parameters["table_id"] = table.id
            secret = [*table.tokens.values(), table.watch][0]
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {secret}"}


def ask_everything(service: Service, examples: int) -> int:
    """Ask each operation so many times, rightly and wrongly; how many questions were put."""
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{service.port}/openapi.json")
    asker = Asker(service)
    quietly = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for result in schema.get_all_operations():
        operation = result.ok()
        for mode in GenerationMode:
            with suppress(Unsatisfiable):  # what takes no arguments has no wrong ones
                quietly(given(operation.as_strategy(generation_mode=mode))(asker.ask))()
    return asker.asked


def test_nothing_that_is_asked_makes_the_service_fail(service: Service) -> None:
    assert ask_everything(service, 6) > 50
    assert service.table("hearts").snapshot()["frame"]["number"] >= 0


@pytest.mark.long
def test_nothing_of_many_more_questions_makes_the_service_fail(service: Service) -> None:
    assert ask_everything(service, 100) > 1500
