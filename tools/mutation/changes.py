"""What can be changed in a source: operators, constants and conditions, as libclang sees them."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .mutants import ROOT, Mutant, together

Cursor = Any  # of clang.cindex, in the package python3-clang-19, which has no types
Kinds = Any

SWAPPED = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "+", "&&": "||", "||": "&&",
    "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "&": "|", "|": "&", "|=": "&=", "&=": "|=",
}  # fmt: skip


def expression_changes(cursor: Cursor, kinds: Kinds, source: bytes) -> Iterator[tuple[str, str]]:
    """The changes of one expression: in words, and as code with the original in it."""
    begin, end = cursor.extent.start.offset, cursor.extent.end.offset
    whole = source[begin:end].decode()
    either = "(MUTATES({n}) ? (" + "{0}) : (" + whole.replace("{", "{{").replace("}", "}}") + "))"
    either = either.replace("{0}", "\0")

    def choice(other: str) -> str:
        return either.replace("\0", other.replace("{", "{{").replace("}", "}}"))

    kind = cursor.kind
    if kind in (kinds.BINARY_OPERATOR, kinds.COMPOUND_ASSIGNMENT_OPERATOR):
        left, right = list(cursor.get_children())
        between = source[left.extent.end.offset : right.extent.start.offset]
        sign = between.strip().decode().split(" ")[0]
        if sign in SWAPPED:
            at = left.extent.end.offset + between.index(sign.encode())
            before, after = source[begin:at], source[at + len(sign) : end]
            other = SWAPPED[sign]
            yield f"{sign} becomes {other}", choice((before + other.encode() + after).decode())
    elif kind == kinds.UNARY_OPERATOR and whole.startswith("!") and whole[1] != "=":
        yield "! is left out", choice(f"static_cast<bool>({whole[1:]})")
    elif kind == kinds.INTEGER_LITERAL and whole[0].isdigit():  # else it is of a macro
        yield f"{whole} becomes {whole} + 1", choice(f"{whole} + 1")
    elif kind == kinds.FLOATING_LITERAL:
        is_zero = not any(digit in whole.split("e")[0] for digit in "123456789")
        other = f"1 + {whole}" if is_zero else f"2 * {whole}"
        yield f"{whole} becomes {other}", choice(other)
    elif kind == kinds.CXX_BOOL_LITERAL_EXPR:
        other = "false" if whole == "true" else "true"
        yield f"{whole} becomes {other}", choice(other)
    elif kind == kinds.CALL_EXPR:
        for name, other in (("std::max", "std::min"), ("std::min", "std::max")):
            if whole.startswith(f"{name}("):
                yield f"{name} becomes {other}", choice(other + whole[len(name) :])


def walk(cursor: Cursor, kinds: Kinds, source: bytes) -> Iterator[tuple[Cursor, str, str]]:
    """All changes below a cursor, except where a value is needed while compiling."""
    kind = cursor.kind
    if kind in (kinds.STATIC_ASSERT, kinds.ENUM_DECL, kinds.CONCEPT_DECL):
        return
    text = source[cursor.extent.start.offset : cursor.extent.end.offset]
    head = text[: text.find(b"{")] if b"{" in text else text
    declarations = (kinds.VAR_DECL, kinds.FUNCTION_DECL, kinds.CXX_METHOD, kinds.FUNCTION_TEMPLATE)
    if kind in declarations and b"constexpr" in head.split(b"(")[0].split():
        return
    children = list(cursor.get_children())
    if kind == kinds.CASE_STMT:
        children = children[1:]
    if kind in (kinds.IF_STMT, kinds.WHILE_STMT):
        if text.startswith(b"if constexpr"):
            children = children[1:]
        elif children[0].kind in (kinds.CALL_EXPR, kinds.DECL_REF_EXPR, kinds.MEMBER_REF_EXPR):
            condition = children[0].extent
            whole = source[condition.start.offset : condition.end.offset].decode()
            whole = whole.replace("{", "{{").replace("}", "}}")
            yield (
                children[0],
                "the condition is negated",
                "(MUTATES({n}) != static_cast<bool>(" + whole + "))",
            )
    for change, code in expression_changes(cursor, kinds, source):
        yield cursor, change, code
    for child in children:
        yield from walk(child, kinds, source)


def flags() -> list[str]:
    clang = subprocess.run(
        ["clang++-19", "-print-resource-dir"], capture_output=True, text=True, check=True
    )
    return [
        *("-std=c++20", "-x", "c++", "-DNDEBUG", "-resource-dir", clang.stdout.strip()),
        *("-I", str(ROOT / "build/include"), "-Wno-everything"),
    ]


def parsed(room: Path, include: list[Path], *more: str) -> Any:  # noqa: ANN401
    """The sources of a room; as one, so that the headers are parsed only once."""
    cindex = importlib.import_module("clang.cindex")
    folders = [word for folder in include for word in ("-I", str(folder))]
    return cindex.Index.create().parse(
        "together.cpp",
        [*flags(), *folders, *more],
        unsaved_files=[("together.cpp", together(room))],
    )


def errors_of(unit: Any) -> list[Any]:  # noqa: ANN401
    cindex = importlib.import_module("clang.cindex")
    return [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]


def candidates(room: str) -> list[Mutant]:
    kinds = importlib.import_module("clang.cindex").CursorKind
    folder = ROOT / "src" / room
    found: dict[tuple[str, int, int, str], Mutant] = {}
    sources = {path: path.read_bytes() for path in sorted(folder.rglob("*.[ch]pp"))}
    unit = parsed(folder, [ROOT / "include", ROOT / "src"])
    for error in errors_of(unit):
        raise SystemExit(str(error))
    for cursor in top_level(unit.cursor, sources, kinds):
        here = Path(cursor.location.file.name)
        source = sources[here]
        for at, change, code in walk(cursor, kinds, source):
            begin, end = at.extent.start, at.extent.end
            if begin.file is None or Path(begin.file.name) != here:
                continue
            name = str(here.relative_to(ROOT))
            line = source.splitlines()[begin.line - 1].decode().strip()
            key = (name, begin.offset, end.offset, change)
            found[key] = Mutant(
                0, room, name, begin.line, begin.offset, end.offset, change, line, code
            )
    return list(found.values())


def top_level(cursor: Cursor, sources: dict[Path, bytes], kinds: Kinds) -> Iterator[Cursor]:
    for child in cursor.get_children():
        file = child.location.file
        if file is None or Path(file.name) not in sources:
            continue
        if child.kind == kinds.NAMESPACE:
            yield from top_level(child, sources, kinds)
        else:
            yield child
