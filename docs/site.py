"""Build the docs as a web site: `make site`, or `python docs/site.py FOLDER`.

Pages are laid out in a folder of their own first, since not all of them lie in docs/:

- README.md is the home page, CHANGELOG.md a page.
- The page of a game has its rules, which lie in the game's folder.
- A file elsewhere that a page links to becomes a page: sources as listings, texts as they are.
- A page that the navigation of mkdocs.yml does not name is put at its end.

Then Zensical builds them, and every warning is an error: a link that leads nowhere fails.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
OWN_NAMES = {ROOT / "README.md": "index.md", ROOT / "CHANGELOG.md": "changes.md"}
LANGUAGES = {".py": "python", ".ts": "ts", ".json": "json", ".sh": "sh", ".js": "js"}
PICTURES = {".jpg", ".png", ".svg"}

_LINK = re.compile(r"(?<=\]\()([^)#:\s]+)((?:#[^)]*)?)(?=\))")
_RULES = re.compile(r"\]\((\S*games/\w+/README\.md)\)")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def main() -> None:
    """Build the site into the folder that is told; what is wrong with it ends in status 1."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site").resolve()
    with tempfile.TemporaryDirectory(prefix="overtrick-site-") as beside:
        lay_out(Path(beside))
        complaint = build(Path(beside))
        if complaint:
            sys.exit(complaint)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(Path(beside) / "site", folder)


def build(folder: Path) -> str:
    """Make `site` of what is laid out in a folder; what is wrong with it, if anything is."""
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    told = re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr)  # without colours
    return told.partition("Traceback")[0] or told if done.returncode else ""


# ---------------------------------------------------------------------------- laying out


def lay_out(folder: Path) -> None:
    """Write all that the site is made of: mkdocs.yml, and the pages beside it."""
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
    (handler,) = (plugin["mkdocstrings"] for plugin in settings["plugins"] if plugin != "search")
    handler["handlers"]["python"]["paths"] = [str(ROOT / "src")]
    settings["nav"] = whole_navigation(settings["nav"])
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False))
    pages = folder / settings["docs_dir"]
    for path in sorted({*OWN_NAMES, *DOCS.rglob("*.md"), *linked_elsewhere()}):
        target = pages / uri(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content(path))
    for path in DOCS.rglob("*"):
        if path.suffix in PICTURES:
            target = pages / path.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


def whole_navigation(nav: list[dict[str, object]]) -> list[dict[str, object]]:
    """The navigation with pages that it leaves out in its last part."""
    named = set(re.findall(r"[\w/-]+\.md", str(nav)))
    pages = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))
    (last,) = nav[-1].values()
    assert isinstance(last, list)
    last += [page for page in pages if page not in named]
    return nav


def linked_elsewhere() -> set[Path]:
    """All files outside of docs/ that a page leads to, and those that these lead to."""
    left = [*OWN_NAMES, *DOCS.rglob("*.md")]
    found: set[Path] = set()
    while left:
        page = left.pop()
        for path in links_of(page):
            if path not in found and not path.is_relative_to(DOCS) and path not in OWN_NAMES:
                found.add(path)
                left += [path] * (path.suffix == ".md")
    return found


def links_of(page: Path) -> list[Path]:
    """The files that a page links to."""
    text = _FENCE.sub("", page.read_text())
    linked = [(page.parent / found[1]).resolve() for found in _LINK.finditer(text)]
    return [path for path in linked if path.is_file()]


def uri(path: Path) -> str:
    """Where a file is on the site, from its root."""
    if path in OWN_NAMES:
        return OWN_NAMES[path]
    if path.is_relative_to(DOCS):
        return str(path.relative_to(DOCS))
    plain = str(path.relative_to(ROOT)).removesuffix(".md").replace("README", "about")
    return f"source/{plain}.md"


def content(path: Path) -> str:
    """A file as a page."""
    if path.suffix == ".md":
        return rewritten(with_rules(path.read_text(), path), path)
    language = LANGUAGES.get(path.suffix, "text")
    listing = f"````{language}\n{path.read_text()}\n````\n"
    return f"# {path.name}\n\n`{path.relative_to(ROOT)}`\n\n{listing}"


def with_rules(page: str, path: Path) -> str:
    """The page of a game with its rules, after the lines that lead to them."""
    found = _RULES.search(page) if path.parent.name == "games" else None
    if found is None:
        return page
    rules = (path.parent / found[1]).resolve().read_text()
    body = rules.partition("\n")[2].strip()
    return page.replace("\n## ", f"\n## Rules\n\n{body}\n\n## ", 1)


def rewritten(page: str, path: Path) -> str:
    """Links as they lead from the page's place on the site."""
    home = os.path.dirname(uri(path)) or "."

    def led(found: re.Match[str]) -> str:
        target = (path.parent / found[1]).resolve()
        return os.path.relpath(uri(target), home) + found[2] if target.is_file() else found[0]

    plain, fences = _FENCE.split(page), [*_FENCE.findall(page), ""]
    texts = [_LINK.sub(led, part) for part in plain]
    return "".join(text for pair in zip(texts, fences, strict=True) for text in pair)


if __name__ == "__main__":
    main()
