"""The examples of docs/python.md."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_examples_of_the_page_are_true() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 12
    assert failed == 0
