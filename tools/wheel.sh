#!/usr/bin/env bash
# Builds the wheels of the Python package with the library and program in build/ (`make build`), and
# tries each in an empty virtual environment outside the tree:
#
#   cp312-abi3  one for Python 3.12 and all later ones; nanobind's stable ABI begins there
#   cp311       for Python 3.11, which has no such ABI
#
# A wheel is built by the oldest Python that it is for, and tried with the newest. Where only Python
# 3.11 is found, as on a plain Debian 12, the first wheel is left out, and a message says so.
# out/wheel/dist has the finished wheels.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/out/wheel

say() { echo "wheel: $*" >&2; }

pythons() {  # Those that run, have headers and venv: "3.12 PATH" per line, oldest first
  local python
  for python in /usr/bin/python3 python3.{11..19} python3 \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3 \
    "${UV_PYTHON_INSTALL_DIR:-$HOME/.local/share/uv/python}"/cpython-3.*/bin/python3; do
    "$python" - <<'PY' 2>/dev/null || true
import ensurepip, pathlib, sys, sysconfig, venv
header = pathlib.Path(sysconfig.get_path("include"), "Python.h")
own = sys.prefix == sys.base_prefix  # not a virtual environment
if own and header.exists() and sysconfig.get_config_var("Py_GIL_DISABLED") != 1:
    print("%d.%d" % sys.version_info[:2], sys.executable)
PY
  done | sort -u -t ' ' -k 1,1V
}

build() {  # PYTHON TAG
  local python=$1 tag=$2 tools="$out/tools-$2" repaired
  "$python" -m venv --clear "$tools"
  "$tools/bin/python" -m pip install -q --disable-pip-version-check -r packages/python-wheel.txt
  settings=(
    cmake.source-dir=python
    "build-dir=out/wheel/build-$tag"
    "cmake.define.shiftcut_ROOT=$PWD/build/stage"
    "cmake.define.SHIFTCUT_PROGRAM=$PWD/build/portable/shiftcut"
  )
  CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)} "$tools/bin/python" -m pip wheel -q \
    --disable-pip-version-check --no-build-isolation --no-deps -w "$out/raw-$tag" \
    "${settings[@]/#/--config-settings=}" .
  "$tools/bin/python" tools/wheel_licences.py "$out/raw-$tag"/*.whl --builds build \
    "out/wheel/build-$tag" --into "$out/licensed-$tag"
  # --plat auto: the oldest manylinux that has every symbol the wheel needs
  PATH="$tools/bin:$PATH" auditwheel repair --strip -w "$out/repaired-$tag" "$out/licensed-$tag"/*.whl >/dev/null
  repaired=("$out/repaired-$tag"/*manylinux*.whl)
  [ -f "${repaired[0]}" ] || { say "auditwheel found no manylinux platform"; exit 1; }
  "$tools/bin/auditwheel" show "${repaired[0]}" | sed -n '2,4p' >&2
  case $tag in *abi3) "$tools/bin/abi3audit" --strict "${repaired[0]}" >&2 ;; esac
  mkdir -p "$out/dist"
  cp "${repaired[0]}" "$out/dist/"
}

try() {  # PYTHON TAG
  local room
  room=$(mktemp -d)
  cp examples/wine.csv tools/check_wheel.py "$room/"
  "$1" -m venv "$room/venv"
  (cd "$room" && venv/bin/python -m pip install -q --disable-pip-version-check --only-binary :all: \
    "$out/dist"/*"-$2-"*.whl && venv/bin/python -I check_wheel.py wine.csv) || { rm -rf "$room"; exit 1; }
  rm -rf "$room"
}

rm -rf "$out"
mkdir -p "$out"
tools/httplib_source.sh build/httplib
cmake build -DSHIFTCUT_HTTPLIB_SOURCE="$PWD/build/httplib" >/dev/null
cmake --build build --target shiftcut_portable >/dev/null
cmake --install build --prefix build/stage >/dev/null
mapfile -t found < <(pythons)
old='' first='' last=''
for line in "${found[@]}"; do
  case ${line%% *} in
    3.11) old=${line#* } ;;
    3.1[2-9]) first=${first:-${line#* }} last=${line#* } ;;
  esac
done

if [ -n "$first" ]; then
  build "$first" cp312-abi3
  try "$last" cp312-abi3
else
  say "no Python 3.12 or later with its headers: left out the wheel for the stable ABI." \
    "Install one (pyenv install 3.13, or uv python install 3.13) and run it again."
fi
if [ -n "$old" ]; then
  build "$old" cp311
  try "$old" cp311
fi
[ -d "$out/dist" ] || { say "no Python to build with"; exit 1; }
ls -l "$out/dist"
