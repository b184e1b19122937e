"""A package that could not play is not built: it has the built page, and the shipped models whole.

The page is `web/` as `make page` builds it; a machine that installs the package needs no Node.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = "src/overtrick/table/page"
MODELS = "src/overtrick/models"
FILES_OF_A_MODEL = ("card.json", "spec.json", "net.safetensors")


class CompletePackage(BuildHookInterface[Any]):
    """Looks before anything is written; an editable install may be without."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """End the build with one line if something is missing."""
        missing = what_is_missing(Path(self.root))
        if missing and version != "editable":
            self.app.abort(f"overtrick cannot be built: {missing}")


def what_is_missing(root: Path) -> str:
    """The first thing that a package needs and this tree has not, or nothing."""
    index = root / PAGE / "index.html"
    if not index.is_file():
        return f"the page of the table is missing ({PAGE}/index.html); `make page` builds it"
    for name in re.findall(r'(?:src|href)="\.?/([^"]+)"', index.read_text()):
        if not (root / PAGE / name).is_file():
            return f"the page of the table lacks {PAGE}/{name}; `make page` builds it"
    models = [path.parent for path in (root / MODELS).glob("*/*/card.json")]
    if not models:
        return f"there is no model in {MODELS}/GAME/NAME"
    for model in sorted(path for path in (root / MODELS).glob("*/*") if path.is_dir()):
        for name in FILES_OF_A_MODEL:
            if not (model / name).is_file() and model.name != "__pycache__":
                return f"the model {model.relative_to(root)} lacks its {name}"
    return ""
