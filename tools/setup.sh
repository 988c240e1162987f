#!/usr/bin/env bash
# Installs what a make target needs: tools/setup.sh GROUP...
#   build   compiler, CMake and libraries (packages/debian-build.txt)
#   lint    clang tools, also for the sanitizers and fuzzing (packages/debian-lint.txt)
#   proof   the Python bindings of clang, and llvm-cov (packages/debian-proof.txt)
#   python  .venv with packages/python-dev.txt
#   bench   .venv with packages/python-bench.txt
#   docs    .venv with packages/python-docs.txt
#   answers .venv with packages/python-answers.txt
#   scanpy  .venv-scanpy with packages/python-scanpy.txt
#   linkage .venv-linkage with packages/python-linkage.txt
#   layout  .venv with packages/python-layout.txt
#   dask    .venv with packages/python-dask.txt
#   web     .venv with Node (packages/python-web.txt)
#   browser Chromium (packages/debian-web.txt)
# Returns quickly if everything is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "setup: $*" >&2; }
fail() { say "$*"; exit 1; }

listed() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$1"; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_debian() {  # FILE: installs those of its packages that are missing
  local missing=() package
  while read -r package; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
      missing+=("$package")
  done < <(listed "$1")
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    fail "missing packages, and neither root nor sudo to install them; as root run:
  apt-get update && apt-get install ${missing[*]}"
  fi
  say "installing ${missing[*]}"
  as_root apt-get update -q >&2
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}" >&2 </dev/null
}

need_system() {  # FILE COMMAND...: installs the packages; on other systems checks for the commands
  local file=$1 command missing=()
  shift
  if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    install_debian "$file"
    return
  fi
  for command in "$@"; do
    command -v "$command" >/dev/null || missing+=("$command")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    fail "not a Debian system, and not found: ${missing[*]}
  Install the equivalents of these Debian packages:" $(listed "$file")
  fi
}

find_python() {  # 3.11 or newer, with venv; prefers the system's to others on the PATH
  local candidate
  for candidate in /usr/bin/python3 python3 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' \
      2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

need_python() {  # FILE [FOLDER]: installs its packages into FOLDER (.venv)
  local file=$1 venv=${2:-.venv} stamp python
  stamp="$venv/.installed-$(basename "$file" .txt)"
  if cmp -s "$file" "$stamp" && "$venv/bin/python" -c '' 2>/dev/null; then return; fi
  if ! "$venv/bin/python" -c '' 2>/dev/null; then
    find_python >/dev/null || need_system packages/debian-build.txt python3
    python=$(find_python) || fail "need Python 3.11 or newer with the venv and ensurepip modules"
    say "creating $venv with $python"
    rm -rf "$venv"
    "$python" -m venv "$venv"
  fi
  say "installing $file into $venv"
  "$venv/bin/python" -m pip install -q --disable-pip-version-check -r "$file" >&2
  cp "$file" "$stamp"
}

[ $# -gt 0 ] || fail "which group? They are listed at the top of tools/setup.sh"
for group in "$@"; do
  case $group in
    build) need_system packages/debian-build.txt c++ cmake ninja ;;
    lint) need_system packages/debian-lint.txt clang++-19 clang-format-19 clang-tidy-19 ;;
    proof) need_system packages/debian-proof.txt clang++-19 ;;
    python) need_python packages/python-dev.txt ;;
    bench) need_python packages/python-bench.txt ;;
    docs) need_python packages/python-docs.txt ;;
    answers) need_python packages/python-answers.txt ;;
    scanpy) need_python packages/python-scanpy.txt .venv-scanpy ;;
    linkage) need_python packages/python-linkage.txt .venv-linkage ;;
    layout) need_python packages/python-layout.txt ;;
    dask) need_python packages/python-dask.txt ;;
    web) need_python packages/python-web.txt ;;
    browser) need_system packages/debian-web.txt chromium ;;
    *) fail "no group '$group'; they are listed at the top of tools/setup.sh" ;;
  esac
done
