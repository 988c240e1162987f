"""The kernel's side of a widget: messages and states as lines of JSON, in and out."""

from __future__ import annotations

import base64
import json
import sys
import warnings
from typing import Any

from sklearn.datasets import load_wine

from shiftcut import ShiftedMinCut


def tell(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def main() -> None:
    warnings.simplefilter("ignore")  # the page must not wait for what is said of the data
    widget = ShiftedMinCut(4, random_state=0).fit(load_wine().data).explore_widget(title="wine")

    def send(content: object, buffers: tuple[bytes, ...] = ()) -> None:
        tell({"content": content, "buffers": [base64.b64encode(one).decode() for one in buffers]})

    def tell_state(_: object = None) -> None:
        tell(
            {
                "selection": widget.selection,
                "answers": widget.answers,
                "clusters": len(set(widget.labels)),
            }
        )

    widget.send = send
    widget.observe(tell_state, ["selection", "answers"])
    tell_state()
    for line in sys.stdin:
        asked = json.loads(line)
        if "content" in asked:
            widget._handle_custom_msg(asked["content"], [])
        elif "set" in asked:
            widget.set_state({"selection": asked["set"]})  # from the page
        else:
            widget.answer(*asked["answer"])  # in a cell
            widget.selection = asked["select"]


if __name__ == "__main__":
    main()
