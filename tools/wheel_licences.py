#!/usr/bin/env python3
"""Put the licence texts of everything compiled into a wheel into that wheel.

    tools/wheel_licences.py WHEEL --builds build out/wheel/... --into FOLDER

Ninja knows every header that was compiled, and dpkg its package. A package that is not in LICENCES
is an error, so that no dependency is forgotten. The C and C++ run times are not included: the wheel
uses the system's, and their headers are under the GCC Runtime Library Exception.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN_TIME = re.compile(r"libc6|linux-libc|libstdc\+\+-|libgcc-|libpython|python3")
# What wheels contain: not the tests, the benchmarks and the program that uses Debian's libraries.
OURS = re.compile(
    r"CMakeFiles/(shiftcut_|_core|nanobind)|cli/CMakeFiles/shiftcut_(commands|portable)"
)
LICENCES = {
    "libcli11-dev": "BSD-3-Clause",
    "libcpp-httplib-dev": "MIT",
    "libeigen3-dev": "MPL-2.0",
    "libfmt-dev": "MIT",
    "libspectra-dev": "MPL-2.0",
    "nanobind": "BSD-3-Clause",
    "nlohmann-json3-dev": "MIT",
    "robin-map": "MIT",
    "zlib1g-dev": "Zlib",
}
NOTICE = """Software compiled into this wheel
---------------------------------
{lines}

The folders beside this file hold the licence texts. Packages under the Mozilla Public License 2.0
are compiled unchanged; the addresses in their texts lead to the sources of these versions. The
wheel uses zlib and the C and C++ libraries of the system and does not contain them.
"""


def compiled_headers(build: Path) -> set[Path]:
    """Of our objects in a build folder, the files they were compiled from."""
    listing = subprocess.run(
        ["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True
    ).stdout
    headers = set()
    for block in listing.split("\n\n"):
        target, *lines = block.strip().splitlines() or [""]
        if OURS.match(target):
            headers |= {(build / line.strip()).resolve() for line in lines}
    return headers


def debian_packages(headers: set[Path]) -> set[str]:
    asked = ["dpkg-query", "-S", *sorted(map(str, headers))]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    unknown = re.findall(r"no path found matching pattern (.*)", done.stderr)
    if unknown:
        sys.exit(f"wheel_licences: no package holds {', '.join(unknown)}")
    names = re.findall(r"^([^:, ]+)", done.stdout, flags=re.MULTILINE)
    return {name for name in names if not RUN_TIME.match(name)}


def debian_text(package: str) -> str:
    text = Path(f"/usr/share/doc/{package}/copyright").read_text(encoding="utf-8")
    if LICENCES[package] == "MPL-2.0" and "common-licenses/MPL-2.0" in text:
        text += "\n" + Path("/usr/share/common-licenses/MPL-2.0").read_text(encoding="utf-8")
    return text


def debian_version(package: str) -> str:
    asked = ["dpkg-query", "-W", "-f", "${source:Upstream-Version}", package]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout


def nanobind_texts() -> dict[str, tuple[str, str]]:
    """Its own licence is a file of its package, that of its hash table the head of a header."""
    package = metadata.distribution("nanobind")
    (licence,) = [file for file in package.files or [] if file.name == "LICENSE"]
    (robin,) = [file for file in package.files or [] if file.name == "robin_map.h"]
    comment, _ = robin.read_text(encoding="utf-8").split("*/", 1)
    return {
        "nanobind": (package.version, licence.read_text(encoding="utf-8")),
        "robin-map": (f"of nanobind {package.version}", re.sub(r"(?m)^[ /]\*+ ?", "", comment)),
    }


def texts(builds: list[Path]) -> dict[str, tuple[str, str]]:
    """The version of each package and the text of its licence."""
    headers = set().union(*map(compiled_headers, builds))
    system = {header for header in headers if header.is_relative_to("/usr/include")}
    packages = debian_packages(system)
    if any(header.name == "httplib.h" for header in headers):  # from its source package
        packages.add("libcpp-httplib-dev")
    missing = (packages | {"nanobind", "robin-map"}) ^ LICENCES.keys()
    if missing:
        sys.exit(f"wheel_licences: compiled and listed packages differ: {', '.join(missing)}")
    found = {name: (debian_version(name), debian_text(name)) for name in packages}
    found |= nanobind_texts()
    if not all("copyright" in text.lower() for _, text in found.values()):
        sys.exit("wheel_licences: a text without a copyright")
    return found


def add(folder: Path, found: dict[str, tuple[str, str]]) -> None:
    """Into the unpacked wheel: the texts, and their names into its metadata."""
    (info,) = folder.glob("*.dist-info")
    files = []
    for name, (_, text) in sorted(found.items()):
        file = info / "licenses" / "third_party" / name / "LICENSE"
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        files.append(file)
    lines = [
        f"{name.removesuffix('-dev')} {found[name][0]}: {LICENCES[name]}" for name in sorted(found)
    ]
    notice = info / "licenses" / "third_party" / "NOTICE"
    notice.write_text(NOTICE.format(lines="\n".join(lines)), encoding="utf-8")
    files.append(notice)
    every = " AND ".join(sorted({*LICENCES.values(), "BSD-3-Clause"}))
    listed = "\n".join(f"License-File: {file.relative_to(info / 'licenses')}" for file in files)
    page = (info / "METADATA").read_text(encoding="utf-8")
    page = page.replace("License-Expression: BSD-3-Clause\n", f"License-Expression: {every}\n", 1)
    page = page.replace("License-File: LICENSE\n", f"License-File: LICENSE\n{listed}\n", 1)
    if every not in page or listed not in page:
        sys.exit("wheel_licences: the metadata of the wheel are not as expected")
    (info / "METADATA").write_text(page, encoding="utf-8")


def run_wheel(*args: object) -> None:
    command = [sys.executable, "-m", "wheel", *map(str, args)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--builds", type=Path, nargs="+", required=True)
    parser.add_argument("--into", type=Path, required=True)
    given = parser.parse_args()
    found = texts([build.resolve() for build in given.builds])
    unpacked = given.into / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    run_wheel("unpack", "-d", unpacked, given.wheel)
    (folder,) = unpacked.iterdir()
    add(folder, found)
    run_wheel("pack", "-d", given.into, folder)
    shutil.rmtree(unpacked)
    return 0


if __name__ == "__main__":
    sys.exit(main())
