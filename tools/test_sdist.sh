#!/usr/bin/env bash
# Builds the source distribution, installs it into an empty virtual environment with the oldest
# supported versions (packages/python-oldest.txt), and runs the tests that need nothing else. It is
# compiled without optimisation, with assertions, and without precompiled headers, which would hide
# missing includes.
set -euo pipefail
cd "$(dirname "$0")/.."

rm -rf out/sdist
mkdir -p out/sdist
.venv/bin/python -c 'from scikit_build_core.build import build_sdist; build_sdist("out/sdist")' \
  >out/sdist/log 2>&1 || { cat out/sdist/log >&2; exit 1; }

"$(.venv/bin/python -c 'import sys; print(sys._base_executable)')" -m venv out/sdist/venv
env -u PYTHONPATH CMAKE_BUILD_PARALLEL_LEVEL="${JOBS:-$(nproc)}" SKBUILD_CMAKE_BUILD_TYPE=Debug \
  SKBUILD_CMAKE_DEFINE=SHIFTCUT_FAST_BUILD=OFF \
  out/sdist/venv/bin/python -m pip install -q --disable-pip-version-check \
  out/sdist/shiftcut-*.tar.gz -r packages/python-oldest.txt

out/sdist/venv/bin/shiftcut --version
out/sdist/venv/bin/python -m pytest -q -n 2 tests/python/test_{scikit_learn,same_as_command_line}.py \
  tests/python/test_{predict,tables,metrics}.py
