"""Files of the package: written whole or not at all, with the permissions and links they had."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from shiftcut import Feedback, ShiftedMinCut

from .data import blobs

Writer = Callable[[Path], None]


def save_model(path: Path) -> None:
    ShiftedMinCut(3, random_state=0).fit(blobs(40)).save(path)


def save_answers(path: Path) -> None:
    feedback = Feedback(ShiftedMinCut(3, random_state=0), blobs(40))
    feedback.answer(0, 1, True)
    feedback.save(path)


@pytest.fixture(params=[save_model, save_answers], ids=["model", "answers"])
def write(request: pytest.FixtureRequest) -> Writer:
    found: Writer = request.param
    return found


def test_a_new_file_has_the_permissions_of_the_umask(write: Writer, tmp_path: Path) -> None:
    for mask in (0o022, 0o077, 0o002):
        before = os.umask(mask)
        try:
            write(tmp_path / f"{mask}")
        finally:
            os.umask(before)
        assert (tmp_path / f"{mask}").stat().st_mode & 0o777 == 0o666 & ~mask


def test_an_old_file_keeps_its_permissions(write: Writer, tmp_path: Path) -> None:
    file = tmp_path / "out"
    for mode in (0o600, 0o640, 0o666):
        file.write_text("old")
        file.chmod(mode)
        write(file)
        assert file.read_text(errors="replace") != "old"
        assert file.stat().st_mode & 0o777 == mode


def test_a_link_stays_one(write: Writer, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "file"
    target.write_text("old")
    link = tmp_path / "link"
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_text(errors="replace") != "old"


def test_what_fails_leaves_the_old_file_and_no_other(
    write: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "out"
    file.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]
