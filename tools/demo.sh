#!/usr/bin/env bash
# Clusters the example wines and shows the output files; called by `make demo`.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p out
echo
echo "Clustering 178 wines by 13 chemical measurements, without looking at the column 'label':"
echo
echo "  build/shiftcut cluster examples/wine.csv --label-column label -k 3 \\"
echo "      --labels out/wine_labels.csv --json out/wine.json"
echo
build/shiftcut cluster examples/wine.csv --label-column label -k 3 \
  --labels out/wine_labels.csv --json out/wine.json
cat <<'EOF'

Written: out/wine_labels.csv (the cluster of each row) and out/wine.json (the full result).
The first labels:

EOF
head -n 4 out/wine_labels.csv | sed 's/^/  /'
cat <<'EOF'

Try next:
  build/shiftcut cluster YOUR.csv -k 5                     your own table
  build/shiftcut cluster examples/digits.csv.gz --label-column label -k 10
  build/shiftcut info examples/iris.csv                    what a file contains
  build/shiftcut cluster --help                            all options
EOF
