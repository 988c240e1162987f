#!/usr/bin/env bash
# Runs every fuzz target for FUZZ_SECONDS (20) from its seeds in fuzz/seeds/; what breaks one is
# kept in out/fuzz/.
set -euo pipefail
cd "$(dirname "$0")/.."

corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
mkdir -p out/fuzz

shopt -s nullglob
targets=(build-fuzz/fuzz/*_fuzz)
if [ ${#targets[@]} = 0 ]; then
  echo "fuzz: no targets in build-fuzz/fuzz" >&2
  exit 1
fi
for target in "${targets[@]}"; do
  name=$(basename "$target")
  mkdir "$corpus/$name"
  seeds=()
  for folder in "fuzz/seeds/$name" "fuzz/seeds/${name%_fuzz}"; do
    if [ -d "$folder" ]; then seeds+=("$folder"); fi
  done
  echo "fuzz: $name for ${FUZZ_SECONDS:-20} s"
  if ! "$target" -max_total_time="${FUZZ_SECONDS:-20}" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="out/fuzz/$name-" -verbosity=0 "$corpus/$name" "${seeds[@]}" \
    >"$corpus/$name.log" 2>&1 </dev/null; then
    tail -n 60 "$corpus/$name.log" >&2
    echo "fuzz: $name failed; run it again with: $target out/fuzz/$name-*" >&2
    exit 1
  fi
done
echo "fuzz: ${#targets[@]} targets, no failures"
