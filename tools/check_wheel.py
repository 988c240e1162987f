#!/usr/bin/env python3
"""Try the installed wheel as a user has it, outside the tree.

python -I check_wheel.py wine.csv
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from importlib import metadata
from pathlib import Path

import numpy as np

import shiftcut


def check_page(url: str) -> None:
    """The page of an explorer is whole, and knows the data."""
    with urllib.request.urlopen(url) as reply:
        assert b"explore.js" in reply.read()
    with urllib.request.urlopen(url + "explore.js") as reply:
        assert len(reply.read()) > 20_000
    with urllib.request.urlopen(url + "api/state") as reply:
        assert json.load(reply)["objects"] == 178


def check_explore(program: Path, table: Path, model: shiftcut.ShiftedMinCut) -> None:
    """The explorer of the program and that of Python, without OpenSSL in the wheel."""
    command = [str(program), "explore", str(table), "--label-column", "label", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        check_page(running.stdout.readline().strip())
        running.terminate()
    with model.explore(open_browser=False) as exploration:
        check_page(exploration.url)
    files = [str(file) for file in metadata.distribution("shiftcut").files or []]
    assert not [file for file in files if "libssl" in file or "libcrypto" in file], files


def main() -> int:
    table = Path(sys.argv[1])
    home = Path(sys.prefix).resolve()
    program = home / "bin" / "shiftcut"
    assert Path(shiftcut.__file__).resolve().is_relative_to(home), shiftcut.__file__

    rows = np.loadtxt(table, delimiter=",", skiprows=1, dtype=str)  # the last column: the class
    X, known = rows[:, :-1].astype(float), rows[:, -1]
    model = shiftcut.ShiftedMinCut(3, random_state=0).fit(X)
    agreement = shiftcut.metrics.ami(known, model.labels_)
    assert agreement > 0.75, agreement

    # The program finds the same clusters, also with the instructions of the oldest processors.
    command = [str(program), "cluster", str(table), "--label-column", "label", "-k", "3", "--quiet"]
    for processor in ({}, {"SHIFTCUT_SIMD": "v2"}):
        labels = Path("labels.csv")
        asked = [*command, "--labels", str(labels)]
        subprocess.run(asked, check=True, capture_output=True, env={**os.environ, **processor})
        found = np.loadtxt(labels, delimiter=",", skiprows=1, usecols=1)
        assert np.array_equal(found, model.labels_), processor

    check_explore(program, table, model)
    package = metadata.distribution("shiftcut")
    texts = package.metadata.get_all("License-File") or []
    for text in texts:
        (file,) = [f for f in package.files or [] if str(f).endswith(f"/licenses/{text}")]
        assert "copyright" in file.read_text(encoding="utf-8").lower() or text.endswith("NOTICE")
    assert len(texts) >= 9, texts
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)
    print(
        f"Python {sys.version.split()[0]}, {version.stdout.strip()}: AMI {agreement:.3f} on wine,",
        f"the program agrees, the explorer runs, {len(texts)} licence files",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
