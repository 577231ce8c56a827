# Rollcone: everything from a fresh clone. The first call of any verb creates .venv
# and installs into it; later calls find it there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Kernels of the tests and of the demo are kept in the user's cache folder.
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint bench clean

help:  ## this list
	@echo "Verbs of make (the first call creates $(VENV) and installs into it):"
	@sed -n 's/^\([a-z-]*\):.*## /\1:/p' $(firstword $(MAKEFILE_LIST)) \
	  | awk -F: '{ printf "  %-10s %s\n", $$1, $$2 }'

$(READY): pyproject.toml
	@command -v "$(PYTHON)" > /dev/null \
	  || { echo "There is no $(PYTHON) here; name a Python with: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Rollcone needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	@echo "Creating $(VENV) and installing (once, about a minute) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $(READY)

demo: $(READY)  ## a heap of spheres poured, simulated and drawn, in out/
	@$(BIN)/python examples/pour_heap.py --folder out

test: $(READY) lint  ## lint and the tests, without the slow ones
	@$(BIN)/python tests/fill_kernel_cache.py
	@$(BIN)/python -m pytest -q -n $(WORKERS) -m "not slow"

test-all: $(READY) lint  ## lint and all tests
	@$(BIN)/python tests/fill_kernel_cache.py
	@$(BIN)/python -m pytest -q -n $(WORKERS)

lint: $(READY)  ## ruff and mypy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(READY)  ## the measurements
	@$(BIN)/python -m benchmarks

clean:  ## remove what make has made, with .venv
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
