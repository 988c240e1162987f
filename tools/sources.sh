#!/usr/bin/env bash
# Lists the tracked and untracked, but not ignored, files of the checkout that match the patterns.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files --cached --others --exclude-standard --deduplicate -- "$@" |
  while read -r file; do
    if [ -f "$file" ]; then echo "$file"; fi
  done
