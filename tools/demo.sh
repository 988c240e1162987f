#!/usr/bin/env bash
# Groups the example wines and shows what was written; called by `make demo`.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p out
echo
echo "Grouping 178 wines by 13 chemical measurements, without looking at the column 'label':"
echo
echo "  build/shiftcut cluster examples/wine.csv --label-column label -k 3 \\"
echo "      --labels out/wine_labels.csv --json out/wine.json"
echo
build/shiftcut cluster examples/wine.csv --label-column label -k 3 \
  --labels out/wine_labels.csv --json out/wine.json
cat <<'EOF'

Written: out/wine_labels.csv (a cluster for each row) and out/wine.json (everything about the run).
The labels begin with:

EOF
head -n 4 out/wine_labels.csv | sed 's/^/  /'
cat <<'EOF'

To try next:
  build/shiftcut cluster YOUR.csv -k 5                     your own table
  build/shiftcut cluster examples/digits.csv.gz --label-column label -k 10
  build/shiftcut info examples/iris.csv                    what a file holds
  build/shiftcut cluster --help                            every option
EOF
