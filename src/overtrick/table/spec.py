"""The OpenAPI spec, from which the page's types are generated.

    python -m overtrick.table.spec > openapi.json

It also holds what goes over the socket, and the facts that each game tells of itself.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from overtrick.table.wire import AnyMessage

__all__ = ["spec_of"]

REF = "#/components/schemas/{model}"


def spec_of(app: FastAPI, desk: Any) -> dict[str, Any]:
    """The spec of the service, with all that the page wants to know."""
    spec = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    schemas = spec["components"]["schemas"]
    _, messages = models_json_schema(
        [(AnyMessage, "serialization"), (AnyMessage, "validation")], ref_template=REF
    )
    found = dict(messages["$defs"])
    for name, kind in desk.facts_types().items():
        schema = TypeAdapter(kind).json_schema(ref_template=REF, mode="serialization")
        found |= schema.pop("$defs", {})
        found[name] = schema
    for name, schema in found.items():
        schemas.setdefault(name, schema)
    return spec


def main() -> None:
    """Write the spec to standard output."""
    from overtrick.table.desk import Desk
    from overtrick.table.service import create_app

    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Path(folder))
        json.dump(spec_of(app, Desk()), sys.stdout, indent=2, ensure_ascii=False, sort_keys=True)
        print()
        app.state.house.storage.close()


if __name__ == "__main__":
    main()
