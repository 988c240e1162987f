"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Give the file these bytes. Until they are on disk, it holds what it held before."""
    target = Path(path).resolve()  # a link stays one
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    descriptor, name = tempfile.mkstemp(prefix=".shiftcut-", suffix=".tmp", dir=target.parent)
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(mode if mode is not None else 0o666 & ~_umask())
        fresh.replace(target)
    except BaseException:
        fresh.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
