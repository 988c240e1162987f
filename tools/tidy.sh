#!/usr/bin/env bash
# Runs clang-tidy over src/, cli/ and python/. With LINT_BASE=COMMIT only over the folders changed since
# then, or over everything when headers that all of them see have changed.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset tidy -DSHIFTCUT_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$PWD/.venv/bin/python" \
  "-Dnanobind_DIR=$(.venv/bin/python -m nanobind --cmake_dir)" >/dev/null

files=$(tools/sources.sh 'src/*.cpp' 'cli/*.cpp' 'python/*.cpp')
if [ -n "${LINT_BASE:-}" ] && changed=$(git diff --name-only "$LINT_BASE" 2>/dev/null); then
  if ! grep -qE '^(include/|cmake/|src/core/|src/[^/]*$|CMake|\.clang-tidy)' <<<"$changed"; then
    folders=$(sed -nE 's#^((src/[^/]+|cli|python)/).*#\1#p' <<<"$changed" | sort -u)
    files=$(grep -F -f <(printf '%s\n' "${folders:-/none/}") <<<"$files" || true)
  fi
fi
if [ -z "$files" ]; then
  echo "clang-tidy: nothing changed"
  exit 0
fi

echo "clang-tidy: $(wc -l <<<"$files") files"
xargs -P "${JOBS:-$(nproc)}" -n 1 clang-tidy-19 -p build-tidy --quiet <<<"$files" 2> >(
  grep -vE '^[0-9]+ warnings? (and [0-9]+ errors? )?generated' >&2
)
