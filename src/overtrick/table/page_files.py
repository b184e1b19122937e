"""The built page: its files as they lie in the package, and one line where they are missing."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

__all__ = ["PAGE_FOLDER", "page_file"]

PAGE_FOLDER = Path(__file__).resolve().parent / "page"
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
MISSING = "The page is not built yet: run `npm ci && npm run build` in web/, then load this again."
TYPES = {".webmanifest": "application/manifest+json", ".js": "text/javascript"}


def page_file(folder: Path, path: str, request: Request) -> Response:
    """A file of the page; `index.html` for `/`."""
    wanted = (folder / (path or "index.html")).resolve()
    if not wanted.is_relative_to(folder.resolve()) or not wanted.is_file():
        if path in ("", "index.html"):
            return PlainTextResponse(MISSING, status_code=200)
        return PlainTextResponse(f"there is no {path[:80]!r} here", status_code=404)
    hashed = path.startswith("assets/")  # Vite names these by their contents
    headers = {"cache-control": FOREVER if hashed else ASK_AGAIN}
    kind = TYPES.get(wanted.suffix)
    response = FileResponse(wanted, headers=headers, media_type=kind, stat_result=wanted.stat())
    if request.headers.get("if-none-match") == response.headers["etag"]:
        kept = {name: response.headers[name] for name in ("etag", "cache-control")}
        return Response(status_code=304, headers=kept)
    return response
