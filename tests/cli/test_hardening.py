"""The program and the extension module are built with what makes bugs hard to exploit."""

from __future__ import annotations

import importlib.util
import platform
import re
import subprocess
from pathlib import Path

import pytest

from .conftest import program


def readelf(*words: str) -> str:
    return subprocess.run(
        ["readelf", "--wide", *words], capture_output=True, text=True, check=True
    ).stdout


def module() -> Path:
    found = importlib.util.find_spec("shiftcut._core")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin)


@pytest.fixture(params=["program", "module"])
def built(request: pytest.FixtureRequest) -> str:
    path = program() if request.param == "program" else module()
    if "__asan_init" in readelf("--dyn-syms", str(path)):
        pytest.skip("built with a sanitizer, which has its own checks")
    return str(path)


def test_it_lies_anywhere_in_memory(built: str) -> None:
    assert re.search(r"Type:\s+DYN", readelf("--file-header", built))


def test_no_memory_can_be_both_written_and_run(built: str) -> None:
    segments = readelf("--program-headers", built)
    stack = re.search(r"GNU_STACK.*", segments)
    assert stack is not None
    assert "E" not in stack[0].split()[-2]
    loaded = re.findall(r"LOAD\s+(?:0x\w+\s+){5}([RWE ]{3})", segments)
    assert loaded
    assert not [flags for flags in loaded if "W" in flags and "E" in flags]


def test_the_linkers_tables_cannot_be_written(built: str) -> None:
    assert "GNU_RELRO" in readelf("--program-headers", built)
    assert re.search(
        r"\((FLAGS|BIND_NOW)\).*BIND_NOW|\(FLAGS_1\).*NOW", readelf("--dynamic", built)
    )


def test_overflows_of_the_stack_are_noticed(built: str) -> None:
    assert "__stack_chk_fail" in readelf("--dyn-syms", built)


def test_functions_that_fill_buffers_are_checked(built: str) -> None:
    """Where a length is known when it is compiled, glibc has another function for it."""
    symbols = readelf("--dyn-syms", built)
    assert re.search(r"\b__\w+_chk@", symbols.replace("__stack_chk_fail", ""))


def test_jumps_only_lead_to_where_they_may(built: str) -> None:
    """On x86: a function that may be called by a pointer begins with a mark."""
    if platform.machine() not in {"x86_64", "aarch64"}:
        pytest.skip(f"not known how {platform.machine()} does it")
    mark = "endbr64" if platform.machine() == "x86_64" else "bti"
    code = subprocess.run(
        ["objdump", "--disassemble", "--no-show-raw-insn", built],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert code.count(mark) > 1000
