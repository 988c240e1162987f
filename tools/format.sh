#!/usr/bin/env bash
# Formats the C++ and Python sources; with --check, only lists those that are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  "") clang=(-i) python=() ;;
  --check) clang=(--dry-run --Werror) python=(--check) ;;
  *) echo "usage: tools/format.sh [--check]" >&2; exit 1 ;;
esac

tools/sources.sh '*.cpp' '*.hpp' | xargs -r clang-format-19 "${clang[@]}"
.venv/bin/ruff format "${python[@]}" .
