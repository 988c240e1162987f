#!/usr/bin/env bash
# Lists the files of the checkout, committed or new but not ignored, that match the patterns.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files --cached --others --exclude-standard --deduplicate -- "$@" |
  while read -r file; do
    if [ -f "$file" ]; then echo "$file"; fi
  done
