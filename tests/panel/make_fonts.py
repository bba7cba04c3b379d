"""Makes the panel's Chinese fonts, after new words in Chinese: `python -m tests.panel.make_fonts FOLDER`.

The made fonts hold only the characters of the Chinese catalogue (100 kB each instead of 20 MB). FOLDER has Debian's
fonts-noto-cjk. Needs fonttools and brotli, which no other part of Sabot does.
"""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

import controller.catalogue
import controller.panel

CATALOGUE: Final = Path(controller.catalogue.__file__).parent / "zh-Hant.toml"
STATIC: Final = Path(controller.panel.__file__).parent / "static"
LIST: Final = STATIC / "han.txt"
FACES: Final = {"400": "NotoSansCJK-Regular.ttc", "700": "NotoSansCJK-Bold.ttc"}
HONG_KONG: Final = "4"
"""The number of Hong Kong's typeface in each font file; Macau uses the same characters."""

FIRST_HAN: Final = 0x2E80


def characters() -> str:
    """The catalogue's characters that the Latin fonts lack."""
    return "".join(sorted({one for one in CATALOGUE.read_text("utf-8") if ord(one) >= FIRST_HAN}))


def digest(weight: str) -> str:
    return sha256((STATIC / f"han-{weight}.woff2").read_bytes()).hexdigest()


def main(folder: str) -> None:
    wanted = characters()
    form = ("--flavor=woff2", "--layout-features=", "--no-hinting")
    for weight, face in FACES.items():
        given = (f"--font-number={HONG_KONG}", f"--text={wanted}")
        out = f"--output-file={STATIC / f'han-{weight}.woff2'}"
        command = (sys.executable, "-m", "fontTools.subset", str(Path(folder, face)))
        subprocess.run((*command, *given, *form, out), check=True)
    LIST.write_text("\n".join((wanted, *map(digest, FACES))) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
