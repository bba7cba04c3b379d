"""The code that people copy into a book: the example in FORMAT.md can be typed and read."""

import re
from pathlib import Path

import controller.journal
from controller.journal.noted_code import read_noted

FORMAT = Path(controller.journal.__file__).with_name("FORMAT.md")


def test_the_example_of_the_text_can_be_typed() -> None:
    (example,) = re.findall(r"^    (\d+-\d+(?:-[0-9A-Z]{5}){4}-[0-9A-Z]{2})$", FORMAT.read_text("utf-8"), re.MULTILINE)
    noted = read_noted(example)
    assert (noted.session, noted.seq) == (7, 1234)
