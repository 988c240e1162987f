"""Says at the end how many faults were injected, also with -q and over several workers."""

from __future__ import annotations

from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    injected: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "call":
                for name, value in report.user_properties:
                    if name == "faults":
                        injected.update(value)
    if injected:
        kinds = ", ".join(f"{count} {kind}" for kind, count in injected.most_common())
        terminalreporter.write_line(f"faults injected: {injected.total()} ({kinds})")
