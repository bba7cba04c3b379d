"""`make docs`: makes one site with search under build/docs from the texts of all folders, ordered by reader.

The texts stay in their folders; mkdocs gets a copy for the time of the build. readers.toml beside this file names the
reader of each text. Links between texts and pictures of the site work there. A link to any other file of the repository
becomes the file's path, since the site has no code. Neither the build nor a reader needs a network.
"""

import argparse
import logging
import posixpath
import re
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any, Final

from mkdocs.commands.build import build
from mkdocs.config import load_config

ROOT: Final = Path(__file__).parents[2]
PICTURES: Final = (".svg", ".png")
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
_NAMED_BLOCK: Final = re.compile(r"^(```[a-z]+) \S+$", re.MULTILINE)


def main() -> int:
    """Builds the site and prints the path of its first page. Returns 1 if mkdocs warns, for example of a broken
    link.
    """
    parser = argparse.ArgumentParser(description="builds the site of all texts")
    parser.add_argument("--out", type=Path, default=ROOT / "build/docs")
    out: Path = parser.parse_args().out.resolve()
    warnings = made(ROOT, out)
    print(*warnings, sep="\n", file=sys.stderr)
    print(out / "index.html")
    return 1 if warnings else 0


def made(root: Path, out: Path) -> list[str]:
    """Builds the site in `out` from the tree `root`, and returns the warnings of mkdocs. Raises OSError, KeyError."""
    counted = _Counted()
    logging.getLogger("mkdocs").addHandler(counted)
    try:
        with tempfile.TemporaryDirectory() as place:
            _copy(root, Path(place) / "texts")
            empty = Path(place) / "mkdocs.yml"
            empty.write_text("site_name: Sabot\n")
            build(load_config(str(empty), **_settings(root, Path(place) / "texts", out)))
    finally:
        logging.getLogger("mkdocs").removeHandler(counted)
    return counted.lines


class _Counted(logging.Handler):
    """A log handler that collects the text of each warning of mkdocs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def sections(root: Path = ROOT) -> dict[str, dict[str, str]]:
    """Returns, by reader, the paths of the texts with their titles."""
    return tomllib.loads((root / "systemd/docs/readers.toml").read_text("utf-8"))


def _copy(root: Path, place: Path) -> None:
    texts = {name for section in sections(root).values() for name in section}
    for name in sorted(texts):
        text = (root / name).read_text("utf-8")
        pictures = {path for path in _targets(text, name) if path.endswith(PICTURES)}
        for path in (name, *pictures):
            (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(unnamed(relinked(text, name, texts | pictures)), "utf-8")
        for path in pictures:
            shutil.copyfile(root / path, place / path)


def _targets(text: str, name: str) -> set[str]:
    return {_path(name, link[3]) for link in _LINK.finditer(text)}


def _path(name: str, target: str) -> str:
    """Returns the path, relative to the root of the tree, to which the link `target` in the text `name` leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), target))


def relinked(text: str, name: str, kept: set[str]) -> str:
    """Returns the text `name` with each link to a file outside the site replaced by the path of this file. Leaves code
    blocks unchanged.

    `kept`: the paths of the files that are on the site.
    """
    parts = re.split(r"(^```.*?^```)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _relinked(part, name, kept) for part in parts)


def unnamed(text: str) -> str:
    """Returns the text with the names of its blocks of code left out: `frame ack` is `frame`.

    mkdocs takes a block with a name for none, and its end for the beginning of one.
    """
    return _NAMED_BLOCK.sub(r"\1", text)


def _relinked(text: str, name: str, kept: set[str]) -> str:
    def one(link: re.Match[str]) -> str:
        words, target = link[2], link[3]
        if not target or "://" in target or target.startswith("mailto:") or _path(name, target) in kept:
            return link[0]
        return words if words.startswith("`") else f"{words} (`{_path(name, target)}`)"

    return _LINK.sub(one, text)


def _settings(root: Path, texts: Path, out: Path) -> dict[str, Any]:
    readers = sections(root).items()
    return {
        "docs_dir": str(texts),
        "site_dir": str(out),
        "use_directory_urls": False,  # the files of a package are opened by name
        "theme": {"name": "readthedocs", "highlightjs": False, "navigation_depth": 3},
        "plugins": [{"search": {"lang": ["en", "pt"]}}],
        "markdown_extensions": ["tables", "fenced_code", "toc"],
        "exclude_docs": "!.github/\n",
        "validation": {"links": {"anchors": "warn", "not_found": "warn", "unrecognized_links": "warn"}},
        "nav": [{reader: [{title: name} for name, title in pages.items()]} for reader, pages in readers],
    }


if __name__ == "__main__":
    sys.exit(main())
