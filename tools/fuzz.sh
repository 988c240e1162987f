#!/usr/bin/env bash
# Runs every fuzz target for FUZZ_SECONDS (20), starting from its seeds in fuzz/seeds/ and what former
# runs found (out/fuzz/corpus/), JOBS at a time. Failing inputs are saved in out/fuzz/. With FUZZ_MERGE=1
# those of the corpus that reach code no seed reaches become seeds.
set -euo pipefail
cd "$(dirname "$0")/.."

fuzz_one() {  # TARGET
  local target=$1 name seeds=() folder
  name=$(basename "$target")
  mkdir -p "$corpus/$name"
  for folder in "fuzz/seeds/$name" "fuzz/seeds/${name%_fuzz}"; do
    if [ -d "$folder" ]; then seeds+=("$folder"); fi
  done
  echo "fuzz: $name for ${FUZZ_SECONDS:-20} s"
  if ! "$target" -max_total_time="${FUZZ_SECONDS:-20}" -timeout=60 -rss_limit_mb=2048 \
    -artifact_prefix="out/fuzz/$name-" -print_final_stats=1 "$corpus/$name" "${seeds[@]}" \
    >"$corpus/$name.log" 2>&1 </dev/null; then
    tail -n 60 "$corpus/$name.log" >&2
    echo "fuzz: $name failed; run it again with: $target out/fuzz/$name-*" >&2
    return 1
  fi
  echo "fuzz: $name ran $(sed -n 's/.*number_of_executed_units: *//p' "$corpus/$name.log") inputs"
  if [ -n "${FUZZ_MERGE:-}" ]; then
    "$target" -set_cover_merge=1 -max_len=1000 -verbosity=0 "${seeds[0]}" "$corpus/$name" \
      >"$corpus/$name.log" 2>&1 </dev/null
  fi
}

corpus=out/fuzz/corpus
mkdir -p "$corpus"
export corpus
export -f fuzz_one

shopt -s nullglob
targets=(build-fuzz/fuzz/*_fuzz)
if [ ${#targets[@]} = 0 ]; then
  echo "fuzz: no targets in build-fuzz/fuzz" >&2
  exit 1
fi
printf '%s\n' "${targets[@]}" |
  xargs -P "${JOBS:-$(nproc)}" -n 1 bash -c 'set -euo pipefail; fuzz_one "$1"' fuzz_one
echo "fuzz: ${#targets[@]} targets, no failures"
