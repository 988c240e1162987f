#!/usr/bin/env bash
# Installs the Python package into .venv using the library and program in build/ (`make build`), so
# only the extension module is compiled. `pip install .` compiles everything.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --build build --target shiftcut shiftcut_other_methods shiftcut_cli
cmake --install build --prefix build/stage >/dev/null
settings=(
  cmake.source-dir=python
  build-dir=build/python
  "cmake.define.shiftcut_ROOT=$PWD/build/stage"
  "cmake.define.SHIFTCUT_PROGRAM=$PWD/build/stage/bin/shiftcut"
)
CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)} .venv/bin/python -m pip install -q \
  --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
  "${settings[@]/#/--config-settings=}" .
