#!/usr/bin/env bash
# Runs tests/linkage in .venv-linkage with the package that is installed in .venv: both are made with
# the same Python, so a link to it suffices.
set -euo pipefail
cd "$(dirname "$0")/.."

folder_of() { "$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }

ln -sfn "$(folder_of "$PWD/.venv")/shiftcut" "$(folder_of "$PWD/.venv-linkage")/shiftcut"
.venv-linkage/bin/python -m pytest -q -rs tests/linkage
