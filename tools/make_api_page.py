#!/usr/bin/env python3
"""Write docs/python_api.md (or FILE) from the docstrings of the installed package."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shiftcut import (
    Feedback,
    ShiftcutWarning,
    ShiftedMinCut,
    Stability,
    methods,
    metrics,
    model_selection,
    plot,
    scanpy,
    stability,
)

ROOT = Path(__file__).resolve().parent.parent
METHODS = (
    "fit",
    "fit_predict",
    "predict",
    "transform",
    "explain",
    "report",
    "explore",
    "explore_widget",
    "save",
    "load",
)
FEEDBACK_METHODS = (
    "next_pairs",
    "answer",
    "answer_all",
    "undo",
    "refit",
    "explore",
    "explore_widget",
    "save",
    "load",
)
INHERITED = "`get_params`, `set_params`, `set_output`, `fit_transform`, `get_feature_names_out`"


def bare(signature: inspect.Signature) -> str:
    """Return the signature without types, which the docstring describes in words."""
    parameters = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    parameters = [p for p in parameters if p.name != "self"]
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty))


def body(thing: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield the docstring as Markdown: section titles in bold, parameters as a list."""
    lines = (inspect.getdoc(thing) or "").splitlines()
    in_list = in_code = False
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if line.strip("-") == "" and line:
            continue
        if following and following.strip("-") == "" and len(following) == len(line):
            in_list, in_code = line != "Examples", line == "Examples"
            yield f"**{line}**"
            yield ""
            if in_code:
                yield "```pycon"
        elif in_list and line and not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            yield f"- `{name}`" + (f" ({kind})" if kind else "")
        else:
            yield line.replace("    ", "  ", 1) if in_list else line
    if in_code:
        yield "```"


def section(name: str, thing: Any, level: str = "###") -> Iterator[str]:  # noqa: ANN401
    yield from (f"{level} `{name}{bare(inspect.signature(thing))}`", "", *body(thing), "")


def page() -> str:
    lines = [
        "# Python API",
        "",
        "Generated from the docstrings by `tools/make_api_page.py`. For a guide, see",
        "[python.md](python.md).",
        "",
        "## `shiftcut.ShiftedMinCut`",
        "",
        *section("ShiftedMinCut", ShiftedMinCut),
    ]
    for name in METHODS:
        lines += section(name, getattr(ShiftedMinCut, name), "####")
    lines += [f"Inherited from scikit-learn: {INHERITED}.", ""]
    lines += ["## `shiftcut.Feedback`", "", *section("Feedback", Feedback)]
    for name in FEEDBACK_METHODS:
        lines += section(name, getattr(Feedback, name), "####")
    lines += ["## `shiftcut.ShiftcutWarning`", "", *body(ShiftcutWarning), ""]
    lines += ["## `shiftcut.stability`", "", *section("stability", stability)]
    lines += section("Stability", Stability, "####")
    for module in (metrics, model_selection, plot, scanpy, methods):
        lines += [f"## `{module.__name__}`", "", *body(module), ""]
        for name in module.__all__:
            lines += section(name, getattr(module, name))
    text = "\n".join(line.rstrip() for line in lines)
    return text.rstrip() + "\n"


def main() -> int:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "python_api.md"
    target.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
