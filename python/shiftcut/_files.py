"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Give the file these bytes. Until they are on disk, it holds what it held before."""
    target = Path(path).resolve()  # a link stays one
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    fresh = target.with_name(f".shiftcut-{secrets.token_hex(8)}.tmp")
    # A new file has the permissions that the umask leaves it.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    descriptor = os.open(fresh, flags, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                fresh.chmod(mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Bring the new name to disk, too. Some file systems know no such thing for folders."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
