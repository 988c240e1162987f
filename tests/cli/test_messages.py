"""The library knows no front end: its messages carry codes and parameters, not flags."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
MESSAGE = re.compile(r'\b(?:message|refuse)\(\s*"(\w+)"')
CODE = re.compile(r"[a-z]+(_[a-z]+)*")


def sources(*folders: str) -> list[Path]:
    found = [f for folder in folders for f in (ROOT / folder).rglob("*.[ch]pp")]
    assert found
    return found


def literals(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    code = "\n".join(line for line in lines if not line.lstrip().startswith("//"))
    return LITERAL.findall(code)


def test_no_literal_of_the_library_names_a_command_line_option() -> None:
    flag = re.compile(r"(^|[^\w-])(--[a-z]|-k\b)")
    found = [
        f"{file.relative_to(ROOT)}: {text}"
        for file in sources("src", "include")
        for text in literals(file)
        if flag.search(text[1:-1])
    ]
    assert not found


def documented() -> set[str]:
    table = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    return {code for row in rows for code in re.findall(r"`(\w+)`", row.split("|")[1])}


def test_every_code_of_the_library_is_documented() -> None:
    codes = {
        code for file in sources("src") for code in MESSAGE.findall(file.read_text("utf-8")) if code
    }
    codes |= {
        code
        for file in (ROOT / "python" / "shiftcut").rglob("*.py")
        for code in re.findall(r'Note\(\s*"(\w+)"', file.read_text("utf-8"))
    }
    assert len(codes) > 20
    assert all(CODE.fullmatch(code) for code in codes)
    assert codes - documented() == set()
    # Codes of `not_enough_memory` are set where the sizes are known.
    assert documented() - codes - {"not_enough_memory"} == set()


def test_every_parameter_that_a_message_marks_is_an_option_of_the_command_line() -> None:
    """But for `answer` and `feature_weights`, which only a program can give."""
    marked = {
        name
        for file in sources("src")
        for text in literals(file)
        for name in re.findall(r"\{([a-z][a-z_]*)(?:=[\w=-]+)?\}", text)
    }
    options = "".join(file.read_text("utf-8") for file in sorted((ROOT / "cli").glob("*.cpp")))
    renamed = {"clusters": "-k", "header": "--no-header", "shape": "--as"}
    assert len(marked) > 10
    for name in marked - {"answer"}:
        option = renamed.get(name, "--" + name.replace("_", "-"))
        assert f'"{option}' in options, name
