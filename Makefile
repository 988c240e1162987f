# The front door: `make` lists what can be asked. Every target first installs what it misses
# (tools/setup.sh).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20
export JOBS FUZZ_SECONDS

PYTEST_FOLDERS := $(wildcard tests/cli tests/docs tests/python tests/paper)
# Thread sanitizers want memory where they expect it: without address randomisation, if allowed.
FIXED_ADDRESSES := $(shell setarch $$(uname -m) -R true 2>/dev/null && echo setarch $$(uname -m) -R)
# Where a build folder is another compiler's, CMake would take clang but forget the sanitizers.
only_clang = @grep -qs '^CMAKE_CXX_COMPILER:.*clang' $(1)/CMakeCache.txt || rm -rf $(1)

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## the library and the program build/shiftcut
	@tools/setup.sh build
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target shiftcut_cli

.PHONY: demo
demo: build ## group 178 wines by their chemistry
	@tools/demo.sh

.PHONY: test
test: build ## all tests: ctest, then pytest on the program, the README and the Python package
	@tools/setup.sh python
	cmake --build --preset release -j $(JOBS)
	ctest --preset release --no-tests=error -j 2
	tools/install_python.sh
	.venv/bin/python -m pytest -q -rs -n 2 $(PYTEST_FOLDERS)

.PHONY: python
python: build ## the Python package, installed into .venv
	@tools/setup.sh python
	tools/install_python.sh

.PHONY: bench
bench: build ## time against other clustering programs
	@tools/setup.sh python bench
	cmake --build --preset release -j $(JOBS)
	tools/install_python.sh
	.venv/bin/python bench/run.py

.PHONY: paper
paper: build ## the paper's tables and figures beside ours, a quarter of an hour or so (QUICK=1: a minute)
	@tools/setup.sh python
	tools/install_python.sh
	.venv/bin/python -m experiments $(if $(QUICK),--quick)

.PHONY: answers
answers: build ## AMI against answered questions, ours and peers, half an hour or so (QUICK=1: two minutes)
	@tools/setup.sh python answers
	tools/install_python.sh
	.venv/bin/python -m experiments.answers $(if $(QUICK),--quick)

.PHONY: sdist
sdist: ## the Python source distribution, tested in an empty environment with the oldest versions
	@tools/setup.sh build python
	tools/test_sdist.sh

.PHONY: asan
asan: ## the C++ tests under the address and undefined-behaviour sanitizers
	@tools/setup.sh build lint
	$(call only_clang,build-asan)
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan --no-tests=error -j 2

.PHONY: tsan
tsan: ## the threaded C++ tests under the thread sanitizer, less one of minutes
	@tools/setup.sh build lint
	$(call only_clang,build-tsan)
	cmake --preset tsan
	$(FIXED_ADDRESSES) cmake --build --preset tsan -j $(JOBS) --target core_test similarity_test methods_test \
		run_test descent_test multilevel_test relaxed_test search_test strength_test feedback_test
	$(FIXED_ADDRESSES) ctest --preset tsan --no-tests=error -j 2 \
		-R '^(core|similarity|methods|descent|multilevel|relaxed|search|strength|feedback)\.' -E great_many_objects

.PHONY: fuzz
fuzz: ## the readers on random input, FUZZ_SECONDS (20) each
	@tools/setup.sh build lint
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	tools/fuzz.sh

.PHONY: lint
lint: ## formatting, types, clang-tidy, and who includes what
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
install: build ## put the program, library and headers under PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

.PHONY: clean
clean: ## remove what was built; .venv stays
	rm -rf build build-wheel build-dev build-asan build-tsan build-tidy build-fuzz out
