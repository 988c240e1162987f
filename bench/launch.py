"""Run a command and write its peak memory, in kB: launch.py FILE_DESCRIPTOR COMMAND...

The kernel counts the memory a process held before `exec` towards its peak. A benchmark that has
generated gigabytes of data must therefore not start commands itself; this script of a few MB does.
"""

from __future__ import annotations

import os
import sys


def main() -> int:
    descriptor, *command = sys.argv[1:]
    process = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(process, 0)
    os.write(int(descriptor), str(usage.ru_maxrss).encode())
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
