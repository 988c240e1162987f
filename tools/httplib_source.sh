#!/usr/bin/env bash
# Unpacks cpp-httplib as one header, FOLDER/httplib.h: tools/httplib_source.sh FOLDER
#
# Debian's libcpp-httplib-dev is a library linked with OpenSSL, which wheels would have to carry. The
# header of its source package is whole and needs nothing. This is the source of the installed version,
# with Debian's security fixes, checked by apt; neither root nor deb-src lines are needed.
set -euo pipefail
folder=$1
mkdir -p "$folder"
folder=$(realpath "$folder")
version=$(dpkg-query -W -f '${source:Version}' libcpp-httplib-dev)
if [ -e "$folder/httplib.h" ] && [ "$(cat "$folder/version")" = "$version" ]; then exit; fi

apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
mkdir -p "$apt"/{parts,lists/partial,cache/archives/partial}
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
for source in "debian $suite $suite-updates" "debian-security $suite-security"; do
  cat <<EOF
Types: deb-src
URIs: http://deb.debian.org/${source%% *}
Suites: ${source#* }
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

EOF
done >"$apt/parts/debian.sources"
cat >"$apt/apt.conf" <<EOF
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/parts";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt/cache";
APT::Sandbox::User "$(id -un)";
EOF
export APT_CONFIG="$apt/apt.conf"
cd "$apt"
apt-get update -q >log 2>&1 && apt-get source -q "cpp-httplib=$version" >>log 2>&1 || {
  cat log >&2
  echo "httplib_source: the source package of cpp-httplib $version was not found" >&2
  exit 1
}
cp cpp-httplib-*/httplib.h "$folder/httplib.h"
echo "$version" >"$folder/version"
